import { assert, layer } from "@effect/vitest"
import { Clock, DateTime, Duration, Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Events } from "../../../../src/events/Events.ts"
import { ClockGuard } from "../../../../src/platform/jobs/ClockGuard.ts"
import { created, outboxOf, typesOf, updated } from "../../../events/EventsLayer.ts"
import { makeClub, makeStudent } from "../../../harness/Makers.ts"
import { warmPool } from "../../../harness/Pool.ts"
import { SpansLayer, statements } from "../../../harness/Statements.ts"
import {
  assembleDue,
  assemblyLayer,
  completed,
  deliveriesOf,
  guardedAssemblyLayer,
  makeEndpoint,
  messagesOf
} from "./Assembly.ts"

const TestLayer = assemblyLayer.pipe(Layer.provideMerge(SpansLayer))

/** A club with one student and an empty outbox, without the delayed events of earlier tests. */
const openClub = Effect.gen(function*() {
  const club = yield* makeClub()
  yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`delete from event_outbox`)
  return { club, student: yield* makeStudent(club), events: yield* Events }
})

/** Runs the work and returns its log lines. */
const logged = Effect.fnUntraced(function*<A, E, R>(work: Effect.Effect<A, E, R>) {
  const lines: Array<string> = []
  const logger = Logger.map(Logger.formatJson, (line) => lines.push(line))
  yield* Effect.provide(work, Logger.layer([logger]))
  return lines
})

const courseEndpoint = { event_types: ["course.completed"] }

