import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { audited } from "../../../identity/audit/AuditFragment.ts"
import { ClubId } from "../../../identity/ids/ClubId.ts"
import { faultsDie, rows } from "../../../platform/sql/Rows.ts"
import { Account, ContractedAddon, type ContractedAddonId } from "./Account.ts"

/** The keeper of an account's plan: our own ledger or Stripe. */
export type Provider = "local" | "stripe"

/** An account about to be opened, without add-ons. */
export type NewAccount = Omit<Account, "addons">

/** An add-on about to be contracted. */
export type NewAddon = Omit<ContractedAddon, "contracted_at">

// One row for each add-on of an account; an account without any has one row, with nulls.
const { addons: _, ...account } = Account.fields
const Row = Schema.Struct({
  ...account,
  id: Schema.NullOr(ContractedAddon.fields.id),
  addon_key: Schema.NullOr(Schema.String),
  contracted_at: Schema.NullOr(ContractedAddon.fields.contracted_at),
  external_id: ContractedAddon.fields.external_id
})
const decodeRows = rows(Row)

const Due = Schema.Struct({ club_id: ClubId, invoiced_until: Account.fields.invoiced_until })
/** An account that has begun a period which was not invoiced. */
export type Due = typeof Due.Type
const decodeDue = rows(Due)

const addonOf = ({ addon_key, contracted_at, external_id, id }: typeof Row.Type): ReadonlyArray<ContractedAddon> =>
  id === null || addon_key === null || contracted_at === null ? [] : [{ id, addon_key, contracted_at, external_id }]

const accountOf = (rows: ReadonlyArray<typeof Row.Type>): Option.Option<Account> =>
  Option.map(Option.fromNullishOr(rows[0]), (row) => ({
    club_id: row.club_id,
    plan_key: row.plan_key,
    anchor: row.anchor,
    invoiced_until: row.invoiced_until,
    customer_id: row.customer_id,
    subscription_id: row.subscription_id,
    addons: rows.flatMap(addonOf)
  }))

const date = DateTime.toDateUtc

