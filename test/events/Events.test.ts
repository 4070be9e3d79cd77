import { assert, layer } from "@effect/vitest"
import { Cause, ConfigProvider, DateTime, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Events } from "../../src/events/Events.ts"
import { StudentId } from "../../src/identity/ids/StudentId.ts"
import { QueuedWork } from "../../src/platform/jobs/QueuedWork.ts"
import { timeOf } from "../../src/platform/sql/Uuid7.ts"
import { makeClub, makeStudent } from "../harness/Makers.ts"
import { SpansLayer, statements } from "../harness/Statements.ts"
import { created, eventsLayer, outboxOf, typesOf, updated } from "./EventsLayer.ts"

const openClub = Effect.gen(function*() {
  const club = yield* makeClub()
  return { club, student: yield* makeStudent(club), events: yield* Events }
})

layer(eventsLayer().pipe(Layer.provideMerge(SpansLayer)))("A fact", (it) => {
  it.effect("is recorded with its student, what only that moment knew, and nothing else", () =>
    Effect.gen(function*() {
      const { club, events, student } = yield* openClub
      const id = yield* events.record(club.id, updated(student))
      const [row, ...others] = yield* outboxOf(club)
      assert.deepStrictEqual(others, [])
      assert.deepInclude(row, { id, type: "student.updated", student_id: student.id, failures: 0 })
      assert.deepStrictEqual(row?.subject, { changed: ["name"] })
    }))

  it.effect("has the id of its moment, and is due 2 seconds later", () =>
    Effect.gen(function*() {
      const { club, events, student } = yield* openClub
      yield* TestClock.adjust("1 day")
      const now = yield* DateTime.now
      const id = yield* events.record(club.id, created(student))
      const [row] = yield* outboxOf(club)
      assert.deepStrictEqual(row?.occurred_at, now)
      assert.deepStrictEqual(timeOf(id), now)
      assert.deepStrictEqual(row?.due_at, DateTime.add(now, { seconds: 2 }))
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    }))

  it.effect("is gone with the transaction that it belongs to", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, events, student } = yield* openClub
      yield* events.record(club.id, created(student)).pipe(
        Effect.andThen(Effect.fail("changed my mind")),
        sql.withTransaction,
        Effect.flip
      )
      assert.deepStrictEqual(yield* outboxOf(club), [])
    }))

  it.effect("takes one statement", () =>
    Effect.gen(function*() {
      const { club, events, student } = yield* openClub
      assert.strictEqual((yield* statements(events.record(club.id, created(student)))).length, 1)
    }))

  it.effect("takes the change with it where nothing could assemble its type", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, events, student } = yield* openClub
      const fact = { type: "purchase.paid", student_id: student.id, purchase_id: club.id } as const
      const exit = yield* sql`update students set name = 'New' where id = ${student.id}`.pipe(
        Effect.andThen(events.record(club.id, fact)),
        sql.withTransaction,
        Effect.exit
      )
      assert(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      assert.match(Cause.pretty(exit.cause), /No source for events of the type purchase\.paid/)
      assert.deepStrictEqual(yield* outboxOf(club), [])
      assert.deepStrictEqual(yield* sql`select 1 from students where id = ${student.id} and name = 'New'`, [])
    }))

  it.effect("is about a student of that club", () =>
    Effect.gen(function*() {
      const { club, events } = yield* openClub
      const stranger = yield* makeStudent(yield* makeClub())
      const unknown = { id: StudentId.make("018f0000-0000-7000-8000-000000000000") }
      for (const student of [stranger, unknown]) {
        assert.isTrue(Exit.isFailure(yield* Effect.exit(events.record(club.id, created(student)))))
      }
      assert.deepStrictEqual(yield* outboxOf(club), [])
    }))

  it.effect("of work that waits has an id of that work and of what it is about, and not of what else it knows", () =>
    Effect.gen(function*() {
      const { club, events, student } = yield* openClub
      yield* TestClock.adjust("1 day")
      const at = DateTime.subtract(yield* DateTime.now, { hours: 1 })
      const work = () => new QueuedWork("sale 1", at)
      const ofType = (changed: ReadonlyArray<"email" | "name">) =>
        events.recordAll(club.id, [{ type: "student.updated", student_id: student.id, changed }], [{ work: work() }])
      const [id = assert.fail()] = yield* ofType(["name"])
      assert.strictEqual(id, work().idOf("student.updated", student.id, 1))
      const sql = yield* SqlClient.SqlClient
      yield* sql`delete from event_outbox where club_id = ${club.id}`
      assert.deepStrictEqual(yield* ofType(["email"]), [id])
    }))

  it.effect("happened when it is said to have, each of many, or now", () =>
    Effect.gen(function*() {
      const { club, events, student } = yield* openClub
      const [first, second] = [DateTime.makeUnsafe(1000), DateTime.makeUnsafe(2000)]
      yield* events.recordAll(club.id, [updated(student), updated(student)], [
        { occurred_at: first },
        { occurred_at: second }
      ])
      yield* events.recordAll(club.id, [updated(student)])
      const moments = (yield* outboxOf(club)).map(({ occurred_at }) => occurred_at)
      assert.deepStrictEqual(moments, [first, second, yield* DateTime.now])
    }))

  it.effect("is recorded among others in one statement, each with an id of its own", () =>
    Effect.gen(function*() {
      const { club, events, student } = yield* openClub
      const other = yield* makeStudent(club)
      const all = [created(student), created(other), updated(student)]
      const [record] = yield* statements(Effect.flatMap(events.recordAll(club.id, all), (ids) =>
        Effect.map(outboxOf(club), (rows) => {
          assert.deepStrictEqual(rows.map(({ id }) => id), [...ids])
          assert.deepStrictEqual(typesOf(rows), typesOf(all))
          assert.deepStrictEqual(rows.map(({ student_id }) => student_id), [student.id, other.id, student.id])
        })))
      assert.match(record ?? "", /^insert into event_outbox/)
      assert.deepStrictEqual(yield* events.recordAll(club.id, []), [])
    }))
})

layer(eventsLayer()
  .pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ WEBHOOK_ASSEMBLE_DELAY: "7 seconds" })))))(
    "The wait of a fact",
    (it) => {
      it.effect("is what the operator sets", () =>
        Effect.gen(function*() {
          const { club, events, student } = yield* openClub
          yield* events.record(club.id, created(student))
          const [row] = yield* outboxOf(club)
          assert.deepStrictEqual(row?.due_at, DateTime.makeUnsafe(7000))
        }))
    }
  )
