import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { rows } from "../../platform/sql/Rows.ts"
import type { LaneName } from "../dispatch/LaneChanges.ts"
import { EndpointStatus } from "../endpoint/EndpointId.ts"
import { DeliveriesRepo, pieceSize } from "./DeliveriesRepo.ts"

const decodeHeld = rows(Schema.Struct({ status: EndpointStatus, is_deleted: Schema.Boolean }))

/**
 * Empties the queues of endpoints that are disabled or deleted (contract, Delivery). However long a queue is, nobody
 * waits long for its rows: it is canceled in pieces, the first with the change of the endpoint.
 */
export class Queues extends Context.Service<Queues, {
  /** The first piece, in the caller's transaction, which holds the endpoint. */
  begin(lane: LaneName, reason: "endpoint_disabled" | "endpoint_deleted"): Effect.Effect<void>
  /** The rest, each piece in a transaction of its own, for as long as the endpoint stays as it is. */
  finish(lane: LaneName): Effect.Effect<void>
}>()("turma/webhooks/Queues") {
  static readonly layerNoDeps = Layer.effect(
    Queues,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const deliveries = yield* DeliveriesRepo

      const begin = (lane: LaneName, reason: "endpoint_disabled" | "endpoint_deleted") =>
        Effect.asVoid(deliveries.cancelQueue(lane, reason))

      // Whether it is still disabled or deleted stays so until the piece is canceled.
      const piece = Effect.fnUntraced(function*(lane: LaneName) {
        const [held] = yield* sql`
          select status, deleted_at is not null as is_deleted from webhook_endpoints
          where club_id = ${lane.club_id} and id = ${lane.endpoint_id} for update`.pipe(decodeHeld)
        if (held === undefined || (held.status !== "disabled" && !held.is_deleted)) return 0
        // Who changes deliveries of a lane holds the lane before, everywhere: two never wait for each other.
        yield* sql`
          select from webhook_lanes where club_id = ${lane.club_id} and endpoint_id = ${lane.endpoint_id} for update`
        return yield* deliveries.cancelQueue(lane, held.is_deleted ? "endpoint_deleted" : "endpoint_disabled")
      }, sql.withTransaction)

      const finish = Effect.fn("Queues.finish")(
        (lane: LaneName) => Effect.repeat(piece(lane), { while: (canceled) => canceled === pieceSize }),
        Effect.asVoid,
        Effect.orDie
      )

      return Queues.of({ begin, finish })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(DeliveriesRepo.layer))
}
