import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Duration, Effect, Layer, Option, type Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { AuditRecorder } from "../../identity/audit/AuditRecorder.ts"
import { creates } from "../../identity/audit/NewAuditEntry.ts"
import { administration, Forbidden } from "../../identity/authentication/Authentication.ts"
import type { UserId } from "../../identity/ids/UserId.ts"
import type { MemberIdentity, UserIdentity } from "../../identity/people/Identity.ts"
import { Role } from "../../identity/people/Role.ts"
import { Links } from "../../identity/tokens/Links.ts"
import { hashToken, isToken, makeToken } from "../../identity/tokens/Token.ts"
import { TokenInvalid } from "../../identity/tokens/TokenPayload.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { afterCursor, type InvalidCursor, type PageAnswer, pageOf, type PageRequest } from "../../platform/http/Page.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { faultsDie } from "../../platform/sql/Rows.ts"
import { type MailCapReached, MailCaps } from "../caps/MailCaps.ts"
import { clubInvitation } from "./ClubInvitationMail.ts"
import {
  type AcceptedInvitation,
  AlreadyMember,
  type CreateInvitation,
  Invitation,
  InvitationId,
  LastOwner,
  mayManage,
  type Member
} from "./Member.ts"
import { MembersRepo } from "./MembersRepo.ts"

const invitationLifetime = Duration.days(7)

const mayAct = (own: Role | undefined, touched: ReadonlyArray<Role>) =>
  own !== undefined && administration.includes(own) && touched.every((role) => mayManage(own, role))

/** The refusal for a member with this role. A member who has lost the right since then gets a stranger's refusal. */
const refusalTo = (own: Role | undefined, touched: ReadonlyArray<Role>) => {
  if (own === undefined || !administration.includes(own)) return new Forbidden()
  const wanted = administration.filter((role) => mayAct(role, touched)).join(" or ")
  return new Forbidden({
    error: {
      message:
        `Your role does not allow this here: the operation wants the role ${wanted}, and yours is ${own}. Nobody gives, changes or takes away a role above their own`
    }
  })
}

/**
 * The members of a club and their roles. Nobody gives or takes a role above their own, also not by an invitation, and the
 * last owner stays. An invitation ends when its inviter loses the right to make it.
 */
