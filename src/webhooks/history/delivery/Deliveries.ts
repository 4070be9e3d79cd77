import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, type Exit, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { bodyOf } from "../../../events/Envelope.ts"
import type { EventData } from "../../../events/EventData.ts"
import { EventId } from "../../../events/EventType.ts"
import type { ClubId, OrganizationId } from "../../../identity/ids/ClubId.ts"
import { NotFound } from "../../../platform/http/errors.ts"
import { beforeTransaction } from "../../../platform/http/request/BeforeTransaction.ts"
import { Partitions } from "../../../platform/sql/Partitions.ts"
import { faultsDie } from "../../../platform/sql/Rows.ts"
import { EndpointNotEnabled } from "../../endpoint/Endpoint.ts"
import { EndpointsRepo } from "../../endpoint/EndpointsRepo.ts"
import { LaneChanges, type LaneName } from "../../engine/lane/LaneChanges.ts"
import { batchSize } from "../../engine/queue/DeliveryBatch.ts"
import type { EndpointId } from "../../model/EndpointId.ts"
import { WebhookDeliveryId } from "../../model/WebhookDeliveryId.ts"
import { WebhookRules } from "../../model/WebhookSettings.ts"
import { deliveriesTable, messagesTable } from "../../model/WebhookTables.ts"
import { DeliveriesRepo } from "./DeliveriesRepo.ts"
import {
  PayloadPurged,
  type Recoverable,
  type SinceInFuture,
  type SinceTooOld,
  type WebhookDelivery
} from "./Delivery.ts"
import { recoverableOf, together } from "./Recoverable.ts"
import { mostPreviewBatches, RecoverRepo } from "./RecoverRepo.ts"
import { recoverFrom, type RecoverSince } from "./RecoverSince.ts"

/** A club by both of its ids. Events carry the public one. */
interface EventClub {
  readonly id: ClubId
  readonly organization_id: OrganizationId
}

/** A club and its time zone. */
interface TimedClub {
  readonly id: ClubId
  readonly time_zone: string
}

/** The result of making the partitions that a test delivery needs. */
class PartitionsMade
  extends Context.Service<PartitionsMade, Exit.Exit<void>>()("turma/webhooks/history/delivery/PartitionsMade")
{}

const testMessage = "This is a test. It tells of nothing that happened."

/**
 * Attempts that persons ask for (contract, Delivery and Delivery behavior 7 and 8). They do not wait for a hold, but the
 * endpoint must be enabled. `NotFound`: this club has no such endpoint, or the endpoint no such delivery.
 */
