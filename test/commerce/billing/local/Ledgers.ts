import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AccountsRepo } from "../../../../src/commerce/billing/account/AccountsRepo.ts"
import { Metering } from "../../../../src/commerce/billing/account/Metering.ts"
import { UsageRepo } from "../../../../src/commerce/billing/account/UsageRepo.ts"
import { BillingCatalog } from "../../../../src/commerce/billing/catalog/BillingCatalog.ts"
import { PlanCatalog } from "../../../../src/commerce/billing/catalog/PlanCatalog.ts"
import type { Invoice, InvoiceLine, UpcomingInvoice } from "../../../../src/commerce/billing/ledger/Invoice.ts"
import { LedgerRepo } from "../../../../src/commerce/billing/ledger/LedgerRepo.ts"
import { LocalBillingLayer } from "../../../../src/commerce/billing/local/LocalBilling.ts"
import { PeriodClose } from "../../../../src/commerce/billing/local/PeriodClose.ts"
import { Plans } from "../../../../src/commerce/billing/local/Plans.ts"
import { BillingProvider } from "../../../../src/commerce/billing/provider/BillingProvider.ts"
import type { ClubId } from "../../../../src/identity/ids/ClubId.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { PostgresLayer } from "../../../harness/Postgres.ts"

const plan = (key: string, monthly_price_cents: number, addons: ReadonlyArray<string>, grants: object) => ({
  key,
  name: key.toUpperCase(),
  monthly_price_cents,
  addons,
  grants
})

const addon = (key: string, monthly_price_cents: number, given: object = {}) => ({
  key,
  name: key.toUpperCase(),
  monthly_price_cents,
  removable: true,
  grants: {},
  ...given
})

/** A January costs 100 cents a day on `small`, and so does `pack`. Only `large` bills use beyond the allowance. */
export const written = {
  currency: "USD",
  plans: [
    plan("small", 3100, ["pack", "extra", "fixed", "gift"], { answers: { allowance: 10 } }),
    plan("large", 9300, ["pack", "extra"], { answers: { allowance: 20, overage_price_cents: 3 } }),
    plan("free", 0, ["pack", "extra"], {})
  ],
  addons: [
    addon("pack", 3100, { grants: { answers: { allowance: 5 } } }),
    addon("extra", 31_000),
    addon("fixed", 500, { removable: false }),
    addon("gift", 0)
  ],
  resources: [{ key: "answers", name: "Answers", kind: "metered" }]
}

export const catalog = Schema.decodeUnknownSync(PlanCatalog)(written)

/** The services of `local` on their own PostgreSQL. */
export const LedgersLayer = Layer.mergeAll(LocalBillingLayer, PeriodClose.layer, Plans.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(AccountsRepo.layer, LedgerRepo.layer, UsageRepo.layer)),
  Layer.provideMerge(Layer.succeed(BillingCatalog, catalog)),
  Layer.provideMerge(PostgresLayer)
)

export interface Club {
  readonly id: ClubId
}

export const contract = ({ id }: Club, key: string) =>
  Effect.flatMap(BillingProvider, (billing) => billing.contract(id, key))
export const remove = ({ id }: Club, key: string) =>
  Effect.flatMap(BillingProvider, (billing) => billing.remove(id, key))
export const give = ({ id }: Club, key: string) => Effect.flatMap(Plans, (plans) => plans.give(id, key))
export const statusOf = ({ id }: Club) => Effect.flatMap(BillingProvider, (billing) => billing.status(id))
export const upcoming = ({ id }: Club) => Effect.flatMap(BillingProvider, (billing) => billing.upcoming(id))

/** A club that has this plan and these add-ons from now on. */
export const clubOn = Effect.fnUntraced(function*(plan_key: string, ...addon_keys: ReadonlyArray<string>) {
  const club = yield* makeClub()
  yield* give(club, plan_key)
  for (const key of addon_keys) yield* contract(club, key)
  return club
})

/** Makes the due invoices of a club, as the worker does for all clubs. */
export const close = Effect.fnUntraced(function*({ id }: Club) {
  const periods = yield* PeriodClose
  yield* periods.close(id, yield* DateTime.now)
})

/** Takes some metered units in their own transaction. */
export const use = Effect.fnUntraced(function*({ id }: Club, units: number) {
  const sql = yield* SqlClient.SqlClient
  const metering = yield* Metering
  return yield* sql.withTransaction(metering.take(id, "answers", units))
})

/** All invoices of a club, oldest first. */
export const invoices = Effect.fnUntraced(function*({ id }: Club) {
  const billing = yield* BillingProvider
  const { data, next_cursor } = yield* billing.invoices(id, { limit: 100 })
  if (next_cursor !== null) return yield* Effect.die("There are more invoices than a page has")
  return data.toReversed()
})

/** Kind, key and amount of each line. */
export const linesOf = ({ lines }: Pick<Invoice | UpcomingInvoice, "lines">) =>
  lines.map(({ amount_cents, key, kind }): [InvoiceLine["kind"], string, number] => [kind, key, amount_cents])

/** The first and last day of an invoice's period. */
export const daysOf = ({ period_end, period_start }: Pick<Invoice, "period_end" | "period_start">) => [
  DateTime.formatIsoDateUtc(period_start),
  DateTime.formatIsoDateUtc(period_end)
]

const Sums = Schema.Struct({
  entries: Schema.Number,
  open: Schema.Number,
  invoiced: Schema.Number,
  credits: Schema.Int,
  charges: Schema.Int
})

/** The sums of the ledger in cents, the count of credits for charges, and the count of charges. */
export const sums = Effect.fnUntraced(function*({ id }: Club) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select coalesce(sum(amount_cents), 0)::float8 as entries,
      coalesce(sum(amount_cents) filter (where invoice_id is null), 0)::float8 as open,
      (select coalesce(sum(total_cents), 0)::float8 from billing_invoices where club_id = ${id}) as invoiced,
      (count(*) filter (where credited_id is not null))::int as credits,
      (count(*) filter (where kind in ('plan', 'addon', 'overage')))::int as charges
    from billing_entries where club_id = ${id}`
  const [found] = yield* Schema.decodeUnknownEffect(Schema.Tuple([Sums]))(rows)
  return found
}, Effect.orDie)

/** The current account. */
export const accountOf = Effect.fnUntraced(function*({ id }: Club) {
  const accounts = yield* AccountsRepo
  return Option.getOrThrow(yield* accounts.find(id, "local"))
})

/** `ok`, or the tag of the failure. */
export const said = <A, E extends { readonly _tag: string }, R>(work: Effect.Effect<A, E, R>) =>
  Effect.match(work, { onSuccess: () => "ok", onFailure: ({ _tag }) => _tag })

/** Runs the work this many times at once. */
export const atOnce = <A, E, R>(count: number, work: Effect.Effect<A, E, R>) =>
  Effect.all(Array.from({ length: count }, () => work), { concurrency: "unbounded" })
