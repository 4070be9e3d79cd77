import { Effect, Layer } from "effect"
import { EventErasure } from "../events/EventErasure.ts"
import { provideShared } from "../platform/provideShared.ts"
import { Diagnoses } from "./endpoint/Diagnoses.ts"
import { Endpoints } from "./endpoint/Endpoints.ts"
import { WebhookKeysHttp } from "./endpoint/keys/Http.ts"
import { PublicKeys } from "./endpoint/keys/PublicKeys.ts"
import { waitingLanes } from "./engine/dispatch/LanesRepo.ts"
import { webhookOverview } from "./engine/overview/WebhookOverview.ts"
import { WebhookErasureLayer } from "./engine/retention/WebhookErasure.ts"
import { EventFeed } from "./events/feed/EventFeed.ts"
import { FeedStreams } from "./events/feed/FeedStreams.ts"
import { EventFeedHttp } from "./events/feed/Http.ts"
import { FilterTests } from "./events/tester/FilterTests.ts"
import { WebhookFiltersHttp } from "./events/tester/Http.ts"
import { Deliveries } from "./history/delivery/Deliveries.ts"
import { DeliveryHistory } from "./history/delivery/DeliveryHistory.ts"
import { DeliveryStreams } from "./history/live/DeliveryStreams.ts"
import { Drains } from "./history/recovery/Drains.ts"
import { WebhookRecoveriesHttp } from "./history/recovery/Http.ts"
import { Recoveries } from "./history/recovery/Recoveries.ts"
import { waitingRecoveries } from "./history/recovery/RecoveryWork.ts"
import { SeriesReads } from "./history/series/SeriesReads.ts"
import { WebhookDeliveriesHttp, WebhookEndpointsHttp } from "./Http.ts"
import { WebhookListenersHttp } from "./listener/Http.ts"
import { ListenerResults } from "./listener/ListenerResults.ts"
import { Listeners } from "./listener/Listeners.ts"
import { WebhookRules } from "./model/WebhookSettings.ts"
import { sealedWebhooks } from "./sealedWebhooks.ts"
import { WebhookWorkersLayer } from "./WebhookWorkers.ts"
import { Gradings } from "./workbench/grader/Gradings.ts"
import { sweepGradings, waitingGradings } from "./workbench/grader/GradingWorker.ts"
import { WebhookGradingsHttp } from "./workbench/grader/Http.ts"
import { inboxEraser } from "./workbench/inbox/InboxEraser.ts"
import { Reception } from "./workbench/inbox/Reception.ts"
import { WebhookOutagesHttp } from "./workbench/outage/Http.ts"
import { WebhookInboxesHttp } from "./workbench/play/Http.ts"
import { Inboxes } from "./workbench/play/Inboxes.ts"
import { InboxStreams } from "./workbench/play/InboxStreams.ts"
import { playRoutes, PlayRoutesLayer } from "./workbench/play/PlayRoute.ts"

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
  ).pipe(Layer.provideMerge(WebhookRules.layer)),
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