layer(TestLayer)("The assembly of a fact", (it) => {
  it.effect("makes one message, and one delivery to each endpoint that is enabled or paused and lists the type", () =>
    Effect.gen(function*() {
      const { club, events, student } = yield* openClub
      const enabled = yield* makeEndpoint(club)
      const paused = yield* makeEndpoint(club, { status: "paused" })
      yield* makeEndpoint(club, { status: "disabled" })
      yield* makeEndpoint(club, { deleted: true })
      yield* makeEndpoint(club, { event_types: ["student.updated", "webhook.test"] })
      yield* makeEndpoint(yield* makeClub())
      const id = yield* events.record(club.id, created(student))
      assert.strictEqual(yield* assembleDue(), 1)
      assert.deepStrictEqual((yield* messagesOf(club)).map((message) => message.id), [id])
      const deliveries = yield* deliveriesOf(club)
      assert.sameMembers(deliveries.map(({ endpoint_id }) => endpoint_id), [enabled, paused])
      assert.deepStrictEqual(deliveries.map(({ event_id }) => event_id), [id, id])
      assert.deepStrictEqual(yield* outboxOf(club), [])
    }))

  it.effect("gives an endpoint what its club did and what it lists, whatever else is in the batch", () =>
    Effect.gen(function*() {
      const { club, events, student } = yield* openClub
      const other = yield* makeClub()
      const stranger = yield* makeStudent(other)
      const endpoint = yield* makeEndpoint(club)
      const theirs = yield* makeEndpoint(other, { event_types: ["student.updated"] })
      const all = yield* events.recordAll(club.id, [created(student), updated(student)])
      const [mine] = all
      const [, their] = yield* events.recordAll(other.id, [created(stranger), updated(stranger)])
      // The batch succeeds at once: a retry of single facts would hide a fault.
      assert.deepStrictEqual(yield* logged(assembleDue()), [])
      const pairs = [...(yield* deliveriesOf(club)), ...(yield* deliveriesOf(other))]
        .map(({ endpoint_id, event_id }) => [endpoint_id, event_id])
      assert.deepStrictEqual<unknown>(pairs, [[endpoint, mine], [theirs, their]])
      assert.deepStrictEqual<unknown>((yield* messagesOf(club)).map(({ id }) => id), all)
    }))

  it.effect("gives an endpoint nothing that was recorded before there was the endpoint", () =>
    Effect.gen(function*() {
      const { club, events, student } = yield* openClub
      const before = yield* makeEndpoint(club)
      const older = yield* events.record(club.id, created(student))
      const after = yield* makeEndpoint(club)
      const younger = yield* events.record(club.id, created(student))
      assert.strictEqual(yield* assembleDue(), 2)
      const got = (yield* deliveriesOf(club)).map(({ endpoint_id, event_id }) => [endpoint_id, event_id])
      assert.sameDeepMembers<unknown>(got, [[before, older], [before, younger], [after, younger]])
    }))

  it.effect("gives an endpoint what is recorded after it by a process whose clock is behind", () =>
    Effect.gen(function*() {
      const { club, events, student } = yield* openClub
      const clock = yield* Clock.Clock
      const endpoint = yield* makeEndpoint(club)
      const behind = () => clock.currentTimeMillisUnsafe() - 30_000
      yield* events.record(club.id, created(student)).pipe(Effect.provideService(Clock.Clock, {
        ...clock,
        currentTimeMillisUnsafe: behind,
        currentTimeMillis: Effect.sync(behind)
      }))
      yield* assembleDue()
      assert.deepStrictEqual((yield* deliveriesOf(club)).map(({ endpoint_id }) => endpoint_id), [endpoint])
    }))

  it.effect("gives an endpoint what was recorded before there was an order", () =>
    Effect.gen(function*() {
      const { club, events, student } = yield* openClub
      const id = yield* events.record(club.id, created(student))
      yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`update event_outbox set place = null where id = ${id}`)
      const endpoint = yield* makeEndpoint(club)
      yield* assembleDue()
      assert.deepStrictEqual(
        (yield* deliveriesOf(club)).map(({ endpoint_id }) => endpoint_id),
        [endpoint]
      )
    }))

  it.effect("makes deliveries that are pending, due at once, and of the moment of their message", () =>
    Effect.gen(function*() {
      const { club, events, student } = yield* openClub
      yield* makeEndpoint(club)
      const occurred = yield* DateTime.now
      yield* events.record(club.id, created(student))
      yield* assembleDue()
      const now = yield* DateTime.now
      const [delivery] = yield* deliveriesOf(club)
      const [message] = yield* messagesOf(club)
      assert.deepInclude(delivery, {
        event_type: "student.created",
        student_id: student.id,
        status: "pending",
        trigger: "schedule",
        body_erased: false,
        next_attempt_at: now,
        created_at: now
      })
      assert.deepInclude(message, { type: "student.created", student_id: student.id, created_at: now })
      assert.deepStrictEqual(message?.occurred_at, occurred)
    }))

  it.effect("sends what happened before bodies are kept if it was recorded now, as of when it happened", () =>
    Effect.gen(function*() {
      const { club, events, student } = yield* openClub
      yield* makeEndpoint(club)
      const occurred_at = DateTime.subtract(yield* DateTime.now, { days: 45 })
      yield* events.record(club.id, created(student), occurred_at)
      yield* assembleDue()
      const [delivery] = yield* deliveriesOf(club)
      const [message] = yield* messagesOf(club)
      assert.deepInclude(delivery, { status: "pending" })
      assert.deepStrictEqual(message?.occurred_at, occurred_at)
      assert.deepInclude(JSON.parse(message?.body ?? ""), { occurred_at: DateTime.formatIso(occurred_at) })
    }))

  it.effect("sends the envelope: id, type, occurred_at, public club_id and data, in this order", () =>
    Effect.gen(function*() {
      const { club, events, student } = yield* openClub
      yield* makeEndpoint(club)
      const occurred_at = DateTime.formatIso(yield* DateTime.now)
      const id = yield* events.record(club.id, created(student))
      yield* assembleDue()
      const [message] = yield* messagesOf(club)
      const { email, name } = student
      const data = {
        student: { id: student.id, name, email, verified: true, created_at: occurred_at },
        origin: "sign_up"
      }
      const envelope = { id, type: "student.created", occurred_at, club_id: club.organization_id, data }
      assert.strictEqual(message?.body, JSON.stringify(envelope))
      assert.notInclude(message?.body ?? "", club.id)
    }))

  it.effect("shows the resource as it is when it is assembled", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, events, student } = yield* openClub
      yield* makeEndpoint(club)
      yield* events.record(club.id, created(student))
      yield* sql`update students set name = 'Bia Costa' where id = ${student.id}`
      yield* assembleDue()
      const [message] = yield* messagesOf(club)
      assert.include(message?.body ?? "", `"name":"Bia Costa"`)
    }))

  it.effect("keeps what is no field of the type out of the body", () =>
    Effect.gen(function*() {
      const { club, events, student } = yield* openClub
      yield* makeEndpoint(club, courseEndpoint)
      yield* events.record(club.id, yield* completed(student))
      yield* assembleDue()
      const [message] = yield* messagesOf(club)
      assert.include(message?.body ?? "", `"title":"Acordes"`)
      assert.notMatch(message?.body ?? "", /document|123\.456/)
    }))

  it.effect("makes a message and no delivery where no endpoint lists the type, for those who only pull", () =>
    Effect.gen(function*() {
      const { club, events, student } = yield* openClub
      yield* makeEndpoint(club)
      const id = yield* events.record(club.id, yield* completed(student))
      assert.strictEqual(yield* assembleDue(), 1)
      assert.deepStrictEqual<unknown>((yield* messagesOf(club)).map((message) => message.id), [id])
      assert.deepStrictEqual([yield* deliveriesOf(club), yield* outboxOf(club)], [[], []])
    }))

  it.effect("waits until the fact is due", () =>
    Effect.gen(function*() {
      const { club, events, student } = yield* openClub
      yield* makeEndpoint(club)
      assert.strictEqual(yield* assembleDue(), 0)
      yield* events.record(club.id, created(student))
      yield* TestClock.adjust("-1 millis")
      assert.strictEqual(yield* assembleDue(), 0)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* assembleDue(), 1)
    }))

  it.effect("takes as many facts as it is told, those due longest first", () =>
    Effect.gen(function*() {
      const { club, events, student } = yield* openClub
      yield* makeEndpoint(club, { event_types: ["student.created", "student.updated"] })
      yield* events.record(club.id, created(student))
      yield* TestClock.adjust("1 second")
      yield* events.recordAll(club.id, [updated(student), updated(student)])
      assert.strictEqual(yield* assembleDue(2), 2)
      assert.deepStrictEqual(typesOf(yield* messagesOf(club)), ["student.created", "student.updated"])
      assert.strictEqual(yield* assembleDue(2), 1)
      assert.strictEqual((yield* messagesOf(club)).length, 3)
    }))

  it.effect("takes no more statements for many facts than for one", () =>
    Effect.gen(function*() {
      const { club, events, student } = yield* openClub
      yield* makeEndpoint(club)
      yield* makeEndpoint(club)
      yield* events.record(club.id, created(student))
      const one = yield* statements(assembleDue())
      yield* events.recordAll(club.id, Array.from({ length: 40 }, () => created(student)))
      const many = yield* statements(assembleDue())
      assert.strictEqual(many.length, one.length)
      // The nine: peek, transaction, claim, endpoints, students, messages, deliveries, outbox, lanes.
      assert.strictEqual(one.length, 9, one.join("\n"))
      assert.strictEqual((yield* deliveriesOf(club)).length, 82)
    }))

  it.effect("asks once where nothing is due", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* statements(assembleDue())).length, 1)
    }))
})

