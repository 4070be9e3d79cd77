import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { UserId } from "../auth/User.ts"
import { type ClubId, Role } from "./Club.ts"
import { Invitation, type InvitationId, Joined, Member } from "./Membership.ts"

const decodeMembers = Schema.decodeUnknownEffect(Schema.Array(Member))
const decodeInvitations = Schema.decodeUnknownEffect(Schema.Array(Invitation))
const decodeJoined = Schema.decodeUnknownEffect(Schema.Array(Joined))
const decodeRoles = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ role: Role })))
const decodePlaces = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ user_id: UserId, role: Role })))

/** Where a page begins and how long it is; one row more is read to know whether another follows. */
interface Slice {
  readonly after: Option.Option<string>
  readonly limit: number
}

/** The `members` and `invitations` of a club. */
export class MembersRepo extends Context.Service<MembersRepo, {
  list(club: ClubId, slice: Slice): Effect.Effect<ReadonlyArray<Member>>
  find(club: ClubId, user: UserId): Effect.Effect<Option.Option<Member>>
  /** The roles of these people and of every owner, locked until the transaction ends. */
  lockRoles(club: ClubId, users: ReadonlyArray<UserId>): Effect.Effect<ReadonlyMap<UserId, Role>>
  /** The role of one member, who keeps it until the transaction ends. */
  holdRole(club: ClubId, user: UserId): Effect.Effect<Option.Option<Role>>
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
  /** Redeems an invitation of this address: of two at once, one gets it. A member keeps the role they have. */
  join(user: UserId, email: string, token_hash: Uint8Array): Effect.Effect<Option.Option<typeof Joined.Type>>
}>()("turma/clubs/MembersRepo") {
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
        `.pipe(Effect.flatMap(decodeMembers))
      }, Effect.orDie)

      const find = Effect.fn("MembersRepo.find")(function*(club: ClubId, user: UserId) {
        const rows = yield* sql`${members} where m.club_id = ${club} and m.user_id = ${user}`
        return Option.fromNullishOr((yield* decodeMembers(rows))[0])
      }, Effect.orDie)

      // Always in the order of the key, so that two changes at once wait instead of deadlocking.
      const lockRoles = Effect.fn("MembersRepo.lockRoles")(function*(club: ClubId, users: ReadonlyArray<UserId>) {
        const rows = yield* sql`
          select user_id, role from members
          where club_id = ${club} and (role = 'owner' or user_id in ${sql.in(users)})
          order by user_id for update
        `.pipe(Effect.flatMap(decodePlaces))
        return new Map(rows.map(({ role, user_id }) => [user_id, role]))
      }, Effect.orDie)

      const holdRole = Effect.fn("MembersRepo.holdRole")(function*(club: ClubId, user: UserId) {
        const [member] = yield* sql`
          select role from members where club_id = ${club} and user_id = ${user} for share
        `.pipe(Effect.flatMap(decodeRoles))
        return Option.fromUndefinedOr(member?.role)
      }, Effect.orDie)

      const setRole = Effect.fn("MembersRepo.setRole")(
        (club: ClubId, user: UserId, role: Role) =>
          sql`update members set role = ${role} where club_id = ${club} and user_id = ${user}`,
        Effect.asVoid,
        Effect.orDie
      )

      const remove = Effect.fn("MembersRepo.remove")(
        (club: ClubId, user: UserId) => sql`delete from members where club_id = ${club} and user_id = ${user}`,
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
        `.pipe(Effect.flatMap(decodeInvitations))
      }, Effect.orDie)

      const putInvitation = Effect.fn("MembersRepo.putInvitation")(function*(
        club: ClubId,
        { created_at, email, expires_at, id, role }: Invitation,
        secret: { readonly invited_by: UserId; readonly token_hash: Uint8Array }
      ) {
        const times = { created_at: DateTime.toDateUtc(created_at), expires_at: DateTime.toDateUtc(expires_at) }
        yield* sql`
          insert into invitations ${sql.insert({ club_id: club, id, email, role, ...secret, ...times })}
          on conflict (club_id, email) do update
            set id = excluded.id, role = excluded.role, invited_by = excluded.invited_by,
              token_hash = excluded.token_hash, created_at = excluded.created_at, expires_at = excluded.expires_at
        `
      }, Effect.orDie)

      const lockInvitation = Effect.fn("MembersRepo.lockInvitation")(
        function*(club: ClubId, by: "id" | "email", value: string) {
          const [invitation] = yield* sql`
            select role from invitations
            where club_id = ${club} and ${sql(by)} = ${value} and expires_at > ${yield* now} for update
          `.pipe(Effect.flatMap(decodeRoles))
          return Option.fromUndefinedOr(invitation?.role)
        },
        Effect.orDie
      )

      const removeInvitation = Effect.fn("MembersRepo.removeInvitation")(
        (club: ClubId, id: InvitationId) => sql`delete from invitations where club_id = ${club} and id = ${id}`,
        Effect.asVoid,
        Effect.orDie
      )

      const join = Effect.fn("MembersRepo.join")(
        function*(user: UserId, email: string, token_hash: Uint8Array) {
          const at = yield* now
          const rows = yield* sql`
            with invitation as (
              delete from invitations
              where token_hash = ${token_hash} and email = ${email} and expires_at > ${at}
              returning club_id, role
            ), joined as (
              insert into members (club_id, user_id, role, created_at)
              select club_id, ${user}::uuid, role, ${at} from invitation
              on conflict (club_id, user_id) do update set role = members.role
              returning club_id, role
            )
            select c.organization_id, j.role from joined j join clubs c on c.id = j.club_id
          `.pipe(Effect.flatMap(decodeJoined))
          return Option.fromNullishOr(rows[0])
        },
        Effect.orDie
      )

      return MembersRepo.of({
        list,
        find,
        lockRoles,
        holdRole,
        setRole,
        remove,
        hasAddress,
        listInvitations,
        putInvitation,
        lockInvitation,
        removeInvitation,
        join
      })
    })
  )
}