/** `billing_accounts` and `billing_addons`. Does not find ended ones or those of another provider. */
export class AccountsRepo extends Context.Service<AccountsRepo, {
  find(club_id: ClubId, provider: Provider): Effect.Effect<Option.Option<Account>>
  /** Locks the account until the caller's transaction ends. Taken before any other lock on the club's billing. */
  lock(club_id: ClubId, provider: Provider): Effect.Effect<Option.Option<Account>>
  /** Replaces an account that has ended, and ends its add-ons. False: the club has an account, of any provider. */
  insert(account: NewAccount, provider: Provider, created_at: DateTime.Utc): Effect.Effect<boolean>
  /** The account must be locked, as for all methods down to `remove`. */
  changePlan(club_id: ClubId, plan_key: string): Effect.Effect<void>
  invoicedUntil(club_id: ClubId, until: DateTime.Utc): Effect.Effect<void>
  contract(club_id: ClubId, addon: NewAddon, at: DateTime.Utc): Effect.Effect<void>
  remove(club_id: ClubId, id: ContractedAddonId, at: DateTime.Utc): Effect.Effect<void>
  /** Accounts of `local` that are due, longest first, after this one; `limit` at most. */
  due(now: DateTime.Utc, after: Option.Option<Due>, limit: number): Effect.Effect<ReadonlyArray<Due>>
  /**
   * Locks an account of `local` like `lock`. Also empty if the account is not due or another transaction has its lock.
   */
  lockDue(club_id: ClubId, now: DateTime.Utc): Effect.Effect<Option.Option<Account>>
}>()("turma/commerce/billing/account/AccountsRepo") {
  static readonly layer = Layer.effect(
    AccountsRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const isTheirs = (club_id: ClubId, provider: Provider) =>
        sql`a.club_id = ${club_id} and a.provider = ${provider} and a.ended_at is null`

      const find = Effect.fn("AccountsRepo.find")(function*(club_id: ClubId, provider: Provider) {
        const rows = yield* sql`
          select a.club_id, a.plan_key, a.anchor, a.invoiced_until, a.customer_id, a.subscription_id,
            x.id, x.addon_key, x.contracted_at, x.external_id
          from billing_accounts a
            left join billing_addons x on x.club_id = a.club_id and x.removed_at is null
          where ${isTheirs(club_id, provider)}
          order by x.contracted_at, x.id`.pipe(decodeRows)
        return accountOf(rows)
      })

      // A statement that has waited for the lock reads the current account, but the add-ons as they were before the
      // wait. So a second statement reads both.
      const lock = Effect.fn("AccountsRepo.lock")(function*(club_id: ClubId, provider: Provider) {
        const locked = yield* sql`
          select 1 from billing_accounts a where ${isTheirs(club_id, provider)} for no key update`
        return locked.length === 0 ? Option.none() : yield* find(club_id, provider)
      }, faultsDie)

      const insert = Effect.fn("AccountsRepo.insert")(
        function*(account: NewAccount, provider: Provider, created_at: DateTime.Utc) {
          const { anchor, club_id, customer_id, invoiced_until, plan_key, subscription_id } = account
          const inserted = yield* sql`
            with opened as (
              insert into billing_accounts as a (
                club_id, provider, plan_key, anchor, invoiced_until, customer_id, subscription_id, created_at
              ) values (
                ${club_id}, ${provider}, ${plan_key}, ${date(anchor)}, ${date(invoiced_until)}, ${customer_id},
                ${subscription_id}, ${date(created_at)}
              )
              on conflict (club_id) do update set
                provider = excluded.provider, plan_key = excluded.plan_key, anchor = excluded.anchor,
                invoiced_until = excluded.invoiced_until, customer_id = excluded.customer_id,
                subscription_id = excluded.subscription_id, created_at = excluded.created_at, ended_at = null
              where a.ended_at is not null
              returning a.club_id
            ), removed as (
              update billing_addons x set removed_at = greatest(x.contracted_at, ${date(created_at)}::timestamptz)
              from opened where x.club_id = opened.club_id and x.removed_at is null
            )
            select 1 from opened`
          return inserted.length > 0
        },
        Effect.orDie
      )

      const changePlan = Effect.fn("AccountsRepo.changePlan")(function*(club_id: ClubId, plan_key: string) {
        yield* sql`update billing_accounts set plan_key = ${plan_key} where club_id = ${club_id}`
      }, Effect.orDie)

      const invoicedUntil = Effect.fn("AccountsRepo.invoicedUntil")(function*(club_id: ClubId, until: DateTime.Utc) {
        yield* sql`update billing_accounts set invoiced_until = ${date(until)} where club_id = ${club_id}`
      }, Effect.orDie)

      const contract = Effect.fn("AccountsRepo.contract")(
        function*(club_id: ClubId, addon: NewAddon, at: DateTime.Utc) {
          yield* audited((audit) =>
            sql`${audit.with} insert into billing_addons ${sql.insert({ ...addon, club_id, contracted_at: date(at) })}`
          )
        },
        Effect.orDie
      )

      const remove = Effect.fn("AccountsRepo.remove")(
        function*(club_id: ClubId, id: ContractedAddonId, at: DateTime.Utc) {
          // The clock of the process that contracted it may be ahead of ours.
          yield* audited((audit) =>
            sql`
              ${audit.with}
              update billing_addons set removed_at = greatest(contracted_at, ${date(at)}::timestamptz)
              where club_id = ${club_id} and id = ${id} and removed_at is null`
          )
        },
        Effect.orDie
      )

      const due = Effect.fn("AccountsRepo.due")(function*(now: DateTime.Utc, after: Option.Option<Due>, limit: number) {
        const behind = Option.match(after, {
          onNone: () => sql`true`,
          onSome: ({ club_id, invoiced_until }) =>
            sql`(invoiced_until, club_id) > (${date(invoiced_until)}::timestamptz, ${club_id}::uuid)`
        })
        return yield* sql`
            select club_id, invoiced_until from billing_accounts
            where ended_at is null and provider = 'local' and invoiced_until <= ${date(now)} and ${behind}
            order by invoiced_until, club_id limit ${limit}`.pipe(decodeDue)
      })

      const lockDue = Effect.fn("AccountsRepo.lockDue")(function*(club_id: ClubId, now: DateTime.Utc) {
        const locked = yield* sql`
          select 1 from billing_accounts a
          where ${isTheirs(club_id, "local")} and a.invoiced_until <= ${date(now)} for no key update skip locked`
        return locked.length === 0 ? Option.none() : yield* find(club_id, "local")
      }, faultsDie)

      return AccountsRepo.of({ find, lock, insert, changePlan, invoicedUntil, contract, remove, due, lockDue })
    })
  )
}
