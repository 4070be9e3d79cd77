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
import { webhookOverview } from "./overview/WebhookOverview.ts"
import { Drains } from "./recovery/Drains.ts"
import { WebhookRecoveriesHttp } from "./recovery/Http.ts"
import { Recoveries } from "./recovery/Recoveries.ts"
import { waitingRecoveries } from "./recovery/waitingRecoveries.ts"
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
    Drains.layer,
    Recoveries.layer,
    SeriesReads.layer
  ).pipe(
    Layer.provideMerge(WebhookRules.layer)
  ),
  routes: Layer.mergeAll(WebhookDeliveriesHttp, WebhookEndpointsHttp, WebhookListenersHttp, WebhookRecoveriesHttp),
  workers: WebhookWorkersLayer,
  eventErasure: provideShared(WebhookErasureLayer)(EventErasure),
  queues: [waitingLanes, waitingRecoveries],
  overview: provideShared(WebhookRules.layer)(webhookOverview)
}
