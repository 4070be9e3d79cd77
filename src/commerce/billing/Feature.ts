import { Layer } from "effect"
import { Billing } from "./Billing.ts"
import { BillingRoutesLayer, BillingWorkersLayer } from "./BillingLayer.ts"
import { billingOpening } from "./BillingOpening.ts"
import { BillingHttp } from "./Http.ts"
import { waitingForStripe } from "./stripe/WaitingForStripe.ts"

/** Plans, add-ons, usage and invoices. */
export const billing = {
  services: Billing.layer,
  routes: Layer.merge(BillingHttp, BillingRoutesLayer),
  workers: BillingWorkersLayer,
  opening: billingOpening,
  queues: waitingForStripe
}
