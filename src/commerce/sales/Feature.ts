import { Layer } from "effect"
import {
  InboundEventsHttp,
  InboundWebhooksHttp,
  PlatformHooksHttp,
  ProductMappingsHttp,
  StudentSalesHttp
} from "./Http.ts"
import { InboundEvents } from "./inbound/InboundEvents.ts"
import { waitingEvents } from "./inbound/InboundSignal.ts"
import { InboundWebhooks } from "./inbound/InboundWebhooks.ts"
import { Reception } from "./inbound/Reception.ts"
import { Mappings } from "./mapping/Mappings.ts"
import { UnmappedProducts } from "./mapping/UnmappedProducts.ts"
import { Purchases } from "./purchase/Purchases.ts"
import { saleEvents } from "./purchase/SaleEvents.ts"
import { StudentSales } from "./purchase/StudentSales.ts"
import { salesEraser } from "./SalesEraser.ts"
import { SalesWorkersLayer } from "./SalesWorkers.ts"
import { sealedSales } from "./sealedSales.ts"

/** Sales platforms: their notices, the purchases, and the access that follows. */
export const sales = {
  services: Layer.mergeAll(
    InboundEvents.layer,
    InboundWebhooks.layer,
    Purchases.layer,
    Reception.layer,
    StudentSales.layer,
    UnmappedProducts.layer
  ).pipe(Layer.provideMerge(Mappings.layer)),
  routes: Layer.mergeAll(
    InboundEventsHttp,
    InboundWebhooksHttp,
    PlatformHooksHttp,
    ProductMappingsHttp,
    StudentSalesHttp
  ),
  workers: SalesWorkersLayer,
  erasers: [salesEraser],
  eventSources: saleEvents,
  queues: [waitingEvents],
  sealed: sealedSales
}
