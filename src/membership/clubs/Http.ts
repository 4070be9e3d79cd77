import { Effect } from "effect"
import { CurrentMember, CurrentUser } from "../../identity/people/Identity.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { data } from "../../platform/http/Page.ts"
import { group } from "../../platform/http/server/group.ts"
import { answerMailLimit } from "../caps/answerMailLimit.ts"
import { AccountApi, ClubsApi } from "./Api.ts"
import { Clubs } from "./Clubs.ts"
import { Members } from "./Members.ts"

/** `/v1/me`, founding a club and accepting an invitation. */
export const AccountHttp = group(
  versioned(AccountApi),
  "account",
  Effect.fn(function*(handlers) {
    const clubs = yield* Clubs
    const members = yield* Members
    return handlers.handleAll({
      me: () => CurrentUser.use((me) => Effect.map(clubs.me(me), data)),
      updateMe: ({ payload }) => CurrentUser.use((me) => Effect.map(clubs.updateMe(me, payload), data)),
      createClub: ({ payload }) => CurrentUser.use((me) => Effect.map(clubs.create(me, payload), data)),
      acceptInvitation: ({ payload }) => CurrentUser.use((me) => Effect.map(members.accept(me, payload.token), data))
    })
  })
)

/** A club, its members and invitations. */
export const ClubsHttp = group(
  versioned(ClubsApi),
  "clubs",
  Effect.fn(function*(handlers) {
    const clubs = yield* Clubs
    const members = yield* Members
    return handlers.handleAll({
      get: () => CurrentMember.use(({ club }) => Effect.map(clubs.get(club.id), data)),
      update: ({ payload }) => CurrentMember.use(({ club }) => Effect.map(clubs.update(club.id, payload), data)),
      listMembers: ({ query }) => CurrentMember.use((me) => members.list(me, query)),
      updateMember: ({ params, payload }) =>
        CurrentMember.use((me) => Effect.map(members.setRole(me, params.userId, payload.role), data)),
      removeMember: ({ params }) => CurrentMember.use((me) => members.remove(me, params.userId)),
      listInvitations: ({ query }) => CurrentMember.use((me) => members.listInvitations(me, query)),
      invite: ({ payload }) =>
        CurrentMember.use((me) => members.invite(me, payload)).pipe(
          Effect.catchTag("MailCapReached", answerMailLimit),
          Effect.map(data)
        ),
      withdrawInvitation: ({ params }) => CurrentMember.use((me) => members.withdraw(me, params.invitationId))
    })
  })
)
