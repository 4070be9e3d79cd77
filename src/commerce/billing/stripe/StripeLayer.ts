import { type Duration, Effect, Layer } from "effect"
import { batchWorker } from "../../../platform/jobs/BatchWorker.ts"
import { ClockGuard, orZero } from "../../../platform/jobs/ClockGuard.ts"
import { repeatedly } from "../../../platform/jobs/Repeatedly.ts"
import type { ChosenStripe } from "../BillingSettings.ts"
import { planMeteringLayer } from "../PlanMetering.ts"
import { Changes } from "./Changes.ts"
import { Inbox } from "./Inbox.ts"
import { Overages } from "./Overages.ts"
import { StripeApi } from "./StripeApi.ts"
import { StripeBillingLayer } from "./StripeBilling.ts"
import { StripeClient } from "./StripeClient.ts"
import { StripeEventsHttp } from "./StripeEventsHttp.ts"
import { stripeGaugesLayer } from "./StripeGauges.ts"

/** Stripe itself, on the keys of the settings. */
export const stripeApiLayer = (chosen: ChosenStripe) =>
  StripeApi.layerNoDeps.pipe(Layer.provideMerge(StripeClient.layer(chosen)))

/** `Billing` and `Metering` of `BILLING_PROVIDER=stripe`. Still asking for the catalog and the database. */
export const stripeBillingLayer = (chosen: ChosenStripe) =>
  StripeBillingLayer.pipe(Layer.provide(stripeApiLayer(chosen)), Layer.merge(planMeteringLayer("stripe")))

/** Where Stripe tells what has happened. */
export const stripeRoutesLayer = (chosen: ChosenStripe) =>
  StripeEventsHttp.pipe(Layer.provide(Inbox.layer), Layer.provide(stripeApiLayer(chosen)))

const worker = (what: string, tick: Effect.Effect<number>, every: Duration.Input) =>
  Layer.effectDiscard(batchWorker({
    tick,
    full: 1,
    idle: Effect.sleep(every),
    drain: "15 seconds",
    onFailure: `${what} failed`,
    onCutOff: `${what} goes on later`
  }))

const reconciling = Layer.effectDiscard(Effect.gen(function*() {
  const { reconcile, sweep } = yield* Inbox
  const guard = yield* ClockGuard
  const round = guard.work(reconcile, undefined).pipe(
    Effect.catch(({ message }) => Effect.logWarning("What Stripe lists is compared later", { why: message })),
    Effect.andThen(Effect.repeat(sweep, { while: (swept) => swept > 0 }))
  )
  yield* repeatedly(round, { every: "10 minutes", onFailure: "What Stripe lists was not compared" })
}))

/** What a wrong clock charged is not taken back. */
const overages = Effect.gen(function*() {
  const { tick } = yield* Overages
  const guard = yield* ClockGuard
  return worker("Closing periods", orZero(guard.sweep("periods of plans", () => tick)), "1 minute")
})

/**
 * Tells Stripe what was changed, deals with what it told, asks for what did not come, and charges what was used beyond the
 * allowance. Any number of processes may do so.
 */
export const stripeWorkersLayer = (chosen: ChosenStripe) =>
  Layer.mergeAll(
    Layer.unwrap(Effect.map(Changes, ({ tick }) => worker("Telling Stripe of changes", tick, "5 seconds"))),
    Layer.unwrap(Effect.map(Inbox, ({ tick }) => worker("Dealing with Stripe's events", tick, "1 second"))),
    Layer.unwrap(overages),
    reconciling,
    stripeGaugesLayer({ every: "15 seconds" })
  ).pipe(
    Layer.provide([Changes.layer, Inbox.layer, Overages.layer]),
    Layer.provide(stripeApiLayer(chosen))
  )
