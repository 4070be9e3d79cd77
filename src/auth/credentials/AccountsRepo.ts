import { NodeCrypto } from "@effect/platform-node"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { ClubId, OrganizationId } from "../../clubs/Club.ts"
import { StudentId } from "../../students/Student.ts"
import type { Holder } from "../Identity.ts"
import type { Realm } from "../Realm.ts"
import { UserId } from "../User.ts"
import { EnteredSignUp } from "./OneTimeTokens.ts"

/** A club as those who are not in it yet meet it. */
const Door = Schema.Struct({
  id: ClubId,
  name: Schema.String,
  locale: Schema.String,
  sign_up_open: Schema.Boolean
})

const AccountRow = Schema.Struct({
  club_id: Schema.NullOr(ClubId),
  id: Schema.String,
  name: Schema.String,
  email: Schema.String,
  locale: Schema.String,
  organization_id: Schema.NullOr(OrganizationId),
  club_name: Schema.NullOr(Schema.String),
  password_hash: Schema.NullOr(Schema.String)
})

const CandidateRow = Schema.Struct({
  club_id: Schema.NullOr(ClubId),
  id: Schema.NullOr(Schema.String),
  password_hash: Schema.NullOr(Schema.String)
})

const decodeDoors = Schema.decodeUnknownEffect(Schema.Array(Door))
const decodeAccounts = Schema.decodeUnknownEffect(Schema.Array(AccountRow))
const decodeCandidates = Schema.decodeUnknownEffect(Schema.Array(CandidateRow))
const decodeSignUps = Schema.decodeUnknownEffect(Schema.Array(EnteredSignUp))
const decodeIds = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.String })))

const holderOf = (club_id: ClubId | null, id: string): Holder =>
  club_id === null
    ? { kind: "admin", user_id: UserId.make(id) }
    : { kind: "student", club_id, student_id: StudentId.make(id) }

/** An account with what it takes to write to its holder. `club_name` is a student's club. */
export interface Account {
  readonly holder: Holder
  readonly realm: Realm
  readonly name: string
  readonly email: string
  readonly locale: string
  readonly club_name: string | null
  readonly password_hash: string | null
}

/** Who might be signing in. No holder: a sign-up whose link has not been used. */
export interface Candidate {
  readonly holder: Option.Option<Holder>
  readonly password_hash: string | null
}

