import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { EndpointId } from "../model/EndpointId.ts"
import { makeRetentionCutoffs } from "../model/RetentionCutoffs.ts"
import { QueueState, queueState } from "../queue/QueueState.ts"
import { Condition, conditionColumns } from "./EndpointsRepo.ts"
import { livingEndpoints } from "./livingEndpoints.ts"

/** Deliveries of each queue that are counted at most, where all queues of a club are looked at. */
export const countedOfEach = 1000

const Found = Schema.Struct({ endpoint_id: EndpointId, ...Condition.fields, ...QueueState.fields })

const decodeFound = rows(Found)

/** What is known of all endpoints of a club and their queues at one moment, in one statement. */
export class DiagnosesRepo extends Context.Service<DiagnosesRepo, {
  /** Oldest first. */
  read(club_id: ClubId): Effect.Effect<ReadonlyArray<typeof Found.Type>>
}>()("turma/webhooks/endpoint/DiagnosesRepo") {
  static readonly layer = Layer.effect(
    DiagnosesRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const cutoffs = yield* makeRetentionCutoffs

      const read = Effect.fn("DiagnosesRepo.read")(function*(club_id: ClubId) {
        const { now, queue: oldest } = yield* cutoffs
        const lane = { club_id: sql`e.club_id`, endpoint_id: sql`e.id` }
        return yield* sql`
          select e.id as endpoint_id, ${
          conditionColumns(sql, DateTime.toDateUtc(now))
        }, q.depth, q.oldest_pending_at, q.due_at, q.requested_at
          from ${livingEndpoints(sql, club_id)} e
          join webhook_lanes l on l.club_id = e.club_id and l.endpoint_id = e.id
          cross join lateral (${queueState(sql, lane, { oldest, counted: countedOfEach })}) q
          order by e.id`.pipe(decodeFound)
      })

      return DiagnosesRepo.of({ read })
    })
  )
}
