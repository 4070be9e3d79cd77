import { Effect } from "effect"
import { CurrentMember } from "../../identity/people/Identity.ts"
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
      list: ({ query }) => CurrentMember.use(({ club }) => files.list(club.id, query)),
      create: ({ payload }) =>
        CurrentMember.use(({ club, user }) => Effect.map(files.create(club.id, user.id, payload), data)),
      get: ({ params }) => CurrentMember.use(({ club }) => Effect.map(files.get(club.id, params.mediaId), data)),
      resume: ({ params }) => CurrentMember.use(({ club }) => Effect.map(files.resume(club.id, params.mediaId), data)),
      complete: ({ params }) =>
        CurrentMember.use(({ club }) => Effect.map(files.complete(club.id, params.mediaId), data)),
      download: ({ params, query }) =>
        CurrentMember.use(({ club }) =>
          Effect.map(files.download(club.id, params.mediaId, query.inline === "true"), data)
        ),
      remove: ({ params }) => CurrentMember.use(({ club }) => files.remove(club.id, params.mediaId))
    })
  })
)
