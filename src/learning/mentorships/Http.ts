import { Effect } from "effect"
import { asMember } from "../../identity/people/asMember.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { data } from "../../platform/http/Page.ts"
import { group } from "../../platform/http/server/group.ts"
import { MentorshipFilesApi } from "./Api.ts"
import { MentorshipFiles } from "./MentorshipFiles.ts"

/** Answers the routes of `MentorshipFilesApi`. */
export const MentorshipFilesHttp = group(
  versioned(MentorshipFilesApi),
  "mentorshipFiles",
  Effect.fn(function*(handlers) {
    const files = yield* MentorshipFiles
    return handlers.handleAll({
      list: asMember(({ query }, { club }) => files.list(club.id, query)),
      create: asMember(({ payload }, { club, user }) => Effect.map(files.create(club.id, user.id, payload), data)),
      get: asMember(({ params }, { club }) => Effect.map(files.get(club.id, params.mediaId), data)),
      resume: asMember(({ params }, { club }) => Effect.map(files.resume(club.id, params.mediaId), data)),
      complete: asMember(({ params }, { club }) => Effect.map(files.complete(club.id, params.mediaId), data)),
      download: asMember(({ params, query }, { club }) =>
        Effect.map(files.download(club.id, params.mediaId, query.inline === "true"), data)
      ),
      remove: asMember(({ params }, { club }) => files.remove(club.id, params.mediaId))
    })
  })
)