export class Members extends Context.Service<Members, {
  list(actor: MemberIdentity, page: PageRequest): Effect.Effect<PageAnswer<Member>, InvalidCursor>
  setRole(actor: MemberIdentity, user: UserId, role: Role): Effect.Effect<Member, Forbidden | LastOwner | NotFound>
  /** Their sessions go on for their other clubs; their next request here is refused. */
  remove(actor: MemberIdentity, user: UserId): Effect.Effect<void, Forbidden | LastOwner | NotFound>
  listInvitations(actor: MemberIdentity, page: PageRequest): Effect.Effect<PageAnswer<Invitation>, InvalidCursor>
  /** Sends a link that works for 7 days and for this address only. */
  invite(
    actor: MemberIdentity,
    invited: typeof CreateInvitation.Type
  ): Effect.Effect<Invitation, Forbidden | AlreadyMember | MailCapReached>
  withdraw(actor: MemberIdentity, id: InvitationId): Effect.Effect<void, Forbidden | NotFound>
  /** A member keeps their current role. */
  accept(identity: UserIdentity, token: Redacted.Redacted): Effect.Effect<typeof AcceptedInvitation.Type, TokenInvalid>
}>()("turma/membership/clubs/Members") {
  static readonly layer = Layer.effect(
    Members,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* MembersRepo
      const auditRecorder = yield* AuditRecorder
      const links = yield* Links
      const mailer = yield* Mailer
      const caps = yield* MailCaps
      const random = yield* SecureRandom.SecureRandom

      const list = Effect.fn("Members.list")(function*({ club }: MemberIdentity, { cursor, limit }: PageRequest) {
        return pageOf(yield* repo.list(club.id, { after: yield* afterCursor(cursor), limit }), limit)
      })

      // Roles are read again under the lock: the actor's may have changed since the session was looked up.
      const changeRole = Effect.fnUntraced(function*(actor: MemberIdentity, user: UserId, next: Option.Option<Role>) {
        const roles = yield* repo.lockRoles(actor.club.id, [actor.user.id, user])
        const own = roles.get(actor.user.id)
        const current = roles.get(user)
        if (current === undefined) return yield* new NotFound()
        const touched = [current, ...Option.toArray(next)]
        if (!mayAct(own, touched)) return yield* refusalTo(own, touched)
        const owners = [...roles.values()].filter((role) => role === "owner").length
        if (current === "owner" && owners === 1 && Option.getOrNull(next) !== "owner") return yield* new LastOwner()
        yield* Option.match(next, {
          onNone: () => repo.remove(actor.club.id, user),
          onSome: (role) => repo.setRole(actor.club.id, user, role)
        })
        // Otherwise they could return, or regain a role, through a second account that they invited before.
        const lost = Role.literals.filter((role) => !mayAct(Option.getOrUndefined(next), [role]))
        if (lost.length > 0) yield* repo.removeInvitationsBy(actor.club.id, user, lost)
      })

      const setRole = Effect.fn("Members.setRole")(
        function*(actor: MemberIdentity, user: UserId, role: Role) {
          yield* changeRole(actor, user, Option.some(role))
          const member = yield* repo.find(actor.club.id, user)
          return Option.isSome(member) ? member.value : yield* new NotFound()
        },
        sql.withTransaction,
        faultsDie
      )

      const remove = Effect.fn("Members.remove")(
        (actor: MemberIdentity, user: UserId) => changeRole(actor, user, Option.none()),
        sql.withTransaction,
        faultsDie
      )

      const listInvitations = Effect.fn("Members.listInvitations")(function*(
        { club }: MemberIdentity,
        { cursor, limit }: PageRequest
      ) {
        return pageOf(yield* repo.listInvitations(club.id, { after: yield* afterCursor(cursor), limit }), limit)
      })

      const sendInvitation = Effect.fnUntraced(function*(actor: MemberIdentity, invitation: Invitation) {
        const token = yield* makeToken
        yield* repo.putInvitation(actor.club.id, invitation, {
          invited_by: actor.user.id,
          token_hash: hashToken(token)
        })
        yield* caps.take(actor.club.id, "member_invitation", [invitation.email])
        yield* mailer.enqueue(clubInvitation(actor.club.locale, {
          recipient: invitation.email,
          club_name: actor.club.name,
          inviter_name: actor.user.name,
          role: invitation.role,
          link: links.invitation(token)
        }))
      }, Effect.provideService(SecureRandom.SecureRandom, random))

      const invite = Effect.fn("Members.invite")(
        function*(actor: MemberIdentity, { email, role }: typeof CreateInvitation.Type) {
          const own = (yield* repo.lockRolesForShare(actor.club.id, [actor.user.id])).get(actor.user.id)
          const replaced = yield* repo.lockInvitation(actor.club.id, "email", email)
          const touched = [role, ...Option.toArray(replaced)]
          if (!mayAct(own, touched)) return yield* refusalTo(own, touched)
          if (yield* repo.hasAddress(actor.club.id, email)) return yield* new AlreadyMember()
          const created_at = yield* DateTime.now
          const expires_at = DateTime.addDuration(created_at, invitationLifetime)
          const id = InvitationId.make(yield* Effect.orDie(random.uuidV7()))
          yield* creates(id)
          const invitation = new Invitation({ id, email, role, created_at, expires_at })
          yield* sendInvitation(actor, invitation)
          return invitation
        },
        sql.withTransaction,
        faultsDie
      )

      const withdraw = Effect.fn("Members.withdraw")(
        function*(actor: MemberIdentity, id: InvitationId) {
          const own = (yield* repo.lockRolesForShare(actor.club.id, [actor.user.id])).get(actor.user.id)
          const role = yield* repo.lockInvitation(actor.club.id, "id", id)
          if (Option.isNone(role)) return yield* new NotFound()
          if (!mayAct(own, [role.value])) return yield* refusalTo(own, [role.value])
          yield* repo.removeInvitation(actor.club.id, id)
        },
        sql.withTransaction,
        faultsDie
      )

      const accept = Effect.fn("Members.accept")(
        function*({ user }: UserIdentity, token: Redacted.Redacted) {
          if (!isToken(token)) return yield* new TokenInvalid()
          const invitation = yield* repo.findByToken(user.email, hashToken(token))
          if (Option.isNone(invitation)) return yield* new TokenInvalid()
          const { club_id, invited_by, organization_id, role } = invitation.value
          const roles = yield* repo.lockRolesForShare(club_id, [invited_by, user.id])
          if (!mayAct(roles.get(invited_by), [role])) return yield* new TokenInvalid()
          const guest = { club_id, user_id: user.id, key_id: null }
          const redeemed = repo.redeem(club_id, hashToken(token))
          if (!(yield* auditRecorder.along(guest, "account.acceptInvitation")(redeemed))) {
            return yield* new TokenInvalid()
          }
          const own = roles.get(user.id)
          if (own === undefined) yield* repo.add(club_id, user.id, role)
          return { organization_id, role: own ?? role }
        },
        sql.withTransaction,
        faultsDie
      )

      return Members.of({ list, setRole, remove, listInvitations, invite, withdraw, accept })
    })
  ).pipe(Layer.provide([
    AuditRecorder.layer,
    MailCaps.layer,
    MembersRepo.layer,
    Links.layer,
    NodeCrypto.layerSecureRandom
  ]))
}