export class Deliveries extends Context.Service<Deliveries, {
  /** A `webhook.test` to this endpoint alone, whatever types it lists. It is sent like any other delivery. */
  sendTest(club: EventClub, id: EndpointId): Effect.Effect<WebhookDelivery, EndpointNotEnabled | NotFound>
  /** Brings a pending delivery's next attempt forward. A finished delivery gets exactly one attempt. */
  resend(
    club_id: ClubId,
    endpoint_id: EndpointId,
    id: WebhookDeliveryId
  ): Effect.Effect<WebhookDelivery, EndpointNotEnabled | NotFound | PayloadPurged>
  /** Deliveries that failed or were canceled by disabling since then get one attempt each. Answers how many. */
  recover(
    club: TimedClub,
    endpoint_id: EndpointId,
    since: RecoverSince
  ): Effect.Effect<number, EndpointNotEnabled | NotFound | SinceInFuture | SinceTooOld>
  /**
   * The result that `recover` would have now, with its refusals. Without `since` it goes back as far as `recover`
   * reaches. Changes nothing.
   */
  previewRecovery(
    club: TimedClub,
    endpoint_id: EndpointId,
    since: RecoverSince | undefined
  ): Effect.Effect<Recoverable, EndpointNotEnabled | NotFound | SinceInFuture | SinceTooOld>
}>()("turma/webhooks/history/delivery/Deliveries") {
  static readonly layerNoDeps = Layer.effect(
    Deliveries,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const endpoints = yield* EndpointsRepo
      const lanes = yield* LaneChanges
      const partitions = yield* Partitions
      const random = yield* SecureRandom.SecureRandom
      const repo = yield* DeliveriesRepo
      const recovering = yield* RecoverRepo
      const { recover_window } = yield* WebhookRules

      const newId = Effect.orDie(random.uuidV7())

      const inTransaction = <A, E>(change: Effect.Effect<A, E>) => faultsDie(sql.withTransaction(change))

      /** The status of the endpoint, which stays so until the transaction ends. */
      const lockEndpoint = Effect.fnUntraced(function*(club_id: ClubId, id: EndpointId) {
        const endpoint = yield* endpoints.lock(club_id, id, "to add")
        return Option.isSome(endpoint) ? endpoint.value.status : yield* new NotFound()
      })

      const requireEnabled = (status: string) =>
        status === "enabled" ? Effect.void : Effect.fail(new EndpointNotEnabled())

      const findDelivery = Effect.fnUntraced(function*(
        club_id: ClubId,
        endpoint_id: EndpointId,
        id: WebhookDeliveryId
      ) {
        const found = yield* repo.find({ club_id, endpoint_id }, id)
        return Option.isSome(found) ? found.value : yield* new NotFound()
      })

      const sendTest = Effect.fn("Deliveries.sendTest")(function*(club: EventClub, endpoint_id: EndpointId) {
        const at = yield* DateTime.now
        yield* beforeTransaction(PartitionsMade, partitions.ensure([messagesTable, deliveriesTable], at))
        const event_id = EventId.make(yield* newId)
        const delivery_id = WebhookDeliveryId.make(yield* newId)
        const data: EventData<"webhook.test"> = { message: testMessage, endpoint_id }
        const body = bodyOf({
          id: event_id,
          type: "webhook.test",
          occurred_at: at,
          club_id: club.organization_id,
          data
        })
        const lane = { club_id: club.id, endpoint_id }
        return yield* inTransaction(Effect.gen(function*() {
          yield* requireEnabled(yield* lockEndpoint(club.id, endpoint_id))
          yield* lanes.wake([lane], { requested: true })
          yield* repo.insertTest(lane, { delivery_id, event_id, body, at })
          return yield* findDelivery(club.id, endpoint_id, delivery_id)
        }))
      })

      const resend = Effect.fn("Deliveries.resend")(
        function*(club_id: ClubId, endpoint_id: EndpointId, id: WebhookDeliveryId) {
          const lane = { club_id, endpoint_id }
          const status = yield* lockEndpoint(club_id, endpoint_id)
          const { payload_purged } = yield* findDelivery(club_id, endpoint_id, id)
          if (payload_purged) return yield* new PayloadPurged()
          yield* requireEnabled(status)
          yield* lanes.wake([lane], { requested: true })
          const resent = yield* repo.resend(lane, id)
          return Option.isSome(resent) ? resent.value : yield* new PayloadPurged()
        },
        inTransaction
      )

      // In batches, each with the lane woken: a long recovery delays neither this lane nor the workers.
      const recoverBatch = Effect.fnUntraced(
        function*(lane: LaneName, since: DateTime.Utc, after: Option.Option<WebhookDeliveryId>) {
          yield* requireEnabled(yield* lockEndpoint(lane.club_id, lane.endpoint_id))
          yield* lanes.wake([lane], { requested: true })
          return yield* recovering.recover(lane, since, after)
        },
        inTransaction
      )

      const fromWhen = Effect.fnUntraced(function*({ time_zone }: TimedClub, since: RecoverSince) {
        const window = { now: yield* DateTime.now, time_zone, window: recover_window }
        return yield* Effect.fromResult(recoverFrom(since, window))
      })

      const recover = Effect.fn("Deliveries.recover")(function*(
        club: TimedClub,
        endpoint_id: EndpointId,
        since: RecoverSince
      ) {
        const from = yield* fromWhen(club, since)
        const lane = { club_id: club.id, endpoint_id }
        let batch = yield* recoverBatch(lane, from, Option.none())
        let recovered = batch.length
        while (batch.length === batchSize) {
          // Continues after the last delivery, so that one that fails again is not recovered twice. If the endpoint
          // is disabled or deleted meanwhile, the rest stays as it is.
          const after = Option.fromUndefinedOr(batch.at(-1))
          batch = yield* Effect.catch(recoverBatch(lane, from, after), () => Effect.succeed([]))
          recovered += batch.length
        }
        return recovered
      })

      const isEnabled = Effect.fnUntraced(function*(club_id: ClubId, id: EndpointId) {
        const endpoint = yield* endpoints.find(club_id, id)
        yield* Option.isSome(endpoint) ? requireEnabled(endpoint.value.status) : Effect.fail(new NotFound())
      })

      // In batches too, so that no statement is long; most previews are one.
      const previewRecovery = Effect.fn("Deliveries.previewRecovery")(function*(
        club: TimedClub,
        endpoint_id: EndpointId,
        since: RecoverSince | undefined
      ) {
        const from = yield* fromWhen(club, since ?? DateTime.subtractDuration(yield* DateTime.now, recover_window))
        const lane = { club_id: club.id, endpoint_id }
        const [, first] = yield* Effect.all([
          isEnabled(club.id, endpoint_id),
          recovering.count(lane, from, Option.none())
        ], { concurrency: "unbounded" })
        let [counted, last] = [recoverableOf(first), first.last]
        for (let batches = 1; last !== null && batches < mostPreviewBatches; batches++) {
          const batch = yield* recovering.count(lane, from, Option.some(last))
          counted = together(counted, recoverableOf(batch))
          last = batch.last
        }
        return { ...counted, capped: last !== null }
      })

      return Deliveries.of({ sendTest, resend, recover, previewRecovery })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([
    DeliveriesRepo.layer,
    EndpointsRepo.layer,
    LaneChanges.layer,
    NodeCrypto.layerSecureRandom,
    Partitions.layer,
    RecoverRepo.layer
  ]))
}
