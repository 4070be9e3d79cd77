import { Effect } from "effect"
import { asMember } from "../../identity/people/asMember.ts"
import { CurrentMember, CurrentUser } from "../../identity/people/Identity.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { data } from "../../platform/http/Page.ts"
import { group } from "../../platform/http/server/group.ts"
import { answerMailLimit } from "../caps/answerMailLimit.ts"
import { faceColors } from "./Accent.ts"
import { AccountApi, ClubsApi } from "./Api.ts"
import { ownAccent } from "./ClubIcon.ts"
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
      get: asMember((_, { club }) => Effect.map(clubs.get(club.id), data)),
      faceColors: ({ query }) => Effect.succeed(data(faceColors(query.accent ?? ownAccent))),
      update: asMember(({ payload }, { club }) => Effect.map(clubs.update(club.id, payload), data)),
      listMembers: asMember(({ query }, me) => members.list(me, query)),
      updateMember: asMember(({ params, payload }, me) =>
        Effect.map(members.setRole(me, params.userId, payload.role), data)
      ),
      removeMember: asMember(({ params }, me) => members.remove(me, params.userId)),
      listInvitations: asMember(({ query }, me) => members.listInvitations(me, query)),
      invite: ({ payload }) =>
        CurrentMember.use((me) => members.invite(me, payload)).pipe(
          Effect.catchTag("MailCapReached", answerMailLimit),
          Effect.map(data)
        ),
      withdrawInvitation: asMember(({ params }, me) => members.withdraw(me, params.invitationId))
    })
  })
)
