import { Layer } from "effect"
import { CatalogDeliveries } from "./CatalogDeliveries.ts"
import { Cohorts } from "./Cohorts.ts"
import { GrantableDeliveries } from "./GrantableDeliveries.ts"
import { DeliveriesHttp } from "./Http.ts"
import { ungivenDeliveries } from "./UngivenDeliveries.ts"

/** The deliveries of a club and their cohorts. */
export const catalog = {
  services: Layer.mergeAll(GrantableDeliveries.layer, CatalogDeliveries.layer, Cohorts.layer),
  routes: DeliveriesHttp,
  workers: Layer.empty,
  queues: [ungivenDeliveries]
}
