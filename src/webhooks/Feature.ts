import { Layer } from "effect"
import { EventErasure } from "../events/EventErasure.ts"
import { provideShared } from "../platform/provideShared.ts"
import { Deliveries } from "./delivery/Deliveries.ts"
import { DeliveryHistory } from "./delivery/DeliveryHistory.ts"
import { waitingLanes } from "./dispatch/LanesRepo.ts"
import { Endpoints } from "./endpoint/Endpoints.ts"
import { WebhookDeliveriesHttp, WebhookEndpointsHttp, WebhookListenersHttp } from "./Http.ts"
import { ListenerResults } from "./listener/ListenerResults.ts"
import { Listeners } from "./listener/Listeners.ts"
import { DeliveryStreams } from "./live/DeliveryStreams.ts"
import { WebhookRules } from "./model/WebhookSettings.ts"
import { WebhookOutagesHttp } from "./outage/Http.ts"
import { webhookOverview } from "./overview/WebhookOverview.ts"
import { WebhookErasureLayer } from "./retention/WebhookErasure.ts"
import { SeriesReads } from "./series/SeriesReads.ts"
import { WebhookWorkersLayer } from "./WebhookWorkers.ts"

/** Outgoing webhooks: signed, retried, held back, recovered, never lost. */
export const webhooks = {
  services: Layer.mergeAll(
    Deliveries.layer,
    Endpoints.layer,
    DeliveryHistory.layer,
    DeliveryStreams.layer,
    ListenerResults.layer,
    Listeners.layer,
    SeriesReads.layer
  ).pipe(
    Layer.provideMerge(WebhookRules.layer)
  ),
  routes: Layer.mergeAll(WebhookDeliveriesHttp, WebhookEndpointsHttp, WebhookListenersHttp, WebhookOutagesHttp),
  workers: WebhookWorkersLayer,
  eventErasure: provideShared(WebhookErasureLayer)(EventErasure),
  queues: [waitingLanes],
  overview: provideShared(WebhookRules.layer)(webhookOverview)
}
