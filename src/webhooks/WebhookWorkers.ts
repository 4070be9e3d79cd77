import { Duration, Effect, Layer } from "effect"
import { eventSettings } from "../events/EventSettings.ts"
import { Outbox } from "../events/Outbox.ts"
import { Partitions } from "../platform/sql/Partitions.ts"
import { resealingLayer } from "../platform/sql/Resealing.ts"
import { Disabling, disablingLayer, FailingEndpointsLayer } from "./endpoint/Disabling.ts"
import { Notices, noticesLayer } from "./endpoint/notices/Notices.ts"
import { SecretRenewal } from "./endpoint/SecretRenewal.ts"
import { WebhookDispatcher, webhookDispatcherLayer } from "./engine/dispatch/WebhookDispatcher.ts"
import { LaneChanges } from "./engine/lane/LaneChanges.ts"
import { LaneNotifications } from "./engine/lane/LaneNotifications.ts"
import { Retention, retentionLayer } from "./engine/retention/Retention.ts"
import { Assembler } from "./events/assembly/Assembler.ts"
import { assemblerWorkerLayer } from "./events/assembly/Assembler.ts"
import { RecoveryWork } from "./history/recovery/RecoveryWork.ts"
import { recoveryWorkerLayer } from "./history/recovery/RecoveryWork.ts"
import { listenerSweepLayer } from "./listener/Listeners.ts"
import { HttpsSenderLayer } from "./send/HttpsSender.ts"
import { webhookGaugesLayer } from "./WebhookGauges.ts"
import { GradingWorker } from "./workbench/grader/GradingWorker.ts"
import { gradingWorkerLayer } from "./workbench/grader/GradingWorker.ts"
import { InboxSenderLayer } from "./workbench/inbox/InboxSender.ts"
import { inboxSweepLayer } from "./workbench/play/Inboxes.ts"

/** Over HTTPS, and to inboxes of our own. */
const SenderLayer = InboxSenderLayer.pipe(Layer.provide(HttpsSenderLayer))

/**
 * All workers of outgoing webhooks:
 *
 * - assembly and dispatch;
 * - endpoints that accept nothing, and notices;
 * - gradings, recoveries and inboxes;
 * - listeners that nobody polls, clean-up and gauges;
 * - the move of secrets to a new sealing key.
 *
 * A wake starts work at once, and the watch finds work without a wake. A worker looks for itself (`pollEvery`) in three
 * cases: after an assembly that found something, while it has leased lanes, and without a watch.
 */
export const WebhookWorkersLayer = Layer.mergeAll(
  Layer.unwrap(Effect.map(
    eventSettings.WEBHOOK_ASSEMBLE_DELAY.read,
    (notice) => assemblerWorkerLayer({ notice, pollEvery: Duration.millis(250) })
  )).pipe(Layer.provide(Assembler.layer)),
  webhookDispatcherLayer({ pollEvery: Duration.seconds(1) }).pipe(
    Layer.provide(WebhookDispatcher.layer),
    Layer.provide([
      SenderLayer,
      LaneNotifications.layer,
      FailingEndpointsLayer
    ])
  ),
  disablingLayer({ every: Duration.seconds(30) }).pipe(Layer.provide(Disabling.layer)),
  noticesLayer({ every: Duration.minutes(1) }).pipe(Layer.provide(Notices.layer)),
  gradingWorkerLayer({ pollEvery: Duration.seconds(2) }).pipe(
    Layer.provide(GradingWorker.layer),
    Layer.provide(SenderLayer)
  ),
  listenerSweepLayer({ every: Duration.minutes(1) }),
  recoveryWorkerLayer({ pollEvery: Duration.millis(100) }).pipe(Layer.provide(RecoveryWork.layer)),
  inboxSweepLayer({ every: Duration.minutes(1) }),
  retentionLayer({ every: Duration.minutes(10) }).pipe(Layer.provide(Retention.layer)),
  resealingLayer(
    SecretRenewal.use(({ renew }) => renew),
    "Webhook secrets were not moved to the current key"
  ).pipe(Layer.provide(SecretRenewal.layer)),
  webhookGaugesLayer({ every: Duration.seconds(15) })
).pipe(Layer.provide([LaneChanges.layer, Outbox.layer, Partitions.layer]))
