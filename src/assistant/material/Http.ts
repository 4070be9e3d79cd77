import { Effect } from "effect"
import { CurrentMember } from "../../identity/people/Identity.ts"
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
      get: ({ params }) => CurrentMember.use(({ club }) => Effect.map(transcripts.get(club.id, params.mediaId), data)),
      put: ({ params, payload }) =>
        CurrentMember.use(({ club }) => Effect.map(transcripts.put(club.id, params.mediaId, payload.text), data)),
      remove: ({ params }) => CurrentMember.use(({ club }) => transcripts.remove(club.id, params.mediaId)),
      reading: ({ params }) => CurrentMember.use(({ club }) => Effect.map(readings.get(club.id, params.mediaId), data))
    })
  })
)
