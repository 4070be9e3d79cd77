import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Gamifications } from "../../../src/learning/gamification/Gamifications.ts"
import { Spreads } from "../../../src/learning/gamification/Spreads.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"
import { readingMuch } from "../../harness/RowsRead.ts"
import { SpansLayer, statements } from "../../harness/Statements.ts"
import { vacuumed } from "../../harness/Vacuumed.ts"
import { openClub } from "./OpenClub.ts"

const TestLayer = Layer.merge(Gamifications.layer, Spreads.layer).pipe(
  Layer.provideMerge(PostgresLayer),
  Layer.provideMerge(SpansLayer)
)

layer(TestLayer)("In a club with many students", (it) => {
  it.effect("their spread is counted in two statements, from indexes alone", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { read } = yield* Spreads
      const [club, other] = [yield* openClub(), yield* openClub()]
      const at = new Date(0)
      yield* sql`
        insert into students (club_id, id, email, name, created_at, removed_at)
        select ${club.id}::uuid, gen_random_uuid(), n || '@many.example', 'Many', ${at}::timestamptz,
          case when n % 10 = 0 then ${at}::timestamptz end
        from generate_series(1, 20000) n
        union all
        select ${other.id}::uuid, gen_random_uuid(), n || '@many.example', 'Many', ${at}::timestamptz, null
        from generate_series(1, 20000) n`
      yield* sql`
        insert into point_entries (club_id, id, student_id, action, origin_id, points, created_at)
        select club_id, gen_random_uuid(), id, 'quiz_passed', gen_random_uuid(), 1 + length(id::text), ${at}
        from students where removed_at is null`
      yield* vacuumed("students", "point_totals")
      const asked = read(club.id, [0, 10, 30])
      const { proposed, students } = yield* asked
      assert.strictEqual(students, 18_000)
      assert.deepStrictEqual(proposed?.map((level) => level.students), [0, 0, 18_000])
      assert.lengthOf(yield* statements(asked), 2)
      for (const mode of ["force_custom_plan", "force_generic_plan"]) {
        const planned = Effect.andThen(sql`set local plan_cache_mode = ${sql.literal(mode)}`, asked)
        assert.deepStrictEqual(yield* readingMuch(planned, 200), [], mode)
      }
    }))
})
