import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { bigints } from "../../platform/sql/Arrays.ts"
import { scanning } from "../../platform/sql/ReadLane.ts"
import { one, rows } from "../../platform/sql/Rows.ts"
import { boundsOf, type Spread, spreadOf, stepsUpTo, type ThresholdsError, validateThresholds } from "./Spread.ts"

const decodeLadder = one(Schema.Struct({ most: Schema.Int, levels: Schema.Array(Schema.Int) }))
const decodeParts = rows(Schema.Struct({ from: Schema.Int, students: Schema.Int }))

/** How the students of a club are spread over its levels. */
export class Spreads extends Context.Service<Spreads, {
  /** With those of another ladder, how they would be spread over that. Two statements. */
  read(club_id: ClubId, min_points?: ReadonlyArray<number>): Effect.Effect<Spread, ThresholdsError>
}>()("turma/learning/gamification/Spreads") {
  static readonly layer = Layer.effect(
    Spreads,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const ladderOf = (club_id: ClubId) =>
        sql`
          select coalesce((
            select t.total::float8 from point_totals t
            where t.club_id = ${club_id} and t.ranked and t.total > 0 order by t.total desc limit 1
          ), 0) as most, array(
            select l.min_points from levels l where l.club_id = ${club_id} order by l.min_points
          ) as levels`.pipe(decodeLadder)

      // In an order, so that PostgreSQL uses the index of present students: reading all rows takes twice as long.
      const present = (club_id: ClubId) =>
        sql`select s.id from students s where s.club_id = ${club_id} and s.removed_at is null order by s.id offset 0`

      // Each part is a range of an index. The last part counts students without points, who are in no range.
      const counted = (club_id: ClubId, bounds: ReadonlyArray<number>) =>
        sql`
          with pointed as materialized (
            select bound.low, (
              select count(*) from point_totals t
              where t.club_id = ${club_id} and t.ranked and t.total > 0 and t.total >= bound.low
                and t.total < coalesce(bound.high, 9223372036854775807)
            ) as students
            from unnest(${bigints(bounds)}, ${bigints([...bounds.slice(1), null])}) as bound (low, high)
          )
          select low::float8 as from, students::int from pointed
          union all
          select 0, (
            (select count(*) from (${present(club_id)}) s)
              - (select sum(students) from pointed)
          )::int`.pipe(decodeParts)

      const read = Effect.fn("Spreads.read")(function*(club_id: ClubId, min_points?: ReadonlyArray<number>) {
        const proposed = min_points === undefined ? null : yield* Effect.fromResult(validateThresholds(min_points))
        const { levels: now, most } = yield* ladderOf(club_id)
        const steps = stepsUpTo(most)
        const parts = yield* scanning(counted(club_id, boundsOf(steps, now, proposed ?? [])))
        return spreadOf(parts, { steps, now, proposed })
      })

      return Spreads.of({ read })
    })
  )
}
