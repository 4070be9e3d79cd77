import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { setImmediate } from "node:timers/promises"
import { StreamSlots } from "../../../../src/assistant/ask/streams/StreamSlots.ts"
import { SessionStore } from "../../../../src/identity/sessions/SessionStore.ts"
import { at, outcome, send } from "../../../harness/App.ts"
import { eventually } from "../../../harness/Eventually.ts"
import { warmPool } from "../../../harness/Pool.ts"
import { type Classroom, classroom, messagePath, replyTo, WorldLayer } from "../../World.ts"
import { follow } from "./Listener.ts"

const streamsPerSession = 5

const sixth = (place: Classroom, id: string, token = place.student.token) =>
  send("GET", `${messagePath(place, id)}/stream`, { token })

/** This many open streams of the student's session. */
const followMany = Effect.fnUntraced(function*(place: Classroom, id: string, many: number) {
  const streams = yield* Effect.replicateEffect(follow(place, id), many)
  yield* Effect.forEach(streams, ({ until }) => until(({ wire }) => wire.includes("retry")))
  assert.deepStrictEqual(streams.map(({ heard }) => heard.status), streams.map(() => 200))
  return streams
})

/** Another session of the student. */
const otherSession = Effect.fnUntraced(function*({ club, student }: Classroom) {
  const sessions = yield* SessionStore
  const { access_token } = yield* sessions.issue({ kind: "student", club_id: club.id, student_id: student.id })
  return Redacted.value(access_token)
})

/** The student's session in the form of `StreamSlots`. */
const ownerOf = Effect.fnUntraced(function*({ club, student }: Classroom) {
  const sessions = yield* SessionStore
  const found = yield* sessions.find(Redacted.make(student.token), Option.some(club.organization_id))
  if (Option.isNone(found)) return yield* Effect.die(new Error("There is no session"))
  return { club_id: club.id, student_id: student.id, session_id: found.value.session.id }
})

const slotsOf = Effect.fnUntraced(function*({ club }: Classroom) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`select place from answer_streams where club_id = ${club.id} order by place`)
    .map(({ place }) => place)
})

layer(WorldLayer)("A session", (it) => {
  it.effect("follows 5 answers at a time; a sixth is 429 until one of them has ended", () =>
    Effect.scoped(Effect.gen(function*() {
      const place = yield* classroom
      const id = yield* replyTo(place)
      const [first] = yield* followMany(place, id, 5)
      const refused = yield* sixth(place, id)
      assert.deepStrictEqual(outcome(refused), [429, "stream_limit_reached"])
      const seconds = Number(refused.headers["retry-after"])
      assert.isTrue(Number.isInteger(seconds) && seconds >= 1 && seconds <= 180, `${seconds}`)
      yield* first?.close ?? Effect.void
      yield* eventually(slotsOf(place), (places) => places.length === 4)
      const again = yield* follow(place, id)
      yield* again.until(({ wire }) => wire.includes("retry"))
      assert.strictEqual(again.heard.status, 200)
      assert.deepStrictEqual(outcome(yield* sixth(place, id)), [429, "stream_limit_reached"])
    })))

  it.effect("has its slots for itself, and frees them with its end", () =>
    Effect.scoped(Effect.gen(function*() {
      const place = yield* classroom
      const id = yield* replyTo(place)
      yield* followMany(place, id, 5)
      const token = yield* otherSession(place)
      yield* followMany({ ...place, student: { ...place.student, token } }, id, 5)
      assert.deepStrictEqual(outcome(yield* sixth(place, id)), [429, "stream_limit_reached"])
      yield* send("DELETE", "/v1/auth/session", { token })
      assert.lengthOf(yield* slotsOf(place), 5)
    })))

  it.effect("is told first that there is no such answer", () =>
    Effect.scoped(Effect.gen(function*() {
      const place = yield* classroom
      const id = yield* replyTo(place)
      yield* followMany(place, id, 5)
      const unknown = "0190a000-0000-7000-8000-00000000000f"
      assert.deepStrictEqual(outcome(yield* sixth(place, unknown)), [404, "not_found"])
    })))

  it.effect("frees the slot of a stream that has sent everything", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const id = yield* replyTo(place)
      yield* send("POST", `${messagePath(place, id)}/cancel`, { token: place.student.token })
      for (let n = 0; n < 7; n++) assert.strictEqual((yield* sixth(place, id)).status, 200)
      yield* eventually(slotsOf(place), (places) => places.length === 0)
    }))
})

layer(WorldLayer)("Slots, whatever processes take them,", (it) => {
  it.effect("are never more than 5 of a session, of many at once", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const owner = yield* ownerOf(place)
      const until = DateTime.add(yield* DateTime.now, { minutes: 3 })
      yield* warmPool
      const takes = yield* Effect.replicateEffect(Layer.build(Layer.fresh(StreamSlots.layer)), 2).pipe(
        Effect.flatMap(Effect.forEach((context) => Effect.provide(StreamSlots, context))),
        Effect.map((processes) => processes.flatMap(({ take }) => Array.from({ length: 20 }, () => take(owner, until))))
      )
      for (let round = 0; round < 10; round++) {
        const taken = yield* Effect.all(takes.map(Effect.result), { concurrency: "unbounded" })
        const given = taken.filter(Result.isSuccess).map(({ success }) => success)
        assert.isAtMost(given.length, streamsPerSession)
        assert.isAbove(given.length, 0)
        assert.lengthOf(yield* slotsOf(place), given.length)
        yield* Effect.all(given, { concurrency: "unbounded", discard: true })
        assert.deepStrictEqual(yield* slotsOf(place), [])
      }
    }).pipe(Effect.scoped))
})

layer(WorldLayer)("A slot whose process died", (it) => {
  it.effect("is free again after the 3 minutes that a stream lasts at most", () =>
    Effect.scoped(Effect.gen(function*() {
      const place = yield* classroom
      const id = yield* replyTo(place)
      const { take } = yield* Effect.provide(StreamSlots, yield* Layer.build(StreamSlots.layer))
      const owner = yield* ownerOf(place)
      const until = DateTime.add(yield* DateTime.now, { minutes: 3 })
      yield* Effect.replicateEffect(take(owner, until), streamsPerSession)
      const refused = yield* sixth(place, id)
      assert.deepStrictEqual([refused.status, refused.headers["retry-after"]], [429, "180"])
      yield* TestClock.adjust("3 minutes")
      const { heard, until: hear } = yield* follow(place, id)
      yield* hear(({ wire }) => wire.includes("retry"))
      assert.strictEqual(heard.status, 200)
      assert.strictEqual(at(heard, "ended"), false)
    })))
})

layer(WorldLayer)("A stream that nobody hears", (it) => {
  it.effect("has freed its slot, at whatever moment its client left", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const id = yield* replyTo(place)
      const turn = Effect.promise(() => setImmediate())
      for (let round = 0; round < 40; round++) {
        for (let n = 0; n < 4; n++) {
          yield* Effect.scoped(Effect.gen(function*() {
            yield* follow(place, id)
            yield* Effect.replicateEffect(turn, round, { discard: true })
          }))
        }
        yield* eventually(slotsOf(place), (places) => places.length === 0)
      }
    }))

  it.effect("has none where only its head is asked for", () =>
    Effect.gen(function*() {
      const place = yield* classroom
      const id = yield* replyTo(place)
      for (let n = 0; n < 6; n++) {
        const { status } = yield* send("HEAD", `${messagePath(place, id)}/stream`, { token: place.student.token })
        assert.strictEqual(status, 200)
        yield* eventually(slotsOf(place), (places) => places.length === 0)
      }
    }))
})
