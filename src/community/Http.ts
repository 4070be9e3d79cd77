import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../Api.ts"
import { CurrentMember } from "../auth/Identity.ts"
import { Communities } from "./Communities.ts"

const wrap = <A>(data: A) => ({ data })

export const CommunityHttp = HttpApiBuilder.group(
  Api,
  "community",
  Effect.fn(function*(handlers) {
    const communities = yield* Communities
    return handlers.handleAll({
      read: () => CurrentMember.use(({ club }) => Effect.map(communities.read(club.id), wrap)),
      update: ({ payload }) => CurrentMember.use(({ club }) => Effect.map(communities.patch(club.id, payload), wrap)),
      createSpace: ({ payload }) =>
        CurrentMember.use(({ club }) => Effect.map(communities.createSpace(club.id, payload), wrap)),
      orderSpaces: ({ payload }) =>
        CurrentMember.use(({ club }) => Effect.map(communities.orderSpaces(club.id, payload.ids), wrap)),
      updateSpace: ({ params, payload }) =>
        CurrentMember.use(({ club }) => Effect.map(communities.patchSpace(club.id, params.spaceId, payload), wrap)),
      archiveSpace: ({ params }) => CurrentMember.use(({ club }) => communities.archiveSpace(club.id, params.spaceId))
    })
  })
)
