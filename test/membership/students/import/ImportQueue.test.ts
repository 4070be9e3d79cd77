import { assert, layer } from "@effect/vitest"
import { Context, Deferred, Duration, Effect, Fiber, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { ImportQueue } from "../../../../src/membership/students/import/ImportQueue.ts"
import { delayAfter } from "../../../../src/membership/students/import/ImportRetry.ts"
import { Sealing } from "../../../../src/platform/sql/Sealing.ts"
import { outboxOf } from "../../../events/EventsLayer.ts"
import { foundClub } from "../../../harness/App.ts"
import { makeCatalogDelivery } from "../../../harness/Makers.ts"
import { warmPool } from "../../../harness/Pool.ts"
import {
  type Apply,
  completed,
  countsOf,
  errorsOf,
  ImportLayer,
  people,
  readImport,
  sendRows,
  studentsOf,
  tickWith
} from "./Importing.ts"

const tick = Effect.flatMap(ImportQueue, ({ tick }) => tick)

/** A club and its delivery Violão. */
const openClub = Effect.gen(function*() {
  const club = yield* foundClub()
  yield* makeCatalogDelivery(club, { name: "Violão" })
  return club
})

const rowsFor = (count: number) => people(count, { delivery: "Violão" })

layer(ImportLayer)("A worker", (it) => {
  it.effect("that is killed in the middle of a chunk leaves nothing of it, and another does it once", () =>
    Effect.gen(function*() {
      const club = yield* openClub
      const { id } = yield* sendRows(club, rowsFor(3))
      const written = yield* Deferred.make<void>()
      const worker = yield* Effect.forkChild(tickWith((apply) => (chunk, rows) =>
        apply(chunk, rows).pipe(Effect.tap(Deferred.succeed(written, undefined)), Effect.andThen(Effect.never))
      ))
      yield* Deferred.await(written)
      yield* Fiber.interrupt(worker)
      assert.deepStrictEqual(yield* studentsOf(club), [])
      assert.deepStrictEqual(yield* outboxOf(club), [])
      assert.strictEqual((yield* readImport(club, id)).status, "pending")
      assert.strictEqual(yield* tick, 1)
      assert.deepStrictEqual(countsOf(yield* readImport(club, id)), completed(3, { created: 3, granted: 3 }))
      assert.strictEqual((yield* outboxOf(club)).length, 6)
      assert.strictEqual(yield* tick, 0)
    }))

  it.effect("shares the chunks with others, and each is done once", () =>
    Effect.gen(function*() {
      const clubs = yield* Effect.all([openClub, openClub, openClub])
      const ids = yield* Effect.forEach(clubs, (club) => Effect.map(sendRows(club, rowsFor(600)), ({ id }) => id))
      yield* warmPool
      const worker = Effect.repeat(tick, { times: 30 })
      yield* Effect.all([worker, worker, worker, worker], { concurrency: "unbounded" })
      for (const [n, club] of clubs.entries()) {
        const result = yield* readImport(club, ids[n] ?? "")
        assert.deepStrictEqual(countsOf(result), completed(600, { created: 600, granted: 600 }))
        assert.strictEqual((yield* outboxOf(club)).length, 1200)
      }
    }))

  it.effect("passes over an import that another has in hand", () =>
    Effect.gen(function*() {
      const [slow, quick] = [yield* openClub, yield* openClub]
      yield* sendRows(slow, rowsFor(600))
      const held = yield* Deferred.make<void>()
      const worker = yield* Effect.forkChild(tickWith(() => () =>
        Effect.andThen(Deferred.succeed(held, undefined), Effect.never)
      ))
      yield* Deferred.await(held)
      yield* sendRows(slow, rowsFor(1))
      const { id } = yield* sendRows(quick, rowsFor(1))
      assert.deepStrictEqual([yield* tick, yield* tick], [1, 0])
      assert.strictEqual((yield* readImport(quick, id)).status, "completed")
      yield* Fiber.interrupt(worker)
      while ((yield* tick) > 0) yield* TestClock.adjust("1 milli")
    }))

  it.effect("says how far an import is after every chunk", () =>
    Effect.gen(function*() {
      const club = yield* openClub
      const { id } = yield* sendRows(club, [...rowsFor(501), { name: "", email: "" }])
      const seen: Array<readonly [string, number]> = []
      do {
        const { processed, status } = yield* readImport(club, id)
        seen.push([status, processed])
      } while ((yield* tick) > 0)
      assert.deepStrictEqual(seen, [["pending", 1], ["running", 251], ["running", 501], ["completed", 502]])
    }))
})

layer(ImportLayer)("Clubs", (it) => {
  it.effect("take turns, however many imports one of them has", () =>
    Effect.gen(function*() {
      const [large, small] = [yield* openClub, yield* openClub]
      for (let n = 0; n < 3; n++) yield* sendRows(large, rowsFor(1000))
      yield* TestClock.adjust("1 second")
      const { id } = yield* sendRows(small, rowsFor(251))
      for (let n = 0; n < 4; n++) {
        yield* TestClock.adjust("1 second")
        yield* tick
      }
      assert.strictEqual((yield* readImport(small, id)).status, "completed")
      assert.strictEqual((yield* studentsOf(large)).length, 500)
    }))
})

layer(ImportLayer)("A chunk that fails", (it) => {
  const failing = (email: string) => (apply: Apply): Apply => (chunk, rows) =>
    rows.some((row) => row.email === email) ? Effect.die(new Error("no")) : apply(chunk, rows)

  it.effect("is tried again after a time that grows, and taken apart until the one row is found", () =>
    Effect.gen(function*() {
      const club = yield* openClub
      const { id } = yield* sendRows(club, rowsFor(250))
      const waits: Array<number> = []
      while ((yield* readImport(club, id)).status !== "completed") {
        let waited = 0
        while ((yield* tickWith(failing("ana77@example.com"))) === 0) {
          yield* TestClock.adjust("1 second")
          waited += 1
        }
        waits.push(waited)
      }
      assert.deepStrictEqual(waits.slice(0, 5), [0, 1, 4, 16, 64])
      assert.deepStrictEqual(
        countsOf(yield* readImport(club, id)),
        completed(250, { created: 249, granted: 249, failed: 1 })
      )
      assert.deepStrictEqual(yield* errorsOf(club, id), ["78 row internal"])
      assert.isAtMost(waits.length, 5 + 2 * 8 + 1)
    }))

  it.effect("is done whole where the reason passes", () =>
    Effect.gen(function*() {
      const club = yield* openClub
      const { id } = yield* sendRows(club, rowsFor(2))
      assert.strictEqual(yield* tickWith(failing("ana0@example.com")), 1)
      assert.deepStrictEqual(yield* studentsOf(club), [])
      assert.strictEqual(yield* tick, 0)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* tick, 1)
      assert.deepStrictEqual(countsOf(yield* readImport(club, id)), completed(2, { created: 2, granted: 2 }))
    }))

  it.effect("because its key is missing waits for the key, and holds up nobody", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* openClub, yield* openClub]
      const { id } = yield* sendRows(club, rowsFor(2))
      const otherKey = Sealing.layerKeys(Redacted.make(new Uint8Array(32).fill(9)))
      const sealing = Context.get(yield* Layer.build(Layer.provide(otherKey, SecureRandom.layerWebCrypto)), Sealing)
      const blind = Effect.provideService(tickWith((apply) => apply), Sealing, sealing)
      for (let n = 0; n < 12; n++) {
        yield* blind
        yield* TestClock.adjust("5 minutes")
      }
      yield* blind
      yield* sendRows(other, rowsFor(1))
      assert.strictEqual(yield* tick, 1)
      assert.strictEqual((yield* studentsOf(other)).length, 1)
      assert.strictEqual((yield* readImport(club, id)).failed, 0)
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual(yield* tick, 1)
      assert.deepStrictEqual(countsOf(yield* readImport(club, id)), completed(2, { created: 2, granted: 2 }))
    }))

  it.effect("waits 1 second at first and 5 minutes at most", () =>
    Effect.sync(() => {
      const seconds = [1, 2, 3, 4, 5, 6, 100].map((failures) => Duration.toSeconds(delayAfter(failures)))
      assert.deepStrictEqual(seconds, [1, 4, 16, 64, 256, 300, 300])
    }))
})

layer(ImportLayer)("What a worker writes", (it) => {
  it.effect("is gone from the queue once it is done", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* openClub
      yield* sendRows(club, rowsFor(300))
      const waiting = sql`select 1 from student_import_chunks where club_id = ${club.id}`
      assert.strictEqual((yield* waiting).length, 2)
      yield* tick
      yield* tick
      assert.deepStrictEqual(yield* waiting, [])
    }))
})
