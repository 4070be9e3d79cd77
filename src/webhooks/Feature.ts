import { Effect, Layer } from "effect"
import { EventErasure } from "../events/EventErasure.ts"
import { provideShared } from "../platform/provideShared.ts"
import { Deliveries } from "./delivery/Deliveries.ts"
import { DeliveryHistory } from "./delivery/DeliveryHistory.ts"
import { waitingLanes } from "./dispatch/LanesRepo.ts"
import { Diagnoses } from "./endpoint/Diagnoses.ts"
import { Endpoints } from "./endpoint/Endpoints.ts"
import { EventFeed } from "./feed/EventFeed.ts"
import { FeedStreams } from "./feed/FeedStreams.ts"
import { EventFeedHttp } from "./feed/Http.ts"
import { Gradings } from "./grader/Gradings.ts"
import { sweepGradings } from "./grader/GradingWorker.ts"
import { WebhookGradingsHttp } from "./grader/Http.ts"
import { waitingGradings } from "./grader/waitingGradings.ts"
import { WebhookDeliveriesHttp, WebhookEndpointsHttp } from "./Http.ts"
import { inboxEraser } from "./inbox/InboxEraser.ts"
import { Reception } from "./inbox/Reception.ts"
import { WebhookKeysHttp } from "./keys/Http.ts"
import { PublicKeys } from "./keys/PublicKeys.ts"
import { WebhookListenersHttp } from "./listener/Http.ts"
import { ListenerResults } from "./listener/ListenerResults.ts"
import { Listeners } from "./listener/Listeners.ts"
import { DeliveryStreams } from "./live/DeliveryStreams.ts"
import { WebhookRules } from "./model/WebhookSettings.ts"
import { WebhookOutagesHttp } from "./outage/Http.ts"
import { webhookOverview } from "./overview/WebhookOverview.ts"
import { WebhookInboxesHttp } from "./play/Http.ts"
import { Inboxes } from "./play/Inboxes.ts"
import { InboxStreams } from "./play/InboxStreams.ts"
import { playRoutes, PlayRoutesLayer } from "./play/PlayRoute.ts"
import { Drains } from "./recovery/Drains.ts"
import { WebhookRecoveriesHttp } from "./recovery/Http.ts"
import { Recoveries } from "./recovery/Recoveries.ts"
import { waitingRecoveries } from "./recovery/waitingRecoveries.ts"
import { WebhookErasureLayer } from "./retention/WebhookErasure.ts"
import { sealedWebhooks } from "./sealedWebhooks.ts"
import { SeriesReads } from "./series/SeriesReads.ts"
import { FilterTests } from "./tester/FilterTests.ts"
import { WebhookFiltersHttp } from "./tester/Http.ts"
import { WebhookWorkersLayer } from "./WebhookWorkers.ts"

/** Outgoing webhooks: signed, retried, held back, recovered, never lost. */
export const webhooks = {
  services: Layer.mergeAll(
    Deliveries.layer,
    Diagnoses.layer,
    Endpoints.layer,
    Gradings.layer,
    DeliveryHistory.layer,
    DeliveryStreams.layer,
    EventFeed.layer,
    FeedStreams.layer,
    Inboxes.layer,
    InboxStreams.layer,
    ListenerResults.layer,
    Listeners.layer,
    Drains.layer,
    Recoveries.layer,
    PublicKeys.layer,
    Reception.layer,
    SeriesReads.layer,
    FilterTests.layer.pipe(Layer.provide(DeliveryHistory.layer))
  ).pipe(
    Layer.provideMerge(WebhookRules.layer)
  ),
  routes: Layer.mergeAll(
    EventFeedHttp,
    PlayRoutesLayer,
    WebhookDeliveriesHttp,
    WebhookEndpointsHttp,
    WebhookFiltersHttp,
    WebhookGradingsHttp,
    WebhookInboxesHttp,
    WebhookKeysHttp,
    WebhookListenersHttp,
    WebhookOutagesHttp,
    WebhookRecoveriesHttp
  ),
  addresses: Effect.succeed(playRoutes),
  workers: WebhookWorkersLayer,
  erasers: [inboxEraser],
  eventErasure: provideShared(WebhookErasureLayer)(EventErasure),
  sweeps: [sweepGradings],
  sealed: sealedWebhooks,
  queues: [waitingLanes, waitingRecoveries, waitingGradings],
  overview: provideShared(WebhookRules.layer)(webhookOverview)
}
