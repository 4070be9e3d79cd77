import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { outboxOf } from "../../../events/EventsLayer.ts"
import { makeCatalogDelivery, makeEnrollment, makeStudent } from "../../../harness/Makers.ts"
import {
  completed,
  countsOf,
  errorsOf,
  ImportLayer,
  importRows,
  openClub,
  people,
  sendRows,
  studentsOf,
  workAll
} from "./Importing.ts"

/** A club in which Ana has Violão, and every new student gets Gratuita. */
const clubOfAna = Effect.gen(function*() {
  const club = yield* openClub
  yield* makeCatalogDelivery(club, { name: "Gratuita", free: true })
  yield* makeEnrollment(club, yield* makeStudent(club, { email: "ana@example.com" }), club.violao)
  return club
})

const Rows = Schema.Array(Schema.Struct({
  name: Schema.Literals(["Ana", "Bia", ""]),
  email: Schema.Literals(["ana@example.com", "bia@example.com", "cai@example.com", "BIA@example.com", "nobody"]),
  delivery: Schema.Literals(["", "Violão", "Harmonia", "Gratuita", "Piano"]),
  expires_at: Schema.Literals(["", "", "2030-01-01", "1970-01-01T00:00:00Z"])
})).check(Schema.isMinLength(1))

layer(ImportLayer)("A dry run", (it) => {
  it.effect("writes nothing and tells nobody", () =>
    Effect.gen(function*() {
      const club = yield* clubOfAna
      const before = yield* studentsOf(club)
      const { dry_run, ...result } = yield* importRows(club, people(300, { delivery: "Violão" }), { dry_run: true })
      assert.isTrue(dry_run)
      assert.deepStrictEqual(countsOf({ dry_run, ...result }), completed(300, { created: 300, granted: 300 }))
      assert.deepStrictEqual(yield* studentsOf(club), before)
      assert.deepStrictEqual(yield* outboxOf(club), [])
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`select 1 from student_import_chunks where club_id = ${club.id}`, [])
    }))

  it.effect.prop(
    "tells what the import then does",
    { rows: Rows },
    ({ rows }) =>
      Effect.gen(function*() {
        const club = yield* clubOfAna
        const dry = yield* importRows(club, rows, { dry_run: true })
        const real = yield* importRows(club, rows)
        assert.deepStrictEqual(countsOf(dry), countsOf(real))
        assert.deepStrictEqual(yield* errorsOf(club, dry.id), yield* errorsOf(club, real.id))
        const again = countsOf(yield* importRows(club, rows, { dry_run: true }))
        assert.deepStrictEqual([again.created, again.granted, again.failed], [0, 0, countsOf(real).failed])
      }),
    { arbitrary: { runs: 40 } }
  )

  it.effect("counts an address once, wherever in the list it comes again", () =>
    Effect.gen(function*() {
      const club = yield* clubOfAna
      const list = [...people(400), ...people(1, { delivery: "Violão" })]
      yield* sendRows(club, list, { dry_run: true })
      yield* workAll
      const dry = yield* importRows(club, list, { dry_run: true })
      assert.deepStrictEqual(countsOf(dry), completed(401, { created: 400, existing: 1, granted: 1 }))
    }))
})
