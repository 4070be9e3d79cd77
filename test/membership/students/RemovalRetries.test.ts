import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { type ErasureSubject, StudentErasers } from "../../../src/identity/erasure/StudentErasers.ts"
import { Removal } from "../../../src/membership/students/Removal.ts"
import { eventsLayer, outboxOf, typesOf } from "../../events/EventsLayer.ts"
import { makeClub, makeStudent, makeUser } from "../../harness/Makers.ts"

const deadlock = Effect
  .die(new SqlError.SqlError({ reason: new SqlError.DeadlockError({ cause: new Error("40P01") }) }))

/** Mishaps for the next removals, in order. Each one runs while its removal holds its locks. */
const mishaps: Array<(person: ErasureSubject) => Effect.Effect<unknown, unknown>> = []
const held: Array<string> = []

const TestLayer = Removal.layer.pipe(
  Layer.provide(StudentErasers.layer([
    Effect.succeed({
      lock: (person) =>
        Effect.suspend(() => {
          held.push(person.email)
          return Effect.orDie(mishaps.shift()?.(person) ?? Effect.void)
        }).pipe(Effect.asVoid),
      erase: () => Effect.succeed({ things: 2, facts: 3 })
    }),
    Effect.succeed({ erase: () => Effect.succeed({ things: 5 }) })
  ])),
  Layer.provideMerge(eventsLayer())
)

const withStudent = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const removal = yield* Removal
  const club = yield* makeClub()
  const student = yield* makeStudent(club)
  const { id: actor } = yield* makeUser()
  held.length = 0
  return {
    club,
    student,
    remove: removal.remove(club.id, student.id, actor),
    counts: Effect.map(removal.receipt(club.id, student.id), ({ counts }) => counts),
    removed: Effect.map(
      sql`select 1 from students where id = ${student.id} and removed_at is not null`,
      (rows) => rows.length > 0
    )
  }
})

layer(TestLayer)("A removal", (it) => {
  it.effect("adds up what every feature counts", () =>
    Effect.gen(function*() {
      const { counts, remove } = yield* withStudent
      yield* remove
      assert.deepStrictEqual(yield* counts, { things: 7, facts: 3, bodies: 0, responses: 0, canceled: 0 })
    }))

  it.effect("that meets deadlocks is tried again, from the beginning", () =>
    Effect.gen(function*() {
      const { club, remove, removed } = yield* withStudent
      mishaps.push(...Array.from({ length: 5 }, () => () => deadlock))
      yield* remove
      assert.isTrue(yield* removed)
      assert.deepStrictEqual(typesOf(yield* outboxOf(club)), ["student.removed"])
    }))

  it.effect("that meets six of them is given up, and has changed nothing", () =>
    Effect.gen(function*() {
      const { club, remove, removed } = yield* withStudent
      mishaps.push(...Array.from({ length: 6 }, () => () => deadlock))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(remove)))
      assert.isFalse(yield* removed)
      assert.deepStrictEqual(yield* outboxOf(club), [])
    }))

  it.effect("that fails otherwise is not tried again", () =>
    Effect.gen(function*() {
      const { remove, removed } = yield* withStudent
      mishaps.push(() => Effect.die(new Error("out of order")))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(remove)))
      assert.isFalse(yield* removed)
      assert.strictEqual(held.length, 1)
    }))

  it.effect("begins again where the address is changed while it waits for the student, however often", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { remove, removed, student } = yield* withStudent
      // Each attempt sees the change by its own transaction. A rollback undoes it, so the next one begins unchanged.
      const changeAddress = ({ student_id }: ErasureSubject) =>
        sql`update students set email = ${`moved-${student_id}@example.com`} where id = ${student_id}`
      mishaps.push(changeAddress, changeAddress, changeAddress)
      yield* remove
      assert.isTrue(yield* removed)
      assert.deepStrictEqual(held, Array.from({ length: 4 }, () => student.email))
    }))
})