layer(TestLayer)("A fact that cannot be assembled", (it) => {
  it.effect("is put off with an error, and the others of its batch go on", () =>
    Effect.gen(function*() {
      const { club, events, student } = yield* openClub
      yield* makeEndpoint(club, { event_types: ["student.created", "course.completed"] })
      const good = yield* events.recordAll(club.id, [created(student), yield* completed(student), created(student)])
      const bad = yield* events.record(club.id, yield* completed(student, Effect.die(new Error("boom"))))
      const more = yield* events.recordAll(club.id, [yield* completed(student), created(student)])
      const lines = yield* logged(assembleDue())
      assert.sameMembers((yield* messagesOf(club)).map(({ id }) => id), [...good, ...more])
      assert.strictEqual((yield* deliveriesOf(club)).length, 5)
      const [left, ...others] = yield* outboxOf(club)
      assert.deepStrictEqual(others, [])
      assert.deepInclude(left, { id: bad, failures: 1, due_at: DateTime.add(yield* DateTime.now, { seconds: 10 }) })
      const errors = lines.filter((line) => line.includes(`"ERROR"`))
      assert.strictEqual(errors.length, 1)
      assert.include(errors[0], bad)
      assert.include(errors[0], "boom")
    }))

  it.effect("is assembled when it can be", () =>
    Effect.gen(function*() {
      const { club, events, student } = yield* openClub
      yield* makeEndpoint(club, courseEndpoint)
      let broken = true
      const read = Effect.suspend(() => broken ? Effect.die("boom") : Effect.succeed(true))
      const id = yield* events.record(club.id, yield* completed(student, read))
      yield* logged(assembleDue())
      broken = false
      yield* TestClock.adjust("7 seconds")
      assert.strictEqual(yield* assembleDue(), 0)
      assert.strictEqual(yield* assembleDue(), 1)
      assert.deepStrictEqual((yield* deliveriesOf(club)).map(({ event_id }) => event_id), [id])
    }))

  it.effect("waits for a release that knows its type", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, events, student } = yield* openClub
      yield* makeEndpoint(club, { event_types: ["student.created", "student.praised"] })
      const unknown = yield* events.record(club.id, updated(student))
      yield* sql`update event_outbox set type = 'student.praised' where id = ${unknown}`
      yield* events.record(club.id, created(student))
      const lines = yield* logged(assembleDue())
      assert.include(lines.join(), "No source for events of the type student.praised")
      assert.deepStrictEqual(typesOf(yield* messagesOf(club)), ["student.created"])
      assert.deepStrictEqual((yield* outboxOf(club)).map(({ id }) => id), [unknown])
    }))

  it.effect("is dropped with a warning where what it is about is gone", () =>
    Effect.gen(function*() {
      const { club, events, student } = yield* openClub
      yield* makeEndpoint(club, courseEndpoint)
      const gone = yield* events.record(club.id, yield* completed(student, Effect.succeed(false)))
      const there = yield* events.record(club.id, yield* completed(student))
      const lines = yield* logged(assembleDue())
      assert.deepStrictEqual((yield* deliveriesOf(club)).map(({ event_id }) => event_id), [there])
      assert.deepStrictEqual((yield* messagesOf(club)).map(({ id }) => id), [there])
      assert.deepStrictEqual(yield* outboxOf(club), [])
      assert.isTrue(lines.some((line) => line.includes(`"WARN"`) && line.includes(gone)))
    }))
})

