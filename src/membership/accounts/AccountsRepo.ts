import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { AccountScope } from "../../identity/people/AccountScope.ts"
import { type Holder, holderOf } from "../../identity/people/Holder.ts"
import { PendingSignUp } from "../../identity/tokens/OneTimeTokens.ts"
import { currentSpelling } from "../../platform/http/Spelling.ts"
import { texts } from "../../platform/sql/Arrays.ts"
import { first, one, rows } from "../../platform/sql/Rows.ts"
import { type Account, AccountRow, type Candidate, CandidateRow } from "./Account.ts"

const decodeAccount = first(AccountRow)
const decodeCandidate = one(CandidateRow)
const decodeSignUps = rows(PendingSignUp)
const decodeSignUp = first(PendingSignUp)

/**
 * The two spellings in which the account of an entered address may be stored: today's spelling, and the entered one,
 * from before that. Always two, so that every address costs the same.
 */
export const spellingsOf = (email: string): ReadonlyArray<string> => [currentSpelling(email), email]

/**
 * The credentials in `users` and `students`, and the pending sign-ups. A password is a column of either table, so the
 * credentials of students are read and written here as well.
 */
export class AccountsRepo extends Context.Service<AccountsRepo, {
  /**
   * Locks the address of a student until the transaction ends, so that a removal finds the rows that the transaction
   * adds. If two accounts have the address, the one that spells it exactly as `email` comes first, here and in
   * `candidate`.
   */
  byEmail(scope: AccountScope, email: string): Effect.Effect<Option.Option<Account>>
  byHolder(holder: Holder): Effect.Effect<Option.Option<Account>>
  /** One statement, with or without an account. Only accounts with a password count. */
  candidate(scope: AccountScope, email: string): Effect.Effect<Candidate>
  signUp(id: string): Effect.Effect<Option.Option<typeof PendingSignUp.Type>>
  /** At most two, since callers only distinguish zero, one and several. */
  pendingSignUps(scope: AccountScope, email: string): Effect.Effect<ReadonlyArray<typeof PendingSignUp.Type>>
  /** Empty, without a change, if the address has an account by now. */
  createUser(signUp: typeof PendingSignUp.Type): Effect.Effect<Option.Option<Holder>>
  setPassword(holder: Holder, password_hash: string): Effect.Effect<void>
  /**
   * Locks the account against a change of its password and address until the transaction ends; false if the account has
   * others by now.
   */
  lockPassword(holder: Holder, email: string, password_hash: string): Effect.Effect<boolean>
  /** False, without a change, if `from` is no longer its hash. */
  replacePassword(holder: Holder, from: string, to: string): Effect.Effect<boolean>
  /** Marks the address as verified. */
  verify(holder: Holder): Effect.Effect<void>
}>()("turma/membership/accounts/AccountsRepo") {
  static readonly layer = Layer.effect(
    AccountsRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const now = Effect.map(DateTime.now, DateTime.toDateUtc)

      // Mails to an administrator are in the language of their first club.
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
      const inScope = (scope: AccountScope) =>
        scope.kind === "admin" ? sql`organization_id is null` : sql`organization_id = ${scope.organization_id}`

      const accountOf = (row: Option.Option<typeof AccountRow.Type>): Option.Option<Account> =>
        Option.map(row, ({ club_id, id, organization_id, ...rest }) => ({
          holder: holderOf(club_id, id),
          scope: organization_id === null ? { kind: "admin" } : { kind: "student", organization_id },
          ...rest
        }))

      const byEmail = Effect.fn("AccountsRepo.byEmail")(function*(scope: AccountScope, email: string) {
        const statement = scope.kind === "admin"
          ? sql`${accounts} where u.email = any(${texts(spellingsOf(email))}) order by u.email = ${email} desc limit 1`
          : sql`
            ${students} where c.organization_id = ${scope.organization_id} and st.email = any(
            ${texts(spellingsOf(email))})
            order by st.email = ${email} desc limit 1 for key share of st`
        return accountOf(yield* statement.pipe(decodeAccount))
      })

      const byHolder = Effect.fn("AccountsRepo.byHolder")(function*(holder: Holder) {
        const statement = holder.kind === "admin"
          ? sql`${accounts} where u.id = ${holder.user_id}`
          : sql`${students} where st.club_id = ${holder.club_id} and st.id = ${holder.student_id}`
        return accountOf(yield* statement.pipe(decodeAccount))
      })

      const candidate = Effect.fn("AccountsRepo.candidate")(function*(scope: AccountScope, email: string) {
        const account = scope.kind === "admin"
          ? sql`
            select null::uuid as club_id, id, password_hash from users where email = any(${texts(spellingsOf(email))})
            order by email = ${email} desc limit 1
          `
          : sql`
            select st.club_id, st.id, st.password_hash from students st join clubs c on c.id = st.club_id
            where c.organization_id = ${scope.organization_id} and st.email = any(${texts(spellingsOf(email))})
              and st.password_hash is not null
            order by st.email = ${email} desc limit 1
          `
        const { club_id, id, password_hash, pending_hash } = yield* sql`
          select account.*, (
            select password_hash from sign_ups
            where email = any(${texts(spellingsOf(email))}) and ${inScope(scope)} and expires_at > ${yield* now}
            order by created_at desc, id desc limit 1
          ) as pending_hash
          from (select) always left join (${account}) account on true
        `.pipe(decodeCandidate)
        const found = id === null || password_hash === null
          ? Option.none()
          : Option.some({ holder: holderOf(club_id, id), password_hash })
        return { account: found, pending_hash }
      })

      // The hash of a used sign-up is null.
      const selectUnused = sql`
        select id, organization_id, email, name, password_hash, registration_code from sign_ups
        where password_hash is not null and expires_at >
      `

      const signUp = Effect.fn("AccountsRepo.signUp")(function*(id: string) {
        return yield* sql`${selectUnused} ${yield* now} and id = ${id}`.pipe(decodeSignUp)
      })

      const pendingSignUps = Effect.fn("AccountsRepo.pendingSignUps")(function*(scope: AccountScope, email: string) {
        return yield* sql`
          ${selectUnused} ${yield* now} and email = any(${texts(spellingsOf(email))}) and ${inScope(scope)} limit 2
        `.pipe(decodeSignUps)
      })

      const createUser = Effect.fn("AccountsRepo.createUser")(function*(signUp: typeof PendingSignUp.Type) {
        const { name, password_hash } = signUp
        const email = currentSpelling(signUp.email)
        const at = yield* now
        const id = yield* random.uuidV7()
        const row = { id, email, name, password_hash, verified_at: at, created_at: at }
        const inserted = yield* sql`insert into users ${sql.insert(row)} on conflict (email) do nothing returning id`
        return inserted.length > 0 ? Option.some(holderOf(null, id)) : Option.none()
      }, Effect.orDie)

      const table = (holder: Holder) => sql(holder.kind === "admin" ? "users" : "students")
      const ofHolder = (holder: Holder) =>
        holder.kind === "admin"
          ? sql`id = ${holder.user_id}`
          : sql`club_id = ${holder.club_id} and id = ${holder.student_id}`

      const setPassword = Effect.fn("AccountsRepo.setPassword")(
        (holder: Holder, password_hash: string) =>
          sql`update ${table(holder)} set password_hash = ${password_hash} where ${ofHolder(holder)}`,
        Effect.asVoid,
        Effect.orDie
      )

      const lockPassword = Effect.fn("AccountsRepo.lockPassword")(
        function*(holder: Holder, email: string, password_hash: string) {
          const rows = yield* sql`
            select id from ${table(holder)}
            where ${ofHolder(holder)} and email = any(${texts(spellingsOf(email))})
              and password_hash = ${password_hash} for share
          `
          return rows.length > 0
        },
        Effect.orDie
      )

      const replacePassword = Effect.fn("AccountsRepo.replacePassword")(
        function*(holder: Holder, from: string, to: string) {
          const rows = yield* sql`
            update ${table(holder)} set password_hash = ${to}
            where ${ofHolder(holder)} and password_hash = ${from} returning id
          `
          return rows.length > 0
        },
        Effect.orDie
      )

      // Administrators are verified from the start.
      const verify = Effect.fn("AccountsRepo.verify")(function*(holder: Holder) {
        if (holder.kind === "admin") return
        yield* sql`
          update students set verified_at = ${yield* now}
          where club_id = ${holder.club_id} and id = ${holder.student_id} and verified_at is null
        `
      }, Effect.orDie)

      return AccountsRepo.of({
        byEmail,
        byHolder,
        candidate,
        signUp,
        pendingSignUps,
        createUser,
        setPassword,
        lockPassword,
        replacePassword,
        verify
      })
    })
  ).pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}
