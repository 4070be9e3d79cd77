import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { FreeDeliveriesLayer } from "../../../src/membership/access/FreeDeliveries.ts"
import { CatalogDeliveries } from "../../../src/membership/catalog/CatalogDeliveries.ts"
import { eventually } from "../../harness/Eventually.ts"
import { makeClub, makeEnrollment, makeStudent } from "../../harness/Makers.ts"
import { allTicks, createDelivery, everybody, FreeLayer, makeStudents, standing, tick } from "./FreeLayer.ts"

layer(FreeLayer)("A delivery that is free", (it) => {
  it.effect("is given to every student there is, 500 at a time, each with its event", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      const foreign = yield* makeClub()
      yield* makeStudents(foreign, 1)
      yield* makeStudents(club, 1200)
      yield* createDelivery(club)
      const seen = [yield* standing(club)]
      while ((yield* tick) > 0) seen.push(yield* standing(club))
      assert.deepStrictEqual(seen.map(({ events }) => events), [0, 500, 1000, 1200])
      assert.deepStrictEqual(seen.at(-1), everybody(1200))
      assert.deepStrictEqual(yield* standing(foreign), { ...everybody(0), students: 1 })
    }))

  it.effect("ends with the students where they are a multiple of a batch", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      yield* makeStudents(club, 500)
      yield* createDelivery(club)
      yield* allTicks
      assert.deepStrictEqual(yield* standing(club), everybody(500))
      assert.strictEqual(yield* tick, 0)
    }))

  it.effect("is given when it becomes free or comes back from the archive, and not while it is neither", () =>
    Effect.gen(function*() {
      const deliveries = yield* CatalogDeliveries
      const club = yield* makeClub()
      yield* makeStudents(club, 3)
      const { id } = yield* createDelivery(club, false)
      for (const patch of [{ name: "A" }, { archived: true }, { free: true }, { name: "B" }]) {
        yield* deliveries.patch(club.id, id, patch)
        assert.strictEqual(yield* tick, 0)
      }
      yield* deliveries.patch(club.id, id, { archived: false })
      yield* allTicks
      assert.deepStrictEqual(yield* standing(club), everybody(3))
      yield* deliveries.patch(club.id, id, { free: true, archived: false })
      assert.strictEqual(yield* tick, 0)
    }))

  it.effect("is not given to who has it or was removed", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* makeClub()
      const [holder, removed, other] = [yield* makeStudent(club), yield* makeStudent(club), yield* makeStudent(club)]
      const delivery = yield* createDelivery(club)
      yield* makeEnrollment(club, holder, delivery)
      yield* sql`update students set removed_at = ${new Date(0)} where id = ${removed.id}`
      yield* allTicks
      const rows = yield* sql`select student_id, source from enrollments where club_id = ${club.id}`
      assert.sameDeepMembers([...rows], [
        { student_id: holder.id, source: "grant" },
        { student_id: other.id, source: "free" }
      ])
    }))

  it.effect.each([{ free: false }, { archived: true }])(
    "is taken from nobody and given to nobody else by %j",
    (patch) =>
      Effect.gen(function*() {
        const deliveries = yield* CatalogDeliveries
        const club = yield* makeClub()
        yield* makeStudents(club, 700)
        const { id } = yield* createDelivery(club)
        yield* tick
        yield* deliveries.patch(club.id, id, patch)
        assert.strictEqual(yield* tick, 0)
        assert.deepStrictEqual(yield* standing(club), { ...everybody(500), students: 700 })
        yield* deliveries.patch(club.id, id, { free: true, archived: false })
        yield* allTicks
        assert.deepStrictEqual(yield* standing(club), everybody(700))
      })
  )

  it.effect("is given anew where a batch did not commit", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* makeClub()
      yield* makeStudents(club, 3)
      yield* createDelivery(club)
      yield* Effect.flip(sql.withTransaction(Effect.andThen(tick, Effect.fail("killed"))))
      assert.deepStrictEqual(yield* standing(club), { ...everybody(0), students: 3 })
      yield* allTicks
      assert.deepStrictEqual(yield* standing(club), everybody(3))
    }))

  it.effect("comes in turn with those of other clubs, however many students one has", () =>
    Effect.gen(function*() {
      const [large, small] = [yield* makeClub(), yield* makeClub()]
      yield* makeStudents(large, 1500)
      yield* makeStudents(small, 1)
      yield* createDelivery(large)
      yield* tick
      yield* createDelivery(small)
      yield* tick
      assert.deepStrictEqual(yield* standing(small), everybody(1))
      yield* allTicks
    }))
})

layer(FreeDeliveriesLayer.pipe(Layer.provideMerge(FreeLayer)))("The worker", (it) => {
  it.effect("gives what becomes free within a second", () =>
    Effect.gen(function*() {
      const club = yield* makeClub()
      yield* makeStudents(club, 600)
      yield* createDelivery(club)
      yield* TestClock.adjust("1 second")
      const { events } = yield* eventually(standing(club), ({ events }) => events === 600)
      assert.strictEqual(events, 600)
    }))
})
