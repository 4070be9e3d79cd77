import { Duration, Effect, Layer, Redacted } from "effect"
import { Dns } from "effect/net"
import { Events } from "../../src/events/Events.ts"
import { type EventSource, eventSource, EventSources } from "../../src/events/EventSources.ts"
import { exampleData } from "../../src/events/ExampleData.ts"
import { Outbox } from "../../src/events/Outbox.ts"
import { Administrators } from "../../src/membership/clubs/Administrators.ts"
import { studentEvents } from "../../src/membership/students/StudentEvents.ts"
import { PublicUrls } from "../../src/platform/http/ServerSettings.ts"
import { Mailer } from "../../src/platform/mail/Mailer.ts"
import { MailSignal } from "../../src/platform/mail/MailSignal.ts"
import { MailsRepo } from "../../src/platform/mail/MailsRepo.ts"
import { Partitions } from "../../src/platform/sql/Partitions.ts"
import { Sealing } from "../../src/platform/sql/Sealing.ts"
import { Diagnoses } from "../../src/webhooks/endpoint/Diagnoses.ts"
import { DiagnosesRepo } from "../../src/webhooks/endpoint/DiagnosesRepo.ts"
import { Disabling, disablingLayer, FailingEndpointsLayerNoDeps } from "../../src/webhooks/endpoint/Disabling.ts"
import { Endpoints } from "../../src/webhooks/endpoint/Endpoints.ts"
import { EndpointsRepo } from "../../src/webhooks/endpoint/EndpointsRepo.ts"
import { Notices, noticesLayer } from "../../src/webhooks/endpoint/notices/Notices.ts"
import { NoticesRepo } from "../../src/webhooks/endpoint/notices/NoticesRepo.ts"
import { OwnInboxes } from "../../src/webhooks/endpoint/OwnInboxes.ts"
import { Attempts } from "../../src/webhooks/engine/dispatch/Attempts.ts"
import { LaneRunner } from "../../src/webhooks/engine/dispatch/LaneRunner.ts"
import { LanesRepo } from "../../src/webhooks/engine/dispatch/LanesRepo.ts"
import { WebhookDispatcher, webhookDispatcherLayer } from "../../src/webhooks/engine/dispatch/WebhookDispatcher.ts"
import { LaneChanges } from "../../src/webhooks/engine/lane/LaneChanges.ts"
import { DeliveryQueueRepo } from "../../src/webhooks/engine/queue/DeliveryQueueRepo.ts"
import { QueueCancellation } from "../../src/webhooks/engine/queue/QueueCancellation.ts"
import { Retention, retentionLayer } from "../../src/webhooks/engine/retention/Retention.ts"
import { RetentionRepo } from "../../src/webhooks/engine/retention/RetentionRepo.ts"
import { WebhookErasureLayer } from "../../src/webhooks/engine/retention/WebhookErasure.ts"
import { Assembler } from "../../src/webhooks/events/assembly/Assembler.ts"
import { assemblerWorkerLayer } from "../../src/webhooks/events/assembly/Assembler.ts"
import { AssemblyRepo } from "../../src/webhooks/events/assembly/AssemblyRepo.ts"
import { FeedPages } from "../../src/webhooks/events/feed/FeedPages.ts"
import { FeedRepo } from "../../src/webhooks/events/feed/FeedRepo.ts"
import { ClubDeliveriesRepo } from "../../src/webhooks/history/delivery/ClubDeliveriesRepo.ts"
import { Deliveries } from "../../src/webhooks/history/delivery/Deliveries.ts"
import { DeliveriesRepo } from "../../src/webhooks/history/delivery/DeliveriesRepo.ts"
import { DeliveryHistory } from "../../src/webhooks/history/delivery/DeliveryHistory.ts"
import { DeliveryHistoryRepo } from "../../src/webhooks/history/delivery/DeliveryHistoryRepo.ts"
import { RecoverRepo } from "../../src/webhooks/history/delivery/RecoverRepo.ts"
import { JobsRepo } from "../../src/webhooks/history/recovery/JobsRepo.ts"
import { MovesRepo } from "../../src/webhooks/history/recovery/MovesRepo.ts"
import { Recoveries } from "../../src/webhooks/history/recovery/Recoveries.ts"
import { RecoveriesRepo } from "../../src/webhooks/history/recovery/RecoveriesRepo.ts"
import { RecoveryWork } from "../../src/webhooks/history/recovery/RecoveryWork.ts"
import { recoveryWorkerLayer } from "../../src/webhooks/history/recovery/RecoveryWork.ts"
import { WebhookRules } from "../../src/webhooks/model/WebhookSettings.ts"
import { Addresses } from "../../src/webhooks/send/Addresses.ts"
import { Sender } from "../../src/webhooks/send/Sender.ts"
import { Gradings } from "../../src/webhooks/workbench/grader/Gradings.ts"
import { GradingsRepo } from "../../src/webhooks/workbench/grader/GradingsRepo.ts"
import { GradingWorker } from "../../src/webhooks/workbench/grader/GradingWorker.ts"
import { gradingWorkerLayer } from "../../src/webhooks/workbench/grader/GradingWorker.ts"
import { InboxesRepo } from "../../src/webhooks/workbench/inbox/InboxesRepo.ts"
import { InboxSenderLayerNoDeps } from "../../src/webhooks/workbench/inbox/InboxSender.ts"
import { Reception } from "../../src/webhooks/workbench/inbox/Reception.ts"
import { Inboxes } from "../../src/webhooks/workbench/play/Inboxes.ts"
import { inboxSweepLayer } from "../../src/webhooks/workbench/play/Inboxes.ts"
import { PlayRepo } from "../../src/webhooks/workbench/play/PlayRepo.ts"

