import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, type Exit, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { EventData } from "../../events/Data.ts"
import { bodyOf } from "../../events/Envelope.ts"
import { EventId } from "../../events/EventType.ts"
import type { ClubId, OrganizationId } from "../../identity/ids/ClubId.ts"
import { beforehand } from "../../platform/http/Beforehand.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { Partitions } from "../../platform/sql/Partitions.ts"
import { LaneChanges, type LaneName } from "../dispatch/LaneChanges.ts"
import { EndpointNotEnabled } from "../endpoint/Endpoint.ts"
import type { EndpointId } from "../endpoint/EndpointId.ts"
import { EndpointsRepo } from "../endpoint/EndpointsRepo.ts"
import { deliveriesTable, messagesTable } from "../retention/Tables.ts"
import { WebhookRules } from "../WebhookSettings.ts"
import { DeliveriesRepo, pieceSize } from "./DeliveriesRepo.ts"
import { PayloadPurged, type SinceInFuture, type SinceTooOld, type WebhookDelivery } from "./Delivery.ts"
import { DeliveryId } from "./DeliveryId.ts"
import { reachOf, type Since } from "./Since.ts"

/** A club by both of its ids: events name it by the public one. */
interface EventClub {
  readonly id: ClubId
  readonly organization_id: OrganizationId
}

/** That there are partitions for what a test adds. */
class PartitionsMade extends Context.Service<PartitionsMade, Exit.Exit<void>>()("turma/webhooks/PartitionsMade") {}

const testMessage = "This is a test. It tells of nothing that happened."

/**
 * What persons ask for (contract, Delivery and Delivery behavior 7 and 8). Such attempts do not wait for a hold, but
 * nothing leaves for an endpoint that is not enabled. `NotFound`: this club has no such endpoint, or it no such delivery.
 */
export class Deliveries extends Context.Service<Deliveries, {
  /** A `webhook.test` to this endpoint alone, whatever types it lists. Everything after is the common path. */
  sendTest(club: EventClub, id: EndpointId): Effect.Effect<WebhookDelivery, EndpointNotEnabled | NotFound>
  /** A pending delivery's next attempt is brought forward; any other gets exactly one. */
  resend(
    club_id: ClubId,
    endpoint_id: EndpointId,
    id: DeliveryId
  ): Effect.Effect<WebhookDelivery, EndpointNotEnabled | NotFound | PayloadPurged>
  /** What failed or was canceled by disabling since then gets one attempt each. Says how many. */
  recover(
    club: { readonly id: ClubId; readonly time_zone: string },
    endpoint_id: EndpointId,
    since: Since
  ): Effect.Effect<number, EndpointNotEnabled | NotFound | SinceInFuture | SinceTooOld>
}>()("turma/webhooks/Deliveries") {
  static readonly layerNoDeps = Layer.effect(
    Deliveries,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const endpoints = yield* EndpointsRepo
      const lanes = yield* LaneChanges
      const partitions = yield* Partitions
      const random = yield* SecureRandom.SecureRandom
      const repo = yield* DeliveriesRepo
      const { recover_window } = yield* WebhookRules

      const newId = Effect.orDie(random.uuidV7())

      const inTransaction = <A, E>(change: Effect.Effect<A, E>) =>
        Effect.catchTag(sql.withTransaction(change), "SqlError", Effect.die)

      /** Whether it is enabled stays so until the transaction ends. */
      const hold = Effect.fnUntraced(function*(club_id: ClubId, id: EndpointId) {
        const held = yield* endpoints.hold(club_id, id, "to add")
        return Option.isSome(held) ? held.value.status : yield* new NotFound()
      })

      const requireEnabled = (status: string) =>
        status === "enabled" ? Effect.void : Effect.fail(new EndpointNotEnabled())

      const findDelivery = Effect.fnUntraced(function*(club_id: ClubId, endpoint_id: EndpointId, id: DeliveryId) {
        const found = yield* repo.find({ club_id, endpoint_id }, id)
        return Option.isSome(found) ? found.value : yield* new NotFound()
      })

      const sendTest = Effect.fn("Deliveries.sendTest")(function*(club: EventClub, endpoint_id: EndpointId) {
        const at = yield* DateTime.now
        yield* beforehand(PartitionsMade, partitions.ensure([messagesTable, deliveriesTable], at))
        const event_id = EventId.make(yield* newId)
        const delivery_id = DeliveryId.make(yield* newId)
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
          yield* requireEnabled(yield* hold(club.id, endpoint_id))
          yield* lanes.wake([lane], { requested: true })
          yield* repo.insertTest(lane, { delivery_id, event_id, body, at })
          return yield* findDelivery(club.id, endpoint_id, delivery_id)
        }))
      })

      const resend = Effect.fn("Deliveries.resend")(
        function*(club_id: ClubId, endpoint_id: EndpointId, id: DeliveryId) {
          const lane = { club_id, endpoint_id }
          const status = yield* hold(club_id, endpoint_id)
          const { payload_purged } = yield* findDelivery(club_id, endpoint_id, id)
          if (payload_purged) return yield* new PayloadPurged()
          yield* requireEnabled(status)
          yield* lanes.wake([lane], { requested: true })
          const resent = yield* repo.resend(lane, id)
          return Option.isSome(resent) ? resent.value : yield* new PayloadPurged()
        },
        inTransaction
      )

      // In pieces, each with the lane woken: a long recovery holds up neither this lane nor the workers.
      const recoverPiece = Effect.fnUntraced(
        function*(lane: LaneName, since: DateTime.Utc, after: Option.Option<DeliveryId>) {
          yield* requireEnabled(yield* hold(lane.club_id, lane.endpoint_id))
          yield* lanes.wake([lane], { requested: true })
          return yield* repo.recover(lane, since, after)
        },
        inTransaction
      )

      const recover = Effect.fn("Deliveries.recover")(
        function*(club: { readonly id: ClubId; readonly time_zone: string }, endpoint_id: EndpointId, since: Since) {
          const { time_zone } = club
          const reach = { now: yield* DateTime.now, time_zone, window: recover_window }
          const from = yield* Effect.fromResult(reachOf(since, reach))
          const lane = { club_id: club.id, endpoint_id }
          let piece = yield* recoverPiece(lane, from, Option.none())
          let recovered = piece.length
          while (piece.length === pieceSize) {
            // Onward from the last one: what has failed again meanwhile is not recovered twice. Disabled or deleted in
            // between, the rest stays as it is.
            const after = Option.fromUndefinedOr(piece.at(-1))
            piece = yield* Effect.catch(recoverPiece(lane, from, after), () => Effect.succeed([]))
            recovered += piece.length
          }
          return recovered
        }
      )

      return Deliveries.of({ sendTest, resend, recover })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([
      DeliveriesRepo.layer,
      EndpointsRepo.layer,
      LaneChanges.layer,
      NodeCrypto.layerSecureRandom,
      Partitions.layer
    ])
  )
}
