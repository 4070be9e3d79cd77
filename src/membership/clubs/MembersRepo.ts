import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import { ClubId, OrganizationId } from "../../identity/ids/ClubId.ts"
import { UserId } from "../../identity/ids/UserId.ts"
import { Role } from "../../identity/people/Role.ts"
import { currentSpelling } from "../../platform/http/Spelling.ts"
import { sweepOf } from "../../platform/jobs/Sweep.ts"
import { first, rows } from "../../platform/sql/Rows.ts"
import { Invitation, type InvitationId, Member } from "./Member.ts"

const decodeMembers = rows(Member)
const decodeMember = first(Member)
const decodeInvitations = rows(Invitation)
const decodeRoles = rows(Schema.Struct({ role: Role }))
const decodeMemberRoles = rows(Schema.Struct({ user_id: UserId, role: Role }))

/** An open invitation, found by the token of its link. */
const InvitationByToken = Schema.Struct({
  email: Schema.String,
  club_id: ClubId,
  organization_id: OrganizationId,
  invited_by: UserId,
  role: Role
})
const decodeByToken = first(InvitationByToken)

/** The start of a page and its length. One row more is read, to know if another page follows. */
interface Slice {
  readonly after: Option.Option<string>
  readonly limit: number
}

/**
 * The `members` and `invitations` of a club. A transaction locks roles first, in the order of the key, and invitations
 * after them, so that two transactions do not deadlock.
 */
