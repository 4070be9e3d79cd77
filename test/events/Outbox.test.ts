import { assert, describe, it, layer } from "@effect/vitest"
import { DateTime, Deferred, Duration, Effect, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Events } from "../../src/events/Events.ts"
import { delayAfter, Outbox } from "../../src/events/Outbox.ts"
import { QueuedWork } from "../../src/platform/jobs/QueuedWork.ts"
import { timeOf } from "../../src/platform/sql/Uuid7.ts"
import { makeClub, makeStudent } from "../harness/Makers.ts"
import { created, eventsLayer, outboxOf, updated } from "./EventsLayer.ts"

/** A club with this many facts, recorded a second apart and all due. */
const recorded = Effect.fn("recorded")(function*(count: number) {
  const events = yield* Events
  const club = yield* makeClub()
  const student = yield* makeStudent(club)
  const ids = []
  for (let n = 0; n < count; n++) {
    yield* TestClock.adjust("1 second")
    ids.push(yield* events.record(club.id, n === 0 ? created(student) : updated(student)))
  }
  yield* TestClock.adjust("2 seconds")
  return { club, student, ids }
})

const idsOf = (facts: ReadonlyArray<{ readonly id: string }>) => facts.map(({ id }) => id)

const clear = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`delete from event_outbox`)
const long = DateTime.makeUnsafe(0)

/** The claims of two transactions, the second while the first still holds its facts. */
const claimedAtOnce = Effect.fn("claimedAtOnce")(function*(one: number, other: number) {
  const sql = yield* SqlClient.SqlClient
  const outbox = yield* Outbox
  const held = yield* Deferred.make<void>()
  const release = yield* Deferred.make<void>()
  const claiming = yield* outbox.claim(one, long).pipe(
    Effect.tap(() => Deferred.succeed(held, undefined)),
    Effect.tap(() => Deferred.await(release)),
    sql.withTransaction,
    Effect.forkChild
  )
  yield* Deferred.await(held)
  const second = idsOf(yield* outbox.claim(other, long))
  yield* Deferred.succeed(release, undefined)
  return { first: idsOf(yield* Fiber.join(claiming)), second }
})

