import { Console, Effect, Layer, Option, Runtime, Schema } from "effect"
import { BillingCatalog, configuredCatalog } from "../../commerce/billing/catalog/BillingCatalog.ts"
import { type PlanOutcome, Plans } from "../../commerce/billing/local/Plans.ts"
import { billingSettings } from "../../commerce/billing/settings/BillingSettings.ts"
import { OrganizationId } from "../../identity/ids/ClubId.ts"
import { PublicClubs } from "../../membership/clubs/PublicClubs.ts"
import { telemetryLayer } from "../../operations/telemetry/Telemetry.ts"
import { telemetrySettings } from "../../operations/telemetry/TelemetrySettings.ts"
import { ClockGuard } from "../../platform/jobs/ClockGuard.ts"
import { DatabaseLayer } from "../../platform/sql/Database.ts"
import { databaseSettings } from "../../platform/sql/DatabaseSettings.ts"
import { version } from "../../platform/version.ts"
import { checkAll } from "../settings/Settings.ts"

/** The club was not given the plan: one line that says why. */
export class PlanNotGiven extends Schema.TaggedError<PlanNotGiven>()("PlanNotGiven", { message: Schema.String }) {
  override readonly [Runtime.errorExitCode] = 2
}

interface Given {
  readonly organization_id: string
  readonly plan_key: string
}

const refused = (message: string) => new PlanNotGiven({ message })

const decodeId = Schema.decodeUnknownOption(OrganizationId)

const done: Record<PlanOutcome, string> = {
  started: "has the plan from now on, and an invoice for its first period if it costs anything",
  changed: "has the plan from now on: the rest of the old one is credited, the rest of the period charged",
  unchanged: "has this plan already: nothing was changed"
}

const clubOf = Effect.fnUntraced(function*(organization_id: string) {
  const clubs = yield* PublicClubs
  const id = decodeId(organization_id)
  const club = Option.isNone(id) ? Option.none() : yield* clubs.find(id.value)
  return Option.isNone(club) ? yield* refused(`there is no club ${organization_id}`) : club.value
})

const give = Effect.fnUntraced(function*({ organization_id, plan_key }: Given) {
  const plans = yield* Plans
  const club = yield* clubOf(organization_id)
  const outcome = yield* Effect.catchTags(plans.give(club.id, plan_key), {
    UnknownPlan: ({ known }) => Effect.fail(refused(`there is no plan ${plan_key}; there are ${known.join(", ")}`)),
    PlanOfProvider: () => Effect.fail(refused(`the plan of ${organization_id} is kept by a payment provider`)),
    TemporarilyUnavailable: () =>
      Effect.fail(refused("this machine's clock is doubtful, and what it invoices is not taken back: see the log"))
  })
  yield* Console.log(`${organization_id} ${done[outcome]}`)
})

const LocalPlansLayer = Layer.merge(PublicClubs.layer, Plans.layer).pipe(
  Layer.provide([BillingCatalog.layer, ClockGuard.layer]),
  Layer.provide(DatabaseLayer)
)

/** Gives a club a plan of the catalog, where our own ledger keeps plans; says what it did in one line. */
export const givePlan = Effect.fnUntraced(function*(given: Given) {
  yield* checkAll({ ...billingSettings, ...databaseSettings, ...telemetrySettings })
  const provider = yield* billingSettings.BILLING_PROVIDER.read
  if (provider !== "local") return yield* refused("plans are given by hand only with BILLING_PROVIDER=local")
  // Before a database is started for it.
  yield* configuredCatalog
  yield* Effect.provide(give(given), LocalPlansLayer.pipe(Layer.provide(telemetryLayer(version))))
})
