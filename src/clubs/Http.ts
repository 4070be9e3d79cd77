import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../Api.ts"
import { CurrentMember, CurrentUser } from "../auth/Identity.ts"
import { Clubs } from "./Clubs.ts"
import { Members } from "./Members.ts"

const wrap = <A>(data: A) => ({ data })

export const AccountHttp = HttpApiBuilder.group(
  Api,
  "account",
  Effect.fn(function*(handlers) {
    const clubs = yield* Clubs
    const members = yield* Members
    return handlers.handleAll({
      me: () => CurrentUser.use((me) => Effect.map(clubs.me(me), wrap)),
      updateMe: ({ payload }) => CurrentUser.use((me) => Effect.map(clubs.updateMe(me, payload), wrap)),
      createClub: ({ payload }) => CurrentUser.use((me) => Effect.map(clubs.create(me, payload), wrap)),
      acceptInvitation: ({ payload }) => CurrentUser.use((me) => Effect.map(members.accept(me, payload.token), wrap))
    })
  })
)

export const ClubsHttp = HttpApiBuilder.group(
  Api,
  "clubs",
  Effect.fn(function*(handlers) {
    const clubs = yield* Clubs
    const members = yield* Members
    return handlers.handleAll({
      get: () => CurrentMember.use(({ club }) => Effect.map(clubs.get(club.id), wrap)),
      update: ({ payload }) => CurrentMember.use(({ club }) => Effect.map(clubs.update(club.id, payload), wrap)),
      listMembers: ({ query }) => CurrentMember.use((me) => members.list(me, query)),
      updateMember: ({ params, payload }) =>
        CurrentMember.use((me) => Effect.map(members.setRole(me, params.userId, payload.role), wrap)),
      removeMember: ({ params }) => CurrentMember.use((me) => members.remove(me, params.userId)),
      listInvitations: ({ query }) => CurrentMember.use((me) => members.listInvitations(me, query)),
      invite: ({ payload }) => CurrentMember.use((me) => Effect.map(members.invite(me, payload), wrap)),
      withdrawInvitation: ({ params }) => CurrentMember.use((me) => members.withdraw(me, params.invitationId))
    })
  })
)
