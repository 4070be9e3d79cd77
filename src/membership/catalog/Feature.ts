import { Layer } from "effect"
import { CatalogDeliveries } from "./CatalogDeliveries.ts"
import { Cohorts } from "./Cohorts.ts"
import { DeliveryCatalog } from "./DeliveryCatalog.ts"
import { DeliveriesHttp } from "./Http.ts"

/** What a club gives access to: deliveries and their cohorts. */
export const catalog = {
  services: Layer.mergeAll(DeliveryCatalog.layer, CatalogDeliveries.layer, Cohorts.layer),
  routes: DeliveriesHttp,
  workers: Layer.empty
}
