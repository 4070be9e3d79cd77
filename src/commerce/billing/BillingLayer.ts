import { Effect, Layer, Option } from "effect"
import type { SettingError } from "../../platform/config/Setting.ts"
import { BillingCatalog } from "./catalog/BillingCatalog.ts"
import { LocalBillingLayer } from "./local/LocalBilling.ts"
import { LocalBillingWorkersLayer } from "./local/LocalBillingWorkers.ts"
import { NoBillingLayer } from "./NoBilling.ts"
import { billingSettings, type StripeSettings, stripeSettings } from "./settings/BillingSettings.ts"

// Imported late: without Stripe as the provider, its module must not cost time at the start.
const stripeModule = Effect.promise(() => import("./stripe/StripeLayer.ts"))

const withStripe = <A, R>(
  part: (module: Effect.Success<typeof stripeModule>) => (settings: StripeSettings) => Layer.Layer<A, SettingError, R>
) =>
  Layer.unwrap(Effect.gen(function*() {
    const settings = yield* stripeSettings
    if (Option.isNone(settings)) return yield* Effect.die(new Error("Stripe is not the provider"))
    return part(yield* stripeModule)(settings.value)
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
export const BillingProviderLayer = Layer
  .unwrap(Effect.map(billingSettings.BILLING_PROVIDER.read, (provider) => layers[provider]))
  .pipe(Layer.provideMerge(BillingCatalog.layer))

/** The background work of the provider, if it has any. */
export const BillingWorkersLayer = Layer
  .unwrap(Effect.map(billingSettings.BILLING_PROVIDER.read, (provider) => workers[provider]))
  .pipe(Layer.provide(BillingCatalog.layer))

/** The route to which the provider sends its events, if it has one. */
export const BillingRoutesLayer = Layer.unwrap(Effect.map(
  billingSettings.BILLING_PROVIDER.read,
  (provider) => provider === "stripe" ? withStripe(({ stripeRoutesLayer }) => stripeRoutesLayer) : Layer.empty
))