/**
 * How often the loops of a worker look for work, in milliseconds. The fraction makes these waits unlike all others: the
 * clock does not stop for a look that finds nothing.
 */
export const looks = {
  dispatch: 1000.5,
  assembly: 250.5,
  disabling: 30_000.5,
  recovery: 100.5,
  gradings: 1300.5,
  // At least twice in the last hour of a secret.
  notices: 1_700_000.5,
  inboxes: 40_000_000.5,
  retention: 100_000_000.5,
  heartbeat: 10_000.5
}

/** Milliseconds by which a machine may be late. */
export const hitch = 2500

/** The settings of every process: the contract's own, except for that fraction. */
export const settings = {
  PUBLIC_URL: "https://turma.example",
  WEBHOOK_LEASE: `${looks.heartbeat * 3} millis`
}

/** Facts of other features, with invented resources. */
const otherEvents: Effect.Effect<ReadonlyArray<EventSource>> = Effect.succeed([
  eventSource("lesson.completed", (events) => {
    const { course, lesson, module } = exampleData["lesson.completed"]
    return Effect.succeed(new Map(events.map(({ fact: { completed_at, student_id }, id }) => [id, {
      student: {
        id: student_id,
        name: "Bia Lima",
        email: "bia.lima@example.com",
        verified: true,
        created_at: completed_at
      },
      lesson,
      module,
      course,
      completed_at
    }])))
  })
])

const repositories = Layer.mergeAll(
  Administrators.layer,
  AssemblyRepo.layer,
  ClubDeliveriesRepo.layer,
  DeliveriesRepo.layer,
  DiagnosesRepo.layer,
  EndpointsRepo.layer,
  FeedRepo.layer,
  GradingsRepo.layer,
  InboxesRepo.layer,
  JobsRepo.layer,
  MovesRepo.layer,
  PlayRepo.layer,
  RecoveriesRepo.layer,
  DeliveryHistoryRepo.layer,
  DeliveryQueueRepo.layer,
  RecoverRepo.layer,
  LaneChanges.layer,
  MailsRepo.layer,
  MailSignal.layer,
  NoticesRepo.layer,
  Outbox.layer,
  Partitions.layer,
  PublicUrls.layer,
  RetentionRepo.layer
).pipe(Layer
  .provideMerge(Layer.mergeAll(WebhookRules.layer, Sealing.layerKeys(Redacted.make(new Uint8Array(32).fill(7))))))

const foundation = Layer.mergeAll(
  WebhookErasureLayer,
  EventSources.layer([studentEvents, otherEvents]),
  Mailer.layerNoDeps,
  QueueCancellation.layerNoDeps,
  RecoveryWork.layerNoDeps,
  Inboxes.layerNoDeps
).pipe(Layer.provideMerge(repositories))

/** The services that answer people's requests. Addresses are literals here, so nothing is resolved. */
export const apiLayer = Layer.mergeAll(
  Deliveries.layerNoDeps,
  Diagnoses.layerNoDeps,
  Endpoints.layerNoDeps
    .pipe(Layer.provide([Addresses.layerNoDeps.pipe(Layer.provide(Layer.mock(Dns.Dns, {}))), OwnInboxes.layer])),
  Events.layerNoDeps,
  FeedPages.layerNoDeps,
  Gradings.layerNoDeps,
  DeliveryHistory.layerNoDeps,
  Recoveries.layerNoDeps
).pipe(Layer.provideMerge(foundation))

/** The engine's sender, as the network sees it. */
export type Watch = (sender: Sender["Service"]) => Sender["Service"]

const senderLayer = (watch: Watch) =>
  Layer.effect(Sender, Effect.map(Sender, watch))
    .pipe(Layer.provide(InboxSenderLayerNoDeps.pipe(Layer.provide(Reception.layerNoDeps))))

const dispatcher = webhookDispatcherLayer({ pollEvery: Duration.millis(looks.dispatch) }).pipe(
  Layer.provide(WebhookDispatcher.layerNoDeps),
  Layer.provide(LaneRunner.layerNoDeps),
  Layer.provide([
    LanesRepo.layerNoDeps,
    Attempts.layerNoDeps,
    FailingEndpointsLayerNoDeps.pipe(Layer.provide(Disabling.layerNoDeps))
  ])
)

/** The services that do the work in the background. */
export const workerLayer = (watch: Watch) =>
  Layer.mergeAll(
    dispatcher.pipe(Layer.provide(senderLayer(watch))),
    disablingLayer({ every: Duration.millis(looks.disabling) }).pipe(Layer.provide(Disabling.layerNoDeps)),
    noticesLayer({ every: Duration.millis(looks.notices) }).pipe(Layer.provide(Notices.layerNoDeps)),
    recoveryWorkerLayer({ pollEvery: Duration.millis(looks.recovery) }),
    gradingWorkerLayer({ pollEvery: Duration.millis(looks.gradings) }).pipe(
      Layer.provide(GradingWorker.layerNoDeps),
      Layer.provide(senderLayer(watch))
    ),
    inboxSweepLayer({ every: Duration.millis(looks.inboxes) }),
    assemblerWorkerLayer({ pollEvery: Duration.millis(looks.assembly) }).pipe(Layer.provide(Assembler.layerNoDeps)),
    retentionLayer({ every: Duration.millis(looks.retention) }).pipe(Layer.provide(Retention.layerNoDeps))
  ).pipe(Layer.provide(foundation))
