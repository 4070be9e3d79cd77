import { Layer } from "effect"
import { Catalog } from "./Catalog.ts"
import { CatalogDeliveries } from "./CatalogDeliveries.ts"
import { Cohorts } from "./Cohorts.ts"
import { DeliveriesHttp, RegistrationLinksHttp, RegistrationsHttp } from "./Http.ts"

/** What a club gives access to: deliveries and their cohorts. */
export const catalog = {
  services: Layer.mergeAll(Catalog.layer, CatalogDeliveries.layer, Cohorts.layer),
  routes: Layer.mergeAll(DeliveriesHttp, RegistrationLinksHttp, RegistrationsHttp),
  workers: Layer.empty
}
