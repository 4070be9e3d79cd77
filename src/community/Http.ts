import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../Api.ts"
import { CurrentMember } from "../auth/Identity.ts"
import { data } from "../http/Page.ts"
import { Communities } from "./Communities.ts"

/** Answers the routes of `CommunityApi`. */
export const CommunityHttp = HttpApiBuilder.group(
  Api,
  "community",
  Effect.fn(function*(handlers) {
    const communities = yield* Communities
    return handlers.handleAll({
      read: () => CurrentMember.use(({ club }) => Effect.map(communities.read(club.id), data)),
      update: ({ payload }) => CurrentMember.use(({ club }) => Effect.map(communities.patch(club.id, payload), data)),
      createSpace: ({ payload }) =>
        CurrentMember.use(({ club }) => Effect.map(communities.createSpace(club.id, payload), data)),
      orderSpaces: ({ payload }) =>
        CurrentMember.use(({ club }) => Effect.map(communities.orderSpaces(club.id, payload.ids), data)),
      updateSpace: ({ params, payload }) =>
        CurrentMember.use(({ club }) => Effect.map(communities.patchSpace(club.id, params.spaceId, payload), data)),
      archiveSpace: ({ params }) => CurrentMember.use(({ club }) => communities.archiveSpace(club.id, params.spaceId))
    })
  })
)