export class MembersRepo extends Context.Service<MembersRepo, {
  list(club: ClubId, slice: Slice): Effect.Effect<ReadonlyArray<Member>>
  find(club: ClubId, user: UserId): Effect.Effect<Option.Option<Member>>
  /** The roles of these people and of every owner, locked until the transaction ends. */
  lockRoles(club: ClubId, users: ReadonlyArray<UserId>): Effect.Effect<ReadonlyMap<UserId, Role>>
  /** The roles of these people as far as they are members, locked against change until the transaction ends. */
  lockRolesForShare(club: ClubId, users: ReadonlyArray<UserId>): Effect.Effect<ReadonlyMap<UserId, Role>>
  /** Changes nothing for a member. */
  add(club: ClubId, user: UserId, role: Role): Effect.Effect<void>
  setRole(club: ClubId, user: UserId, role: Role): Effect.Effect<void>
  remove(club: ClubId, user: UserId): Effect.Effect<void>
  hasAddress(club: ClubId, email: string): Effect.Effect<boolean>
  listInvitations(club: ClubId, slice: Slice): Effect.Effect<ReadonlyArray<Invitation>>
  /** An earlier invitation of the same address is replaced, and its link with it. */
  putInvitation(
    club: ClubId,
    invitation: Invitation,
    secret: { readonly invited_by: UserId; readonly token_hash: Uint8Array }
  ): Effect.Effect<void>
  /** The role of an invitation that has not expired, locked until the transaction ends. */
  lockInvitation(club: ClubId, by: "id" | "email", value: string): Effect.Effect<Option.Option<Role>>
  removeInvitation(club: ClubId, id: InvitationId): Effect.Effect<void>
  /** Invitations by this person to one of these roles. */
  removeInvitationsBy(club: ClubId, inviter: UserId, roles: ReadonlyArray<Role>): Effect.Effect<void>
  /** Empty once the invitation has expired, and for any other address, whatever the spelling of the two. */
  findByToken(email: string, token_hash: Uint8Array): Effect.Effect<Option.Option<typeof InvitationByToken.Type>>
  /** Deletes the invitation with this token. Of concurrent calls one answers true. */
  redeem(club: ClubId, token_hash: Uint8Array): Effect.Effect<boolean>
}>()("turma/membership/clubs/MembersRepo") {
  static readonly layer = Layer.effect(
    MembersRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)
      const members = sql`
        select u.id, u.name, u.email, m.role, m.created_at from members m join users u on u.id = m.user_id
      `
      const after = (column: "m.user_id" | "id", { after }: Slice) =>
        Option.match(after, {
          onNone: () => sql`true`,
          onSome: (id) => sql`${sql.literal(column)} > ${id}::uuid`
        })

      const list = Effect.fn("MembersRepo.list")(function*(club: ClubId, slice: Slice) {
        return yield* sql`
          ${members} where m.club_id = ${club} and ${after("m.user_id", slice)}
          order by m.user_id limit ${slice.limit + 1}
        `.pipe(decodeMembers)
      })

      const find = Effect.fn("MembersRepo.find")(function*(club: ClubId, user: UserId) {
        return yield* sql`${members} where m.club_id = ${club} and m.user_id = ${user}`.pipe(decodeMember)
      })

      const lockRoles = Effect.fn("MembersRepo.lockRoles")(function*(club: ClubId, users: ReadonlyArray<UserId>) {
        const rows = yield* sql`
          select user_id, role from members
          where club_id = ${club} and (role = 'owner' or user_id in ${sql.in(users)})
          order by user_id for update
        `.pipe(decodeMemberRoles)
        return new Map(rows.map(({ role, user_id }) => [user_id, role]))
      })

      const lockRolesForShare = Effect.fn("MembersRepo.lockRolesForShare")(function*(
        club: ClubId,
        users: ReadonlyArray<UserId>
      ) {
        const rows = yield* sql`
            select user_id, role from members where club_id = ${club} and user_id in ${sql.in(users)}
            order by user_id for share
          `.pipe(decodeMemberRoles)
        return new Map(rows.map(({ role, user_id }) => [user_id, role]))
      })

      const add = Effect.fn("MembersRepo.add")(function*(club: ClubId, user: UserId, role: Role) {
        const member = { club_id: club, user_id: user, role, created_at: yield* now }
        yield* sql`insert into members ${sql.insert(member)} on conflict (club_id, user_id) do nothing`
      }, Effect.orDie)

      const setRole = Effect.fn("MembersRepo.setRole")(
        (club: ClubId, user: UserId, role: Role) =>
          audited((audit) =>
            sql`${audit.with} update members set role = ${role} where club_id = ${club} and user_id = ${user}`
          ),
        Effect.asVoid,
        Effect.orDie
      )

      const remove = Effect.fn("MembersRepo.remove")(
        (club: ClubId, user: UserId) =>
          audited((audit) => sql`${audit.with} delete from members where club_id = ${club} and user_id = ${user}`),
        Effect.asVoid,
        Effect.orDie
      )

      const hasAddress = Effect.fn("MembersRepo.hasAddress")(function*(club: ClubId, email: string) {
        return (yield* sql`${members} where m.club_id = ${club} and u.email = ${email}`).length > 0
      }, Effect.orDie)

      const listInvitations = Effect.fn("MembersRepo.listInvitations")(function*(club: ClubId, slice: Slice) {
        return yield* sql`
          select id, email, role, created_at, expires_at from invitations
          where club_id = ${club} and ${after("id", slice)} and expires_at > ${yield* now}
          order by id limit ${slice.limit + 1}
        `.pipe(decodeInvitations)
      })

      const putInvitation = Effect.fn("MembersRepo.putInvitation")(function*(
        club: ClubId,
        { created_at, email, expires_at, id, role }: Invitation,
        secret: { readonly invited_by: UserId; readonly token_hash: Uint8Array }
      ) {
        const times = { created_at: DateTime.toDateUtc(created_at), expires_at: DateTime.toDateUtc(expires_at) }
        yield* audited((audit) =>
          sql`
            ${audit.with}
            insert into invitations ${sql.insert({ club_id: club, id, email, role, ...secret, ...times })}
            on conflict (club_id, email) do update
              set id = excluded.id, role = excluded.role, invited_by = excluded.invited_by,
                token_hash = excluded.token_hash, created_at = excluded.created_at, expires_at = excluded.expires_at
        `
        )
      }, Effect.orDie)

      const lockInvitation = Effect.fn("MembersRepo.lockInvitation")(function*(
        club: ClubId,
        by: "id" | "email",
        value: string
      ) {
        const [invitation] = yield* sql`
            select role from invitations
            where club_id = ${club} and ${sql(by)} = ${value} and expires_at > ${yield* now} for update
          `.pipe(decodeRoles)
        return Option.fromUndefinedOr(invitation?.role)
      })

      const removeInvitation = Effect.fn("MembersRepo.removeInvitation")(
        (club: ClubId, id: InvitationId) =>
          audited((audit) => sql`${audit.with} delete from invitations where club_id = ${club} and id = ${id}`),
        Effect.asVoid,
        Effect.orDie
      )

      const removeInvitationsBy = Effect.fn("MembersRepo.removeInvitationsBy")(
        (club: ClubId, inviter: UserId, roles: ReadonlyArray<Role>) =>
          sql`delete from invitations where club_id = ${club} and invited_by = ${inviter} and role in ${sql.in(roles)}`,
        Effect.asVoid,
        Effect.orDie
      )

      const findByToken = Effect.fn("MembersRepo.findByToken")(function*(email: string, token_hash: Uint8Array) {
        const found = yield* sql`
          select i.email, i.club_id, c.organization_id, i.invited_by, i.role
          from invitations i join clubs c on c.id = i.club_id
          where i.token_hash = ${token_hash} and i.expires_at > ${yield* now}
        `.pipe(decodeByToken)
        return Option.filter(found, (invited) => currentSpelling(invited.email) === currentSpelling(email))
      })

      const redeem = Effect.fn("MembersRepo.redeem")(function*(club: ClubId, token_hash: Uint8Array) {
        const rows = yield* audited((audit) =>
          sql`
            ${audit.with}
            delete from invitations where club_id = ${club} and token_hash = ${token_hash} returning role`
        )
        return rows.length > 0
      }, Effect.orDie)

      return MembersRepo.of({
        list,
        find,
        lockRoles,
        lockRolesForShare,
        add,
        setRole,
        remove,
        hasAddress,
        listInvitations,
        putInvitation,
        lockInvitation,
        removeInvitation,
        removeInvitationsBy,
        findByToken,
        redeem
      })
    })
  )
}

/** Deletes expired invitations. The next sweep deletes locked ones. */
export const sweepInvitations = sweepOf("MembersRepo.sweepInvitations", "invitations", (sql, at) =>
  sql`
    delete from invitations where (club_id, id) in (
      select club_id, id from invitations where expires_at <= ${DateTime.toDateUtc(at)} for update skip locked
    )`)
