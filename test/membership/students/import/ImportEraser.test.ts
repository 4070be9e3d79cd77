import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { importEraser } from "../../../../src/membership/students/import/ImportEraser.ts"
import { foundClub } from "../../../harness/App.ts"
import { makeStudent } from "../../../harness/Makers.ts"
import { untilBlocked } from "../../../harness/Waiting.ts"
import {
  completed,
  countsOf,
  errorsOf,
  ImportLayer,
  people,
  readImport,
  sendRows,
  studentsOf,
  tickWith,
  workAll
} from "./Importing.ts"

const forget = Effect.fnUntraced(function*(club: Parameters<typeof makeStudent>[0], email: string) {
  const sql = yield* SqlClient.SqlClient
  const { erase, lock } = yield* importEraser
  const person = { club_id: club.id, student_id: (yield* makeStudent(club)).id, email }
  return yield* sql.withTransaction(Effect.andThen(lock(person), erase(person)))
})

layer(ImportLayer)("A removed student", (it) => {
  it.effect("is taken out of the lists that wait, and is not made again", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const first = yield* sendRows(club, [...people(300), { name: "Again", email: "ANA3@example.com" }])
      const second = yield* sendRows(club, people(5), { dry_run: true })
      assert.deepStrictEqual(yield* forget(club, "ana3@example.com"), { import_rows: 3 })
      yield* workAll
      assert.deepStrictEqual(
        countsOf(yield* readImport(club, first.id)),
        completed(301, { created: 299, failed: 2 })
      )
      assert.deepStrictEqual(yield* errorsOf(club, first.id), ["4 row removed", "301 row removed"])
      assert.deepStrictEqual(
        countsOf(yield* readImport(club, second.id)),
        completed(5, { existing: 4, failed: 1 })
      )
      assert.notInclude((yield* studentsOf(club)).map(({ email }) => email), "ana3@example.com")
    }))

  it.effect("ends an import that has nobody else", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { id } = yield* sendRows(club, people(1))
      yield* forget(club, "ana0@example.com")
      assert.deepStrictEqual(countsOf(yield* readImport(club, id)), completed(1, { failed: 1 }))
      assert.strictEqual(yield* workAll, 0)
    }))

  it.effect("waits for a chunk in hand, which is done and counted once", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { id } = yield* sendRows(club, people(2))
      const [held, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const worker = yield* Effect.forkChild(tickWith((apply) => (chunk, rows) =>
        Deferred.succeed(held, undefined).pipe(Effect.andThen(Deferred.await(done)), Effect.andThen(apply(chunk, rows)))
      ))
      yield* Deferred.await(held)
      const forgotten = yield* Effect.forkChild(forget(club, "ana0@example.com"))
      yield* untilBlocked()
      yield* Deferred.succeed(done, undefined)
      yield* Fiber.join(worker)
      assert.deepStrictEqual(yield* Fiber.join(forgotten), { import_rows: 0 })
      assert.deepStrictEqual(countsOf(yield* readImport(club, id)), completed(2, { created: 2 }))
    }))

  it.effect("stays in the lists of another club", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* foundClub(), yield* foundClub()]
      yield* sendRows(other, people(1))
      assert.deepStrictEqual(yield* forget(club, "ana0@example.com"), { import_rows: 0 })
      yield* workAll
      assert.strictEqual((yield* studentsOf(other)).length, 1)
    }))
})