layer(TestLayer)("An erased student", (it) => {
  const everything = { event_types: ["student.created", "student.updated", "student.removed"] }

  it.effect("has student.removed alone, with the id and nothing else", () =>
    Effect.gen(function*() {
      const { club, events, student } = yield* openClub
      yield* makeEndpoint(club, everything)
      yield* events.record(club.id, created(student))
      yield* events.eraseStudent(club.id, student.id)
      yield* events.record(club.id, updated(student))
      yield* assembleDue()
      const messages = yield* messagesOf(club)
      assert.deepStrictEqual(typesOf(messages), ["student.removed"])
      assert.deepStrictEqual(JSON.parse(messages[0]?.body ?? "").data, { student: { id: student.id } })
      assert.strictEqual((yield* deliveriesOf(club)).length, 1)
      assert.deepStrictEqual(yield* outboxOf(club), [])
    }))

  it.effect("of another club changes nothing for a student with the same facts", () =>
    Effect.gen(function*() {
      const other = yield* openClub
      const { club, events, student } = yield* openClub
      yield* makeEndpoint(club, everything)
      yield* events.eraseStudent(other.club.id, other.student.id)
      yield* events.record(club.id, created(student))
      yield* assembleDue()
      assert.deepStrictEqual(typesOf(yield* messagesOf(club)), ["student.created"])
    }))
})

