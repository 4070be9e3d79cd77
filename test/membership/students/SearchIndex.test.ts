import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { StudentsRepo } from "../../../src/membership/students/StudentsRepo.ts"
import { makeClub } from "../../harness/Makers.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"
import { vacuumed } from "../../harness/Vacuumed.ts"

/** A club of this size. Its oldest student is Ágata Müller, and all others are Íris Prado. */
const makeSized = Effect.fnUntraced(function*(size: number) {
  const sql = yield* SqlClient.SqlClient
  const club = yield* makeClub()
  yield* sql`
    insert into students (club_id, id, email, name, created_at)
    select ${club.id}::uuid, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, n || '@many.example',
      case when n = 1 then 'Ágata Müller' else 'Íris Prado' end, ${DateTime.toDateUtc(yield* DateTime.now)}
    from generate_series(1, ${size}::int) n`
  yield* vacuumed("students")
  return club
})

/** PostgreSQL's plans for the queries of the work about students, with these parameters. */
const plansOf = Effect.fnUntraced(function*<A, E, R>(work: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const plans: Array<string> = []
  const explain: Statement.Transformer = Effect.fnUntraced(function*(statement) {
    const [text, params] = statement.compile()
    const rows = yield* sql.unsafe(`explain ${text}`, params).pipe(
      Effect.provideService(Statement.CurrentTransformer, undefined),
      Effect.orDie
    )
    plans.push(rows.map((row) => Object.values(row).join()).join("\n"))
    return statement
  })
  const answer = yield* Effect.provideService(work, Statement.CurrentTransformer, explain)
  return { answer, plans }
})

layer(StudentsRepo.layer.pipe(Layer.provideMerge(PostgresLayer)))(
  "The index of a search",
  (it) => {
    it.effect.each([10_000, 100_000])(
      "finds in a club of %d by part of a name, whatever its accents, and of an address",
      (size) =>
        Effect.gen(function*() {
          const repo = yield* StudentsRepo
          const club = yield* makeSized(size)
          for (const search of ["agata", "MULLER", "gat üll", "1@many Ágata"]) {
            const { answer, plans } = yield* plansOf(repo.list(club.id, { search, limit: 25 }, Option.none()))
            assert.deepStrictEqual(answer.students.map(({ name }) => name), ["Ágata Müller"], search)
            // The first query reads the newest students in order. Two others count and find the rest by the index.
            const [newest, ...found] = plans
            assert.notMatch(newest ?? "", /Seq Scan on students/, search)
            assert.lengthOf(found, 2)
            for (const plan of found) {
              assert.match(plan, /Bitmap Index Scan on students_search_idx/, search)
              assert.notMatch(plan, /Seq Scan on students/, search)
            }
          }
        })
    )
  }
)
