import { Effect, Layer } from "effect"
import { EventErasure } from "../events/EventErasure.ts"
import { provideShared } from "../platform/provideShared.ts"
import { Deliveries } from "./delivery/Deliveries.ts"
import { DeliveryHistory } from "./delivery/DeliveryHistory.ts"
import { waitingLanes } from "./dispatch/LanesRepo.ts"
import { Endpoints } from "./endpoint/Endpoints.ts"
import { Gradings } from "./grader/Gradings.ts"
import { sweepGradings } from "./grader/GradingWorker.ts"
import { WebhookGradingsHttp } from "./grader/Http.ts"
import { WebhookDeliveriesHttp, WebhookEndpointsHttp, WebhookListenersHttp } from "./Http.ts"
import { inboxEraser } from "./inbox/InboxEraser.ts"
import { Reception } from "./inbox/Reception.ts"
import { ListenerResults } from "./listener/ListenerResults.ts"
import { Listeners } from "./listener/Listeners.ts"
import { DeliveryStreams } from "./live/DeliveryStreams.ts"
import { WebhookRules } from "./model/WebhookSettings.ts"
import { webhookOverview } from "./overview/WebhookOverview.ts"
import { WebhookInboxesHttp } from "./play/Http.ts"
import { Inboxes } from "./play/Inboxes.ts"
import { InboxStreams } from "./play/InboxStreams.ts"
import { playRoutes, PlayRoutesLayer } from "./play/PlayRoute.ts"
import { WebhookErasureLayer } from "./retention/WebhookErasure.ts"
import { SeriesReads } from "./series/SeriesReads.ts"
import { WebhookWorkersLayer } from "./WebhookWorkers.ts"

/** Outgoing webhooks: signed, retried, held back, recovered, never lost. */
export const webhooks = {
  services: Layer.mergeAll(
    Deliveries.layer,
    Endpoints.layer,
    Gradings.layer,
    DeliveryHistory.layer,
    DeliveryStreams.layer,
    Inboxes.layer,
    InboxStreams.layer,
    ListenerResults.layer,
    Listeners.layer,
    Reception.layer,
    SeriesReads.layer
  ).pipe(
    Layer.provideMerge(WebhookRules.layer)
  ),
  routes: Layer.mergeAll(
    PlayRoutesLayer,
    WebhookDeliveriesHttp,
    WebhookEndpointsHttp,
    WebhookGradingsHttp,
    WebhookInboxesHttp,
    WebhookListenersHttp
  ),
  addresses: Effect.succeed(playRoutes),
  workers: WebhookWorkersLayer,
  erasers: [inboxEraser],
  eventErasure: provideShared(WebhookErasureLayer)(EventErasure),
  sweeps: [sweepGradings],
  queues: [waitingLanes],
  overview: provideShared(WebhookRules.layer)(webhookOverview)
}