/** The credentials in `users` and `students`, and the sign-ups that wait to become one of them. */
export class AccountsRepo extends Context.Service<AccountsRepo, {
  door(organization_id: OrganizationId): Effect.Effect<Option.Option<typeof Door.Type>>
  byEmail(realm: Realm, email: string): Effect.Effect<Option.Option<Account>>
  byHolder(holder: Holder): Effect.Effect<Option.Option<Account>>
  /** One statement, found or not. An account wins over a pending sign-up, a later sign-up over an earlier. */
  candidate(realm: Realm, email: string): Effect.Effect<Option.Option<Candidate>>
  pendingSignUps(realm: Realm, email: string): Effect.Effect<ReadonlyArray<typeof EnteredSignUp.Type>>
  forgetSignUps(realm: Realm, email: string): Effect.Effect<void>
  /** None if the address has an account by now. */
  createUser(signUp: typeof EnteredSignUp.Type): Effect.Effect<Option.Option<Holder>>
  /** A new student, or the password of one who had none. None if the address has a password by now. */
  createStudent(club_id: ClubId, signUp: typeof EnteredSignUp.Type): Effect.Effect<Option.Option<Holder>>
  setPassword(holder: Holder, password_hash: string): Effect.Effect<void>
  /** The mailbox is proven. */
  verify(holder: Holder): Effect.Effect<void>
}>()("turma/auth/AccountsRepo") {
  static readonly layerNoDeps = Layer.effect(
    AccountsRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)

      // An administrator is written to in the language of their first club.
      const accounts = sql`
        select null::uuid as club_id, u.id, u.name, u.email, u.password_hash,
          null::uuid as organization_id, null as club_name,
          coalesce((
            select c.locale from members m join clubs c on c.id = m.club_id
            where m.user_id = u.id order by m.created_at limit 1
          ), 'en') as locale
        from users u
      `
      const students = sql`
        select st.club_id, st.id, st.name, st.email, st.password_hash,
          c.organization_id, c.name as club_name, c.locale
        from students st join clubs c on c.id = st.club_id
      `
      const ofRealm = (realm: Realm) =>
        realm.kind === "admin" ? sql`organization_id is null` : sql`organization_id = ${realm.organization_id}`

      const door = Effect.fn("AccountsRepo.door")(function*(organization_id: OrganizationId) {
        const rows = yield* sql`
          select id, name, locale, sign_up_open from clubs where organization_id = ${organization_id}
        `.pipe(Effect.flatMap(decodeDoors))
        return Option.fromNullishOr(rows[0])
      }, Effect.orDie)

      const first = (rows: ReadonlyArray<typeof AccountRow.Type>): Option.Option<Account> =>
        Option.map(Option.fromNullishOr(rows[0]), ({ club_id, id, organization_id, ...rest }) => ({
          holder: holderOf(club_id, id),
          realm: organization_id === null ? { kind: "admin" } : { kind: "student", organization_id },
          ...rest
        }))

      const byEmail = Effect.fn("AccountsRepo.byEmail")(function*(realm: Realm, email: string) {
        const rows = yield* realm.kind === "admin"
          ? sql`${accounts} where u.email = ${email}`
          : sql`${students} where c.organization_id = ${realm.organization_id} and st.email = ${email}`
        return first(yield* decodeAccounts(rows))
      }, Effect.orDie)

      const byHolder = Effect.fn("AccountsRepo.byHolder")(function*(holder: Holder) {
        const rows = yield* holder.kind === "admin"
          ? sql`${accounts} where u.id = ${holder.user_id}`
          : sql`${students} where st.club_id = ${holder.club_id} and st.id = ${holder.student_id}`
        return first(yield* decodeAccounts(rows))
      }, Effect.orDie)

      const candidate = Effect.fn("AccountsRepo.candidate")(function*(realm: Realm, email: string) {
        const account = realm.kind === "admin"
          ? sql`select null::uuid as club_id, id, password_hash, 1 as rank from users where email = ${email}`
          : sql`
            select st.club_id, st.id, st.password_hash, 1 as rank
            from students st join clubs c on c.id = st.club_id
            where c.organization_id = ${realm.organization_id} and st.email = ${email}
              and st.password_hash is not null
          `
        const rows = yield* sql`
          (${account})
          union all
          (select null, null, password_hash, 2 from sign_ups
            where email = ${email} and ${ofRealm(realm)} and expires_at > ${yield* now}
            order by created_at desc limit 1)
          order by rank limit 1
        `.pipe(Effect.flatMap(decodeCandidates))
        return Option.map(Option.fromNullishOr(rows[0]), ({ club_id, id, password_hash }) => ({
          holder: Option.map(Option.fromNullishOr(id), (id) => holderOf(club_id, id)),
          password_hash
        }))
      }, Effect.orDie)

      const pendingSignUps = Effect.fn("AccountsRepo.pendingSignUps")(function*(realm: Realm, email: string) {
        return yield* sql`
          select id, organization_id, email, name, password_hash, registration_code from sign_ups
          where email = ${email} and ${ofRealm(realm)} and expires_at > ${yield* now}
          order by created_at
        `.pipe(Effect.flatMap(decodeSignUps))
      }, Effect.orDie)

      const forgetSignUps = Effect.fn("AccountsRepo.forgetSignUps")(function*(realm: Realm, email: string) {
        yield* sql`delete from sign_ups where email = ${email} and ${ofRealm(realm)}`
      }, Effect.orDie)

      const createUser = Effect.fn("AccountsRepo.createUser")(function*(signUp: typeof EnteredSignUp.Type) {
        const { email, name, password_hash } = signUp
        const at = yield* now
        const born = yield* sql`
          insert into users ${
          sql.insert({ id: yield* random.uuidV7(), email, name, password_hash, verified_at: at, created_at: at })
        } on conflict (email) do nothing returning id
        `.pipe(Effect.flatMap(decodeIds))
        return Option.map(Option.fromNullishOr(born[0]), ({ id }) => holderOf(null, id))
      }, Effect.orDie)

      const createStudent = Effect.fn("AccountsRepo.createStudent")(function*(
        club_id: ClubId,
        signUp: typeof EnteredSignUp.Type
      ) {
        const { email, name, password_hash } = signUp
        const at = yield* now
        const born = yield* sql`
          insert into students ${
          sql.insert({
            club_id,
            id: yield* random.uuidV7(),
            email,
            name,
            password_hash,
            verified_at: at,
            created_at: at
          })
        } on conflict (club_id, email) do update
            set password_hash = excluded.password_hash,
              verified_at = coalesce(students.verified_at, excluded.verified_at)
            where students.password_hash is null
          returning id
        `.pipe(Effect.flatMap(decodeIds))
        return Option.map(Option.fromNullishOr(born[0]), ({ id }) => holderOf(club_id, id))
      }, Effect.orDie)

      const setPassword = Effect.fn("AccountsRepo.setPassword")(function*(holder: Holder, password_hash: string) {
        yield* holder.kind === "admin"
          ? sql`update users set password_hash = ${password_hash} where id = ${holder.user_id}`
          : sql`
            update students set password_hash = ${password_hash}
            where club_id = ${holder.club_id} and id = ${holder.student_id}
          `
      }, Effect.orDie)

      // Administrators are born verified.
      const verify = Effect.fn("AccountsRepo.verify")(function*(holder: Holder) {
        if (holder.kind === "admin") return
        yield* sql`
          update students set verified_at = ${yield* now}
          where club_id = ${holder.club_id} and id = ${holder.student_id} and verified_at is null
        `
      }, Effect.orDie)

      return AccountsRepo.of({
        door,
        byEmail,
        byHolder,
        candidate,
        pendingSignUps,
        forgetSignUps,
        createUser,
        createStudent,
        setPassword,
        verify
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}
