import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { SessionStore } from "../../../src/identity/sessions/SessionStore.ts"
import { AppLayer, appLayer, at, enrolledStudent, foundClub, send } from "../../harness/App.ts"
import { SpansLayer, statements } from "../../harness/Statements.ts"
import { currentSession } from "../../membership/accounts/People.ts"

const day = 86_400_000
const hour = 3_600_000

/** A person with a new session. */
const holders = {
  "an administrator": { idle: 7 * day, max: 30 * day, enter: Effect.suspend(() => foundClub()) },
  "a student": {
    idle: 30 * day,
    max: 180 * day,
    enter: Effect.flatMap(Effect.suspend(() => foundClub()), enrolledStudent)
  }
}

const isLive = (token: string) => Effect.map(currentSession(token), ({ status }) => status === 200)

const writesOf = (token: string) =>
  Effect.map(statements(currentSession(token)), (run) => run.filter((text) => text.startsWith("update")).length)

/** Uses the session at this interval until this long from now. Answers how long it lived. */
const keepUsing = Effect.fnUntraced(function*(token: string, every: number, until: number) {
  for (let passed = every; passed <= until; passed += every) {
    yield* TestClock.adjust(every)
    if (!(yield* isLive(token))) return passed
  }
  return until
})

const TestLayer = AppLayer.pipe(Layer.provideMerge(SpansLayer))

for (const [person, { enter, idle, max }] of Object.entries(holders)) {
  layer(TestLayer)(`A session of ${person}`, (it) => {
    it.effect("ends after its idle time, to the millisecond", () =>
      Effect.gen(function*() {
        const [used, unused] = [yield* enter, yield* enter]
        yield* TestClock.adjust(idle - 1)
        assert.isTrue(yield* isLive(used.token))
        yield* TestClock.adjust(1)
        assert.isFalse(yield* isLive(unused.token))
        assert.isTrue(yield* isLive(used.token))
      }))

    it.effect("lives on while it is used, but never past its absolute end", () =>
      Effect.gen(function*() {
        const { token } = yield* enter
        assert.strictEqual(yield* keepUsing(token, max / 12, max - max / 12), max - max / 12)
        yield* TestClock.adjust(max / 12 - 1)
        assert.isTrue(yield* isLive(token))
        yield* TestClock.adjust(1)
        assert.isFalse(yield* isLive(token))
      }))

    it.effect("says when it will end: the earlier of both ends", () =>
      Effect.gen(function*() {
        const { token } = yield* enter
        const start = yield* DateTime.now
        const endOf = Effect.map(currentSession(token), ({ json }) => at(json, "data", "session", "expires_at"))
        const after = (millis: number) => DateTime.formatIso(DateTime.add(start, { milliseconds: millis }))
        assert.strictEqual(yield* endOf, after(idle))
        yield* TestClock.adjust(2 * hour)
        assert.strictEqual(yield* endOf, after(2 * hour + idle))
        yield* keepUsing(token, max / 12, max - max / 12)
        assert.strictEqual(yield* endOf, after(max))
      }))

    it.effect("writes that it was used once an hour at most", () =>
      Effect.gen(function*() {
        const { token } = yield* enter
        yield* TestClock.adjust(hour - 1)
        assert.strictEqual(yield* writesOf(token), 0)
        yield* TestClock.adjust(1)
        assert.strictEqual(yield* writesOf(token), 1)
        assert.strictEqual(yield* writesOf(token), 0)
        yield* TestClock.adjust(hour - 1)
        assert.strictEqual(yield* writesOf(token), 0)
        yield* TestClock.adjust(1)
        assert.strictEqual(yield* writesOf(token), 1)
      }))

    it.effect("that expired is answered like one that never was, and is not listed", () =>
      Effect.gen(function*() {
        const { token } = yield* enter
        yield* TestClock.adjust(idle)
        const expired = yield* currentSession(token)
        assert.strictEqual(expired.text, (yield* send("GET", "/v1/auth/session")).text)
        assert.strictEqual(expired.status, 401)
      }))
  })
}

layer(AppLayer)("The list of sessions", (it) => {
  it.effect("leaves out what has expired", () =>
    Effect.gen(function*() {
      const sessions = yield* SessionStore
      const { owner } = yield* foundClub()
      const holder = { kind: "admin", user_id: owner.id } as const
      yield* TestClock.adjust(7 * day)
      const { session } = yield* sessions.issue(holder)
      const { data } = yield* sessions.list(holder, session.id)
      assert.deepStrictEqual(data.map(({ id }) => id), [session.id])
    }))

  it.effect("and the tables lose what has expired for good", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const sessions = yield* SessionStore
      yield* enrolledStudent(yield* foundClub())
      yield* TestClock.adjust(180 * day)
      const fresh = yield* foundClub()
      yield* sessions.sweep
      const rows = yield* sql`
        select (select count(*)::int from user_sessions) as users, (select count(*)::int from student_sessions) as students`
      assert.deepStrictEqual(rows, [{ users: 1, students: 0 }])
      assert.isTrue(Option.isSome(yield* sessions.find(Redacted.make(fresh.token), Option.none())))
    }))
})

layer(appLayer({ ADMIN_SESSION_IDLE: "10 minutes", ADMIN_SESSION_MAX: "1 hour" }))(
  "With an idle time below an hour a session",
  (it) => {
    it.effect("lives on while it is used all the same", () =>
      Effect.gen(function*() {
        const { token } = yield* foundClub()
        assert.strictEqual(yield* keepUsing(token, 5 * 60_000, 2 * hour), hour)
      }))
  }
)
