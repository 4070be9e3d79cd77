import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { TemporarilyUnavailable } from "../../../platform/http/errors.ts"
import { ClockGuard } from "../../../platform/jobs/ClockGuard.ts"
import { faultsDie } from "../../../platform/sql/Rows.ts"
import type { Account } from "../account/Account.ts"
import { AccountsRepo } from "../account/AccountsRepo.ts"
import { type Period, periodAt } from "../account/Period.ts"
import { UsageRepo } from "../account/UsageRepo.ts"
import { BillingCatalog } from "../catalog/BillingCatalog.ts"
import { planOf } from "../catalog/Entitlement.ts"
import { overages, planCharge, unitsBilled } from "../ledger/NewEntry.ts"
import { LocalInvoices } from "./LocalInvoices.ts"
import { PeriodClose } from "./PeriodClose.ts"

/** The catalog has no plan of this key. `known`: the keys that it has. */
export class UnknownPlan extends Schema.TaggedError<UnknownPlan>()("UnknownPlan", {
  known: Schema.Array(Schema.String)
}) {}

/** A payment provider keeps the club's plan. */
export class PlanOfProvider extends Schema.TaggedError<PlanOfProvider>()("PlanOfProvider", {}) {}

/** The effect of giving a plan: the club had no plan, another one, or this one. */
export type PlanOutcome = "started" | "changed" | "unchanged"

/** The plans of clubs in our own ledger. `TemporarilyUnavailable`: the clock is doubtful. */
export class Plans extends Context.Service<Plans, {
  /**
   * Gives a club without a plan this one, from now on, and invoices its first period; in the caller's transaction. False:
   * the club has a plan already, here or at a payment provider.
   */
  start(club_id: ClubId, plan_key: string): Effect.Effect<boolean, TemporarilyUnavailable>
  /**
   * Gives a club this plan in place of its old one. Credits the rest of the old one, and charges the rest of the period
   * and the use beyond the old allowance. Add-ons and the start of periods stay.
   */
  give(
    club_id: ClubId,
    plan_key: string
  ): Effect.Effect<PlanOutcome, PlanOfProvider | UnknownPlan | TemporarilyUnavailable>
}>()("turma/commerce/billing/local/Plans") {
  /** Still asking for the catalog and the database. */
  static readonly layer = Layer.effect(
    Plans,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const catalog = yield* BillingCatalog
      const accounts = yield* AccountsRepo
      const invoices = yield* LocalInvoices
      const periods = yield* PeriodClose
      const usage = yield* UsageRepo
      const guard = yield* ClockGuard

      // All periods count from this moment, so the clock has to be right.
      const start = Effect.fn("Plans.start")(function*(club_id: ClubId, plan_key: string) {
        const now = yield* guard.agreedNow
        const period = periodAt(now, now)
        const none = { customer_id: null, subscription_id: null }
        const account = { club_id, plan_key, anchor: now, invoiced_until: period.end, ...none }
        if (!(yield* accounts.insert(account, "local", now))) return false
        yield* invoices.issue(club_id, period, [planCharge(catalog, plan_key, period)])
        return true
      })

      // Overage of the old plan is billed now: the new plan has another allowance and price.
      const settle = Effect.fnUntraced(function*(account: Account, until: Period) {
        const used = yield* usage.used(account.club_id, until.start)
        yield* usage.settle(account.club_id, until.start, unitsBilled(catalog, account, used))
        return overages(catalog, account, used, until)
      })

      const give = Effect.fn("Plans.give")(
        function*(club_id: ClubId, plan_key: string) {
          if (planOf(catalog, plan_key) === undefined) {
            return yield* new UnknownPlan({ known: catalog.plans.map(({ key }) => key) })
          }
          if (yield* start(club_id, plan_key)) return "started"
          const current = yield* periods.lock(club_id)
          if (Option.isNone(current)) return yield* new PlanOfProvider()
          const { account, at, period } = current.value
          if (account.plan_key === plan_key) return "unchanged"
          const overage = yield* settle(account, { start: period.start, end: at })
          yield* invoices.credit(club_id, { plan: true }, at)
          yield* accounts.changePlan(club_id, plan_key)
          yield* invoices.issue(club_id, period, [...overage, planCharge(catalog, plan_key, period, at)])
          return "changed"
        },
        sql.withTransaction,
        faultsDie
      )

      return Plans.of({ start, give })
    })
  ).pipe(Layer.provide([AccountsRepo.layer, LocalInvoices.layer, PeriodClose.layer, UsageRepo.layer]))
}