layer(TestLayer)("A fact that waited for days", (it) => {
  it.effect("becomes a message of the day on which it happened", () =>
    Effect.gen(function*() {
      const { club, events, student } = yield* openClub
      yield* TestClock.adjust("100 days")
      yield* makeEndpoint(club)
      yield* events.record(club.id, created(student))
      yield* TestClock.adjust("20 days")
      assert.strictEqual(yield* assembleDue(), 1)
      const [message] = yield* messagesOf(club)
      assert.include(message?.body ?? "", student.name)
      assert.strictEqual((yield* deliveriesOf(club))[0]?.status, "pending")
    }))

  it.effect("is history without a body where a body of that age would not be kept", () =>
    Effect.gen(function*() {
      const { club, events, student } = yield* openClub
      const endpoint_id = yield* makeEndpoint(club)
      yield* events.record(club.id, created(student))
      // It is assembled 2 seconds later, at the age from which bodies are not kept, to the millisecond.
      yield* TestClock.adjust(Duration.subtract(Duration.days(30), Duration.seconds(2)))
      yield* events.record(club.id, created(student))
      assert.strictEqual(yield* assembleDue(), 2)
      const now = yield* DateTime.now
      const [late, timely] = yield* deliveriesOf(club).pipe(Effect.map((all) =>
        all.toSorted((a, b) => a.event_id < b.event_id ? -1 : 1)
      ))
      assert.deepInclude(late, {
        endpoint_id,
        status: "canceled",
        cancel_reason: "expired",
        body_erased: true,
        next_attempt_at: null,
        finished_at: now
      })
      assert.strictEqual(timely?.status, "pending")
      assert.deepStrictEqual((yield* messagesOf(club)).map(({ id }) => id), [timely?.event_id])
    }))
})

layer(TestLayer)("The lanes of an assembly", (it) => {
  it.effect("are due at once where the endpoint is enabled, and rest where it is paused", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, events, student } = yield* openClub
      const enabled = yield* makeEndpoint(club)
      yield* makeEndpoint(club, { status: "paused" })
      yield* makeEndpoint(club, courseEndpoint)
      yield* events.recordAll(club.id, [created(student), created(student)])
      yield* assembleDue()
      const woken = yield* sql`
        select endpoint_id, due_at, wakes::int as wakes from webhook_lanes where club_id = ${club.id} and wakes > 0`
      const due_at = DateTime.toDateUtc(yield* DateTime.now)
      assert.deepStrictEqual(woken, [{ endpoint_id: enabled, due_at, wakes: 1 }])
    }))
})

layer(TestLayer)("Several assemblers", (it) => {
  it.effect("share the facts: each is one delivery to each endpoint", () =>
    Effect.gen(function*() {
      yield* warmPool
      const { club, events, student } = yield* openClub
      const endpoints = [yield* makeEndpoint(club), yield* makeEndpoint(club), yield* makeEndpoint(club)]
      const ids = yield* events.recordAll(club.id, Array.from({ length: 200 }, () => created(student)))
      yield* TestClock.adjust("2 seconds")
      const worker = Effect.gen(function*() {
        let taken = 0
        for (let n = 0; n < 12; n++) taken += yield* assembleDue(7)
        return taken
      })
      const taken = yield* Effect.all([worker, worker, worker, worker], { concurrency: "unbounded" })
      assert.strictEqual(taken.reduce((a, b) => a + b), 200)
      const pairs = (yield* deliveriesOf(club)).map(({ endpoint_id, event_id }) => `${endpoint_id} ${event_id}`)
      assert.sameMembers(pairs, endpoints.flatMap((endpoint) => ids.map((id) => `${endpoint} ${id}`)))
      assert.strictEqual((yield* messagesOf(club)).length, 200)
    }))
})

const days = 40

layer(guardedAssemblyLayer(Layer.mock(ClockGuard, { ageing: Effect.map(DateTime.now, DateTime.subtract({ days })) })))(
  "A clock that jumped ahead and that nobody has confirmed",
  (it) => {
    it.effect("makes no fact too old to be told of", () =>
      Effect.gen(function*() {
        const { club, events, student } = yield* openClub
        yield* makeEndpoint(club)
        yield* events.record(club.id, created(student))
        yield* TestClock.adjust(Duration.days(days))
        yield* assembleDue()
        assert.deepStrictEqual((yield* deliveriesOf(club)).map(({ status }) => status), ["pending"])
        assert.lengthOf(yield* messagesOf(club), 1)
      }))
  }
)
