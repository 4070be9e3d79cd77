import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { ServicesLayer, WorkersLayer } from "../src/App.ts"
import { keyHolderLayer } from "../src/platform/keys/KeyHolders.ts"
import { one } from "../src/platform/sql/Rows.ts"
import { floorOf } from "../src/platform/sql/Uuid7.ts"
import { makeClub, makeStudent } from "./harness/Makers.ts"
import { serviceSettingsLayer } from "./harness/ServiceSettings.ts"
import { Stillness } from "./harness/Stillness.ts"
import { localFolder } from "./platform/storage/local/LocalFolder.ts"

// Every worker of a process, on the database and a clock that the test moves, while no request arrives.

const { folder } = localFolder()

const TestLayer = Stillness.driven(Layer.merge(WorkersLayer, keyHolderLayer("all")).pipe(Layer.provide(ServicesLayer)))
  .pipe(
    Layer.provideMerge(Stillness.layer()),
    Layer.provide(serviceSettingsLayer(folder))
  )

/** Moves the clock by this time in steps. After each step it waits until all awakened workers are idle. */
const pass = Effect.fnUntraced(function*(duration: Duration.Input, steps: Duration.Input = "250 millis") {
  const { still } = yield* Stillness
  yield* still
  const times = Math.ceil(Duration.toMillis(duration) / Duration.toMillis(steps))
  for (let n = 0; n < times; n++) yield* Effect.andThen(TestClock.adjust(steps), still)
})

const inTime = (duration: Duration.Input) =>
  Effect.map(DateTime.now, (now) => DateTime.toDateUtc(DateTime.addDuration(now, duration)))

const decodeCount = one(Schema.Struct({ count: Schema.Int }))

layer(TestLayer)("An idle process", (it) => {
  it.effect("sends one statement a second at most", () =>
    Effect.gen(function*() {
      const { sent } = yield* Stillness
      yield* pass("1 minute")
      const before = sent()
      yield* pass("10 minutes")
      assert.isAtMost(sent() - before, 600)
    }))

  it.effect("assembles a fact when it is due, and not before", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* makeClub()
      const student = yield* makeStudent(club)
      const waiting = sql`select count(*)::int as count from event_outbox where club_id = ${club.id}`.pipe(decodeCount)
      // At any moment between two looks.
      for (const after of ["1 millis", "700 millis", "1400 millis", "1999 millis"] as const) {
        yield* pass(after, after)
        const id = floorOf(yield* DateTime.now).replace("-0000-0000-", "-7000-8000-")
        yield* sql`
          insert into event_outbox (club_id, id, type, student_id, subject, occurred_at, due_at)
          values (${club.id}, ${id}, 'student.created', ${student.id}, '{"origin":"sign_up"}', ${yield* inTime(0)},
            ${yield* inTime("2 seconds")})`
        yield* pass("1999 millis", "1999 millis")
        assert.strictEqual((yield* waiting).count, 1)
        yield* pass("251 millis", "1 millis")
        assert.strictEqual((yield* waiting).count, 0)
      }
    }))

  it.effect("takes up what a process that died had claimed, when its lease is over", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const id = crypto.randomUUID()
      yield* sql`
        insert into mails (id, content, attempts, next_attempt_at, created_at)
        values (${id}, '\\x00', 1, ${yield* inTime("5 seconds")}, ${yield* inTime(0)})`
      const tried = sql`select attempts as count from mails where id = ${id}`.pipe(decodeCount)
      yield* pass("4999 millis", "4999 millis")
      assert.strictEqual((yield* tried).count, 1)
      yield* pass("1 millis", "1 millis")
      assert.strictEqual((yield* tried).count, 2)
    }))
})
