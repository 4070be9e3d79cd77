import { Effect } from "effect"
import { asMember } from "../../identity/people/asMember.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { data } from "../../platform/http/Page.ts"
import { group } from "../../platform/http/server/group.ts"
import { TranscriptsApi } from "./Api.ts"
import { DocumentReadings } from "./documents/DocumentReadings.ts"
import { Transcripts } from "./Transcripts.ts"

/** Answers the routes of `TranscriptsApi`. */
export const TranscriptsHttp = group(
  versioned(TranscriptsApi),
  "transcripts",
  Effect.fn(function*(handlers) {
    const transcripts = yield* Transcripts
    const readings = yield* DocumentReadings
    return handlers.handleAll({
      get: asMember(({ params }, { club }) => Effect.map(transcripts.get(club.id, params.mediaId), data)),
      put: asMember(({ params, payload }, { club }) =>
        Effect.map(transcripts.put(club.id, params.mediaId, payload.text), data)
      ),
      remove: asMember(({ params }, { club }) => transcripts.remove(club.id, params.mediaId)),
      reading: asMember(({ params }, { club }) => Effect.map(readings.get(club.id, params.mediaId), data))
    })
  })
)
