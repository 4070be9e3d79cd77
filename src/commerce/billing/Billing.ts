import { Context, Layer } from "effect"
import { BillingProviderLayer } from "./BillingLayer.ts"
import { BillingProvider } from "./provider/BillingProvider.ts"

/** Plans, add-ons and invoices of clubs, as the provider keeps them that `BILLING_PROVIDER` names. */
export class Billing extends Context.Service<Billing, BillingProvider["Service"]>()("turma/commerce/billing/Billing") {
  /** With the provider's metering and the catalog. */
  static readonly layer = Layer.effect(Billing, BillingProvider).pipe(Layer.provideMerge(BillingProviderLayer))
}
