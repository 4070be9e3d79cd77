import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { instants } from "../../../platform/sql/Arrays.ts"
import { scanning } from "../../../platform/sql/ReadLane.ts"
import { rows } from "../../../platform/sql/Rows.ts"
import { livingEndpoints } from "../../endpoint/livingEndpoints.ts"
import { durationColumns } from "../../engine/dispatch/Durations.ts"
import type { LaneName } from "../../engine/lane/LaneChanges.ts"
import { EndpointId } from "../../model/EndpointId.ts"
import { makeRetentionCutoffs } from "../../model/RetentionCutoffs.ts"
import type { Steps } from "./Steps.ts"

const CountedStep = Schema.Struct({
  /** The number of the step, from 0 on. A step without an attempt has no row. */
  step: Schema.Int,
  succeeded: Schema.Int,
  failed: Schema.Int,
  given_up: Schema.Int,
  /** By how long they took, as in `durationColumns`. */
  durations: Schema.Array(Schema.Int)
})

const EndpointStep = Schema.Struct({
  endpoint_id: EndpointId,
  step: Schema.NullOr(Schema.Int),
  succeeded: Schema.NullOr(Schema.Int),
  failed: Schema.NullOr(Schema.Int)
})

const decodeSteps = rows(CountedStep)
const decodeEndpointSteps = rows(EndpointStep)

const durations = durationColumns.map((column) => `coalesce(sum(c.${column}), 0)::int`).join(", ")

/** The counts of attempts by steps. Counts past their age never appear. */
export class SeriesRepo extends Context.Service<SeriesRepo, {
  read(lane: LaneName, steps: Steps): Effect.Effect<ReadonlyArray<typeof CountedStep.Type>>
  /** Of every endpoint of the club, oldest first, in one statement; one without an attempt has one row, without a step. */
  readAll(club_id: ClubId, steps: Steps): Effect.Effect<ReadonlyArray<typeof EndpointStep.Type>>
}>()("turma/webhooks/history/series/SeriesRepo") {
  static readonly layer = Layer.effect(
    SeriesRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const cutoffs = yield* makeRetentionCutoffs

      /** The step of a row `c`, and the condition for rows that are in one. */
      const within = Effect.fnUntraced(function*({ starts }: Steps) {
        const { history, now } = yield* cutoffs
        const [first = now] = starts
        return {
          step: sql`width_bucket(c.at, ${instants(starts)}) - 1`,
          inWindow: sql`c.at >= ${DateTime.toDateUtc(first)} and c.at > ${DateTime.toDateUtc(history)}`
        }
      })

      const read = Effect.fn("SeriesRepo.read")(function*({ club_id, endpoint_id }: LaneName, steps: Steps) {
        const { inWindow, step } = yield* within(steps)
        return yield* sql`
          select ${step} as step, sum(c.accepted)::int as succeeded, sum(c.failed)::int as failed,
            sum(c.given_up)::int as given_up, array[${sql.literal(durations)}] as durations
          from webhook_counts c
          where c.club_id = ${club_id} and c.endpoint_id = ${endpoint_id} and ${inWindow}
          group by 1`.pipe(decodeSteps, scanning)
      })

      const readAll = Effect.fn("SeriesRepo.readAll")(function*(club_id: ClubId, steps: Steps) {
        const { inWindow, step } = yield* within(steps)
        return yield* sql`
          select e.id as endpoint_id, s.step, s.succeeded, s.failed
          from ${livingEndpoints(sql, club_id)} e
          left join lateral (
            select ${step} as step, sum(c.accepted)::int as succeeded, sum(c.failed)::int as failed
            from webhook_counts c where c.club_id = e.club_id and c.endpoint_id = e.id and ${inWindow}
            group by 1
          ) s on true
          order by e.id`.pipe(decodeEndpointSteps, scanning)
      })

      return SeriesRepo.of({ read, readAll })
    })
  )
}