layer(eventsLayer())("The outbox", (it) => {
  it.effect("gives those due longest first, with the club's public id", () =>
    Effect.gen(function*() {
      const outbox = yield* Outbox
      const { club, ids } = yield* recorded(3)
      const claimed = yield* outbox.claim(2, long)
      assert.deepStrictEqual(idsOf(claimed), ids.slice(0, 2))
      assert.strictEqual(claimed[0]?.organization_id, club.organization_id)
      assert.isFalse(claimed[0]?.erased)
      yield* clear
    }))

  it.effect("gives none before it is due", () =>
    Effect.gen(function*() {
      const outbox = yield* Outbox
      const events = yield* Events
      const { club, student } = yield* recorded(0)
      yield* events.record(club.id, created(yield* makeStudent(club)))
      yield* TestClock.adjust("1999 millis")
      assert.isTrue(Option.isNone(yield* outbox.peek(10)))
      assert.deepStrictEqual(yield* outbox.claim(10, long), [])
      yield* TestClock.adjust("1 millis")
      assert.isTrue(Option.isSome(yield* outbox.peek(10)))
      assert.strictEqual((yield* outbox.claim(10, long)).length, 1)
      assert.isString(student.id)
      yield* clear
    }))

  it.effect("passes over what another transaction holds", () =>
    Effect.gen(function*() {
      const { ids } = yield* recorded(4)
      const { first, second } = yield* claimedAtOnce(2, 10)
      assert.deepStrictEqual(second, ids.slice(2))
      assert.deepStrictEqual(first, ids.slice(0, 2))
      yield* clear
    }))

  it.effect("gives a share to each club that the facts due longest leave no room for, and no more than fits", () =>
    Effect.gen(function*() {
      const outbox = yield* Outbox
      const crowd = yield* recorded(5)
      const [one, two] = [yield* recorded(3), yield* recorded(2)]
      const firsts = (
        count: number
      ) => [...crowd.ids.slice(0, 4), ...one.ids.slice(0, count), ...two.ids.slice(0, count)]
      assert.deepStrictEqual(idsOf(yield* outbox.claim(4, long)), firsts(2))
      assert.deepStrictEqual(idsOf(yield* outbox.claim(9, long)), [...crowd.ids, ...one.ids, ...two.ids.slice(0, 1)])
      assert.deepStrictEqual(idsOf(yield* outbox.claim(1, long)), [...crowd.ids.slice(0, 1), ...one.ids.slice(0, 1)])
      yield* clear
    }))

  it.effect("passes over what another transaction holds of those clubs too", () =>
    Effect.gen(function*() {
      const [crowd, one] = [yield* recorded(9), yield* recorded(4)]
      const { first, second } = yield* claimedAtOnce(2, 2)
      assert.deepStrictEqual(second, [...crowd.ids.slice(2, 4), ...one.ids.slice(2)])
      assert.deepStrictEqual(first, [...crowd.ids.slice(0, 2), ...one.ids.slice(0, 2)])
      yield* clear
    }))

  it.effect("gives a share to the facts of work that had waited for long, beside a crowd of facts of now", () =>
    Effect.gen(function*() {
      const outbox = yield* Outbox
      const events = yield* Events
      yield* TestClock.adjust("10 days")
      const crowd = yield* recorded(5)
      const other = yield* makeClub()
      const late = new QueuedWork("row 1", DateTime.subtract(yield* DateTime.now, { days: 2 }))
      const facts = [created(yield* makeStudent(other))]
      const [id = assert.fail()] = yield* events.recordAll(other.id, facts, [{ work: late }])
      assert.deepStrictEqual(timeOf(id), late.at)
      yield* TestClock.adjust("1 minute")
      const from = Option.getOrThrow(yield* outbox.peek(4))
      assert.deepStrictEqual(idsOf(yield* outbox.claim(4, from)), [...crowd.ids.slice(0, 4), id])
      yield* clear
    }))

  it.effect("says when the earliest of the next facts was recorded, and gives none that was recorded before a moment", () =>
    Effect.gen(function*() {
      const outbox = yield* Outbox
      const { club, ids } = yield* recorded(3)
      const [first, second] = yield* outboxOf(club)
      assert(first !== undefined && second !== undefined)
      assert.deepStrictEqual(yield* outbox.peek(10), Option.some(first.occurred_at))
      assert.deepStrictEqual(idsOf(yield* outbox.claim(10, second.occurred_at)), ids.slice(1))
      yield* clear
    }))

  it.effect("gives a fact that happened long before it was recorded", () =>
    Effect.gen(function*() {
      const outbox = yield* Outbox
      const events = yield* Events
      const club = yield* makeClub()
      const student = yield* makeStudent(club)
      const recorded_at = yield* DateTime.now
      const occurred_at = DateTime.subtract(recorded_at, { days: 400 })
      const id = yield* events.record(club.id, updated(student), occurred_at)
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* outbox.peek(10), Option.some(recorded_at))
      const [claimed] = yield* outbox.claim(10, recorded_at)
      assert.deepInclude(claimed, { id, occurred_at })
      yield* clear
    }))

  it.effect("puts off one fact, longer each time, and leaves the others", () =>
    Effect.gen(function*() {
      const outbox = yield* Outbox
      const { club, ids } = yield* recorded(2)
      for (const [n, wait] of [10, 20, 40].entries()) {
        const [fact] = yield* outbox.claimByKey([{ club_id: club.id, id: ids[0] ?? assert.fail() }])
        assert(fact?.failures === n)
        yield* outbox.postpone(fact)
        yield* TestClock.adjust(Duration.seconds(wait - 1))
        assert.deepStrictEqual(idsOf(yield* outbox.claim(10, long)), ids.slice(1))
        yield* TestClock.adjust("1 second")
        assert.strictEqual((yield* outbox.claim(10, long)).length, 2)
      }
      yield* clear
    }))

  it.effect("removes what it is told to remove", () =>
    Effect.gen(function*() {
      const outbox = yield* Outbox
      const { club, ids } = yield* recorded(3)
      yield* outbox.remove(ids.slice(0, 2).map((id) => ({ club_id: club.id, id })))
      assert.deepStrictEqual(idsOf(yield* outboxOf(club)), ids.slice(2))
      yield* clear
    }))

  it.effect("tells since when the oldest due fact has been due", () =>
    Effect.gen(function*() {
      const outbox = yield* Outbox
      assert.isTrue(Option.isNone(yield* outbox.oldestDue))
      const { club } = yield* recorded(2)
      const [first] = yield* outboxOf(club)
      assert.deepStrictEqual(yield* outbox.oldestDue, Option.fromUndefinedOr(first?.due_at))
      yield* clear
    }))
})

describe("A fact that is put off", () => {
  it("waits 10 seconds, then twice as long each time, up to 10 minutes", () => {
    const waits = [1, 2, 3, 6, 7, 8, 1000].map((failures) => Duration.toSeconds(delayAfter(failures)))
    assert.deepStrictEqual(waits, [10, 20, 40, 320, 600, 600, 600])
  })
})
