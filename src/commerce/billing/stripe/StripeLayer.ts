import { type Duration, Effect, Layer } from "effect"
import { batchWorker } from "../../../platform/jobs/BatchWorker.ts"
import { ClockGuard, orZero } from "../../../platform/jobs/ClockGuard.ts"
import { repeatedly } from "../../../platform/jobs/Repeatedly.ts"
import { planMeteringLayer } from "../account/PlanMetering.ts"
import type { StripeSettings } from "../settings/BillingSettings.ts"
import { StripeApi } from "./api/StripeApi.ts"
import { StripeClient } from "./api/StripeClient.ts"
import { Changes } from "./Changes.ts"
import { Overages } from "./mirror/Overages.ts"
import { StripeBillingLayer } from "./StripeBilling.ts"
import { StripeEvents } from "./StripeEvents.ts"
import { StripeEventsHttp } from "./StripeEventsHttp.ts"
import { stripeGaugesLayer } from "./StripeGauges.ts"

/** Stripe's API with the keys of the settings. */
export const stripeApiLayer = (settings: StripeSettings) =>
  StripeApi.layerNoDeps.pipe(Layer.provideMerge(StripeClient.layer(settings)))

/** `Billing` and `Metering` of `BILLING_PROVIDER=stripe`. Still asking for the catalog and the database. */
export const stripeBillingLayer = (settings: StripeSettings) =>
  StripeBillingLayer.pipe(Layer.provide(stripeApiLayer(settings)), Layer.merge(planMeteringLayer("stripe")))

/** The route to which Stripe sends its events. */
export const stripeRoutesLayer = (settings: StripeSettings) =>
  StripeEventsHttp.pipe(Layer.provide(StripeEvents.layer), Layer.provide(stripeApiLayer(settings)))

const workerLayer = (what: string, tick: Effect.Effect<number>, every: Duration.Input) =>
  Layer.effectDiscard(batchWorker({
    tick,
    full: 1,
    idle: Effect.sleep(every),
    shutdownGrace: "15 seconds",
    onFailure: `${what} failed`,
    onCutOff: `${what} goes on later`
  }))

const ReconciliationLayer = Layer.effectDiscard(Effect.gen(function*() {
  const { reconcile, sweep } = yield* StripeEvents
  const guard = yield* ClockGuard
  const round = guard.work(reconcile, undefined).pipe(
    Effect.catch(({ message }) => Effect.logWarning("Stripe's list is compared later", { why: message })),
    Effect.andThen(Effect.repeat(sweep, { while: (swept) => swept > 0 }))
  )
  yield* repeatedly(round, { every: "10 minutes", onFailure: "Stripe's list was not compared" })
}))

/** Charges are not taken back, so the clock has to be right. */
const overagesWorkerLayer = Effect.gen(function*() {
  const { tick } = yield* Overages
  const guard = yield* ClockGuard
  return workerLayer("Closing periods", orZero(guard.sweep("periods of plans", () => tick)), "1 minute")
})

/**
 * Sends changes to Stripe, handles its events, lists those that did not come, and charges overage. Any number of
 * processes may run it.
 */
export const stripeWorkersLayer = (settings: StripeSettings) =>
  Layer.mergeAll(
    Layer.unwrap(Effect.map(Changes, ({ tick }) => workerLayer("Telling Stripe of changes", tick, "5 seconds"))),
    Layer.unwrap(Effect.map(StripeEvents, ({ tick }) => workerLayer("Dealing with Stripe's events", tick, "1 second"))),
    Layer.unwrap(overagesWorkerLayer),
    ReconciliationLayer,
    stripeGaugesLayer({ every: "15 seconds" })
  ).pipe(
    Layer.provide([Changes.layer, StripeEvents.layer, Overages.layer]),
    Layer.provide(stripeApiLayer(settings))
  )
