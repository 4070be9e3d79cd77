import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { CatalogDeliveries } from "../../../src/membership/catalog/CatalogDeliveries.ts"
import { StudentAccounts } from "../../../src/membership/students/StudentAccounts.ts"
import { makeClub } from "../../harness/Makers.ts"
import { warmPool } from "../../harness/Pool.ts"
import { untilBlocked, whileHeld } from "../../harness/Waiting.ts"
import { allTicks, createDelivery, everybody, FreeLayer, makeStudents, newcomer, standing, tick } from "./FreeLayer.ts"

layer(FreeLayer)("Several workers at once", (it) => {
  it.effect("give each student each free delivery once, while students are born", () =>
    Effect.gen(function*() {
      yield* warmPool
      const students = yield* StudentAccounts
      const club = yield* makeClub()
      yield* makeStudents(club, 1200)
      yield* Effect.all([createDelivery(club), createDelivery(club), createDelivery(club)])
      const births = Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8, 9], (n) => students.register(club.id, newcomer(n)), {
        concurrency: 3
      })
      yield* Effect.all([births, ...Array.from({ length: 4 }, () => allTicks)], { concurrency: "unbounded" })
      yield* allTicks
      const all = 3 * 1209
      assert.deepStrictEqual(yield* standing(club), {
        students: 1209,
        enrolled: 1209,
        accesses: all,
        free: all,
        events: all
      })
    }))

  it.effect(
    "meet nobody in a deadlock while deliveries become free and stop to be, and students are born",
    () =>
      Effect.gen(function*() {
        yield* warmPool
        const deliveries = yield* CatalogDeliveries
        const students = yield* StudentAccounts
        const club = yield* makeClub()
        yield* makeStudents(club, 50)
        const ids = (yield* Effect.all([createDelivery(club), createDelivery(club)])).map(({ id }) => id)
        const changes = [false, true, false, true, false, true]
        const work = [
          ...ids.map((id) => Effect.forEach(changes, (free) => deliveries.patch(club.id, id, { free }))),
          ...[1, 2, 3].map((worker) =>
            Effect.forEach([1, 2, 3, 4, 5, 6], (n) => students.register(club.id, newcomer(10 * worker + n)))
          ),
          ...[1, 2, 3].map(() => Effect.repeat(tick, { times: 12 }))
        ]
        yield* Effect.all(work, { concurrency: "unbounded" })
        yield* allTicks
        const all = { students: 68, enrolled: 68, accesses: 136, free: 136, events: 136 }
        assert.deepStrictEqual(yield* standing(club), all)
      })
  )

  it.effect("do not work on the same delivery", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* makeClub()
      yield* makeStudents(club, 1)
      const { id } = yield* createDelivery(club)
      const held = sql`select 1 from deliveries where club_id = ${club.id} and id = ${id} for no key update`
      assert.strictEqual(yield* whileHeld(held, tick), 0)
      assert.strictEqual(yield* tick, 1)
    }))
})

layer(FreeLayer)("A birth", (it) => {
  it.effect("that has not committed when a delivery becomes free is waited for, and then given it", () =>
    Effect.gen(function*() {
      yield* warmPool
      const deliveries = yield* CatalogDeliveries
      const students = yield* StudentAccounts
      const club = yield* makeClub()
      const { id } = yield* createDelivery(club, false)
      const becomes = yield* whileHeld(
        students.register(club.id, newcomer(1)),
        Effect.tap(Effect.forkChild(deliveries.patch(club.id, id, { free: true })), () => untilBlocked())
      )
      yield* Fiber.join(becomes)
      assert.deepStrictEqual(yield* standing(club), { ...everybody(0), students: 1 })
      yield* allTicks
      assert.deepStrictEqual(yield* standing(club), everybody(1))
    }))

  it.effect.each(["created free", "made free"] as const)(
    "while a delivery is being %s waits, and then has it from birth",
    (how) =>
      Effect.gen(function*() {
        yield* warmPool
        const deliveries = yield* CatalogDeliveries
        const students = yield* StudentAccounts
        const club = yield* makeClub()
        const becoming = how === "created free"
          ? createDelivery(club)
          : Effect.flatMap(createDelivery(club, false), ({ id }) => deliveries.patch(club.id, id, { free: true }))
        const birth = yield* whileHeld(
          becoming,
          Effect.tap(Effect.forkChild(students.register(club.id, newcomer(1))), () => untilBlocked())
        )
        yield* Fiber.join(birth)
        assert.deepStrictEqual(yield* standing(club), everybody(1))
        yield* allTicks
        assert.deepStrictEqual(yield* standing(club), everybody(1))
      })
  )

  it.effect("does not wait for a batch, nor for a change that waits for the batch", () =>
    Effect.gen(function*() {
      yield* warmPool
      const sql = yield* SqlClient.SqlClient
      const deliveries = yield* CatalogDeliveries
      const students = yield* StudentAccounts
      const club = yield* makeClub()
      const { id } = yield* createDelivery(club, false)
      const change = yield* whileHeld(
        sql`select 1 from deliveries where club_id = ${club.id} and id = ${id} for no key update`,
        Effect.gen(function*() {
          const change = yield* Effect.forkChild(deliveries.patch(club.id, id, { free: true }))
          yield* untilBlocked()
          yield* students.register(club.id, newcomer(1))
          return change
        })
      )
      yield* Fiber.join(change)
      yield* allTicks
      assert.deepStrictEqual(yield* standing(club), everybody(1))
    }))
})
