import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { TemporarilyUnavailable } from "../../../platform/http/errors.ts"
import { ClockGuard } from "../../../platform/jobs/ClockGuard.ts"
import type { Account } from "../Account.ts"
import { AccountsRepo } from "../AccountsRepo.ts"
import { BillingCatalog } from "../BillingCatalog.ts"
import { planOf } from "../Entitlements.ts"
import { overages, planCharge, unitsBilled } from "../Invoicing.ts"
import { type Period, periodAt } from "../Period.ts"
import { UsageRepo } from "../UsageRepo.ts"
import { LocalInvoices } from "./LocalInvoices.ts"
import { PeriodClose } from "./PeriodClose.ts"

/** The catalog has no plan of this key. `known`: those that it has. */
export class PlanNotFound extends Schema.TaggedError<PlanNotFound>()("PlanNotFound", {
  known: Schema.Array(Schema.String)
}) {}

/** The club's plan is kept by a payment provider. */
export class PlanElsewhere extends Schema.TaggedError<PlanElsewhere>()("PlanElsewhere", {}) {}

/** Whether the club had no plan, another one or this one. */
export type PlanOutcome = "started" | "changed" | "unchanged"

/** Which plan a club has, where our own ledger keeps it. `TemporarilyUnavailable`: the clock is doubtful. */
export class Plans extends Context.Service<Plans, {
  /**
   * Gives a club without a plan this one, from now on, and invoices its first period; in the caller's transaction. False:
   * the club has a plan, whoever keeps it.
   */
  start(club_id: ClubId, plan_key: string): Effect.Effect<boolean, TemporarilyUnavailable>
  /**
   * Gives a club this plan in the place of whatever it has: the rest of the old one is credited, the rest of the period
   * charged, and so is what was used beyond the old one's allowance. Add-ons and the beginning of periods stay.
   */
  give(
    club_id: ClubId,
    plan_key: string
  ): Effect.Effect<PlanOutcome, PlanElsewhere | PlanNotFound | TemporarilyUnavailable>
}>()("turma/billing/Plans") {
  static readonly layerNoDeps = Layer.effect(
    Plans,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const catalog = yield* BillingCatalog
      const accounts = yield* AccountsRepo
      const invoices = yield* LocalInvoices
      const periods = yield* PeriodClose
      const usage = yield* UsageRepo
      const guard = yield* ClockGuard

      // All periods count from here: a wrong beginning would be wrong for ever.
      const start = Effect.fn("Plans.start")(function*(club_id: ClubId, plan_key: string) {
        const now = yield* guard.agreedNow
        const period = periodAt(now, now)
        const none = { customer_id: null, subscription_id: null }
        const account = { club_id, plan_key, anchor: now, invoiced_until: period.end, ...none }
        if (!(yield* accounts.insert(account, "local", now))) return false
        yield* invoices.issue(club_id, period, [planCharge(catalog, plan_key, period)])
        return true
      })

      // What the old plan bills, it bills now: by the new one's allowance and price it would be another sum, or nothing.
      const settle = Effect.fnUntraced(function*(account: Account, until: Period) {
        const used = yield* usage.used(account.club_id, until.start)
        yield* usage.settle(account.club_id, until.start, unitsBilled(catalog, account, used))
        return overages(catalog, account, used, until)
      })

      const give = Effect.fn("Plans.give")(
        function*(club_id: ClubId, plan_key: string) {
          if (planOf(catalog, plan_key) === undefined) {
            return yield* new PlanNotFound({ known: catalog.plans.map(({ key }) => key) })
          }
          if (yield* start(club_id, plan_key)) return "started"
          const held = yield* periods.hold(club_id)
          if (Option.isNone(held)) return yield* new PlanElsewhere()
          const { account, at, period } = held.value
          if (account.plan_key === plan_key) return "unchanged"
          const over = yield* settle(account, { start: period.start, end: at })
          yield* invoices.credit(club_id, { plan: true }, at)
          yield* accounts.changePlan(club_id, plan_key)
          yield* invoices.issue(club_id, period, [...over, planCharge(catalog, plan_key, period, at)])
          return "changed"
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die)
      )

      return Plans.of({ start, give })
    })
  )

  /** Still asking for the catalog and the database. */
  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([AccountsRepo.layer, LocalInvoices.layer, PeriodClose.layer, UsageRepo.layer])
  )
}
