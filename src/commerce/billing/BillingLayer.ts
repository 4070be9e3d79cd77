import { Effect, Layer, Option } from "effect"
import type { SettingError } from "../../platform/config/Setting.ts"
import { BillingCatalog } from "./catalog/BillingCatalog.ts"
import { LocalBillingLayer } from "./local/LocalBilling.ts"
import { LocalBillingWorkersLayer } from "./local/LocalBillingWorkers.ts"
import { NoBillingLayer } from "./NoBilling.ts"
import { billingSettings, type StripeSettings, stripeSettings } from "./settings/BillingSettings.ts"

// Read only where it is wanted: without Stripe, nothing of it costs time at the start.
const stripeModule = Effect.promise(() => import("./stripe/StripeLayer.ts"))

const withStripe = <A, R>(
  part: (module: Effect.Success<typeof stripeModule>) => (chosen: StripeSettings) => Layer.Layer<A, SettingError, R>
) =>
  Layer.unwrap(Effect.gen(function*() {
    const chosen = yield* stripeSettings
    if (Option.isNone(chosen)) return yield* Effect.die(new Error("Stripe is not the provider"))
    return part(yield* stripeModule)(chosen.value)
  }))

const layers = {
  none: NoBillingLayer,
  local: LocalBillingLayer,
  stripe: withStripe(({ stripeBillingLayer }) => stripeBillingLayer)
}

const workers = {
  none: Layer.empty,
  local: LocalBillingWorkersLayer,
  stripe: withStripe(({ stripeWorkersLayer }) => stripeWorkersLayer)
}

/** Plans, invoices and metering, as `BILLING_PROVIDER` says. */
export const BillingLayer = Layer.unwrap(
  Effect.map(billingSettings.BILLING_PROVIDER.read, (provider) => layers[provider])
).pipe(Layer.provideMerge(BillingCatalog.layer))

/** What billing needs done in the background, if anything. */
export const BillingWorkersLayer = Layer.unwrap(
  Effect.map(billingSettings.BILLING_PROVIDER.read, (provider) => workers[provider])
).pipe(Layer.provide(BillingCatalog.layer))

/** Where the provider tells what has happened, if it does. */
export const BillingRoutesLayer = Layer.unwrap(
  Effect.map(
    billingSettings.BILLING_PROVIDER.read,
    (provider) => provider === "stripe" ? withStripe(({ stripeRoutesLayer }) => stripeRoutesLayer) : Layer.empty
  )
)
