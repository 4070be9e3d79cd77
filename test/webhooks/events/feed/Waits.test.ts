import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { setImmediate } from "node:timers/promises"
import { mostOfCredential } from "../../../../src/webhooks/history/live/StreamPlaces.ts"
import { updated } from "../../../events/EventsLayer.ts"
import { at, outcome, send } from "../../../harness/App.ts"
import { eventsIn, followPath } from "../../../harness/EventStream.ts"
import { SpansLayer, traced } from "../../../harness/Statements.ts"
import {
  type ClubWithStudent,
  clubWithStudent,
  cursorIn,
  FeedLayer,
  happen,
  numbersIn,
  readFeed,
  scopedKey,
  signUps
} from "./Reading.ts"

/** Gives the service, the database and the test clock a turn. */
const turn = Effect.gen(function*() {
  yield* TestClock.adjust("150 millis")
  yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select 1`)
  yield* Effect.promise(() => setImmediate())
})

/** The answer, once its time has come. */
const ended = <A, E>(fiber: Fiber.Fiber<A, E>) =>
  Effect.gen(function*() {
    while (fiber.pollUnsafe() === undefined) yield* turn
    return yield* Fiber.join(fiber)
  })

/** A read that has begun to wait. */
const waiting = Effect.fnUntraced(function*(club: ClubWithStudent, query: string) {
  const [fiber, begun] = yield* traced(Effect.forkChild(readFeed(club, query)))
  let waits = begun
  while (!waits.some(({ name }) => name === "FeedWaits.wait")) {
    assert.isUndefined(fiber.pollUnsafe(), "It did not wait")
    waits = (yield* traced(turn))[1]
  }
  return fiber
})

layer(FeedLayer.pipe(Layer.provideMerge(SpansLayer)))("A read that waits", (it) => {
  it.effect("has what comes meanwhile", () =>
    Effect.gen(function*() {
      const club = yield* clubWithStudent
      const fiber = yield* waiting(club, `?after=${cursorIn(yield* readFeed(club))}&wait=30`)
      yield* signUps(yield* clubWithStudent, 1)
      yield* signUps(club, 2)
      assert.deepStrictEqual(numbersIn(yield* ended(fiber)), [1, 2])
    }))

  it.effect("goes on waiting where what comes passes no filter, and is empty when its time is over", () =>
    Effect.gen(function*() {
      const club = yield* clubWithStudent
      const fiber = yield* waiting(club, "?after=latest&type=student.created&wait=20")
      yield* happen(club, updated(club.student))
      yield* Effect.replicateEffect(turn, 20)
      assert.isUndefined(fiber.pollUnsafe())
      const answer = yield* ended(fiber)
      assert.deepStrictEqual([answer.status, numbersIn(answer)], [200, []])
      // The reader has read this event.
      assert.deepStrictEqual(numbersIn(yield* readFeed(club, `?after=${cursorIn(answer)}`)), [])
    }))

  it.effect("does not wait where there is something", () =>
    Effect.gen(function*() {
      const club = yield* clubWithStudent
      yield* signUps(club, 1)
      assert.deepStrictEqual(numbersIn(yield* readFeed(club, "?wait=30")), [1])
    }))

  it.effect("tells nothing to a session that was ended meanwhile", () =>
    Effect.gen(function*() {
      const club = yield* clubWithStudent
      const fiber = yield* waiting(club, "?wait=30")
      yield* send("DELETE", "/v1/auth/session", club)
      yield* signUps(club, 1)
      const answer = yield* ended(fiber)
      assert.deepStrictEqual([answer.status, numbersIn(answer)], [200, []])
      assert.strictEqual((yield* readFeed(club, "?wait=30")).status, 401)
    }))

  it.effect("takes one of the places of a session, and gives it back", () =>
    Effect.gen(function*() {
      const club = yield* clubWithStudent
      const fibers = yield* Effect.replicateEffect(waiting(club, "?wait=30"), mostOfCredential)
      const refused = yield* readFeed(club, "?wait=30")
      assert.deepStrictEqual(outcome(refused), [429, "delivery_stream_limit_reached"])
      assert.strictEqual(refused.headers["retry-after"], "5")
      assert.strictEqual((yield* readFeed(club)).status, 200)
      const [one] = fibers
      yield* signUps(club, 1)
      for (const fiber of fibers) yield* ended(fiber)
      assert.isDefined(one)
      yield* Fiber.interrupt(yield* waiting(club, "?after=latest&wait=30"))
    }))

  it.effect("waits for 30 seconds at most", () =>
    Effect.gen(function*() {
      const club = yield* clubWithStudent
      for (const wait of ["31", "-1", "1.5", "x"]) {
        assert.strictEqual((yield* readFeed(club, `?wait=${wait}`)).status, 422, wait)
      }
    }))
})

const follow = ({ path, token }: ClubWithStudent, query = "", last?: string) =>
  followPath(`${path}/events/stream${query}`, token, last)

const told = (wire: string) => eventsIn(wire).map(({ data, event }) => event === "event" ? at(data, "number") : event)

layer(FeedLayer)("A stream of the feed", (it) => {
  it.effect("tells every event as the list has it, and when no more is there yet", () =>
    Effect.scoped(Effect.gen(function*() {
      const club = yield* clubWithStudent
      yield* signUps(club, 2)
      const { heard, until } = yield* follow(club)
      yield* until(({ wire }) => told(wire).includes("caught_up"))
      assert.match(String(heard.headers.get("content-type")), /^text\/event-stream/)
      assert.strictEqual(heard.headers.get("cache-control"), "no-store")
      assert.isTrue(heard.wire.startsWith("retry: 1000\n\n"))
      const listed = yield* readFeed(club)
      const [first, , end] = eventsIn(heard.wire)
      assert.deepStrictEqual(first?.data, at(listed.json, "data", 0))
      assert.deepStrictEqual(first?.id, at(listed.json, "data", 0, "cursor"))
      assert.deepStrictEqual(end, { id: cursorIn(listed), event: "caught_up", data: { cursor: cursorIn(listed) } })
      yield* signUps(club, 1)
      yield* until(({ wire }) => told(wire).length === 5)
      assert.deepStrictEqual(told(heard.wire), [1, 2, "caught_up", 3, "caught_up"])
    })))

  it.effect("goes on behind the last event that was received, also where that was none", () =>
    Effect.scoped(Effect.gen(function*() {
      const club = yield* clubWithStudent
      const nothing = yield* follow(club, "?after=latest")
      yield* nothing.until(({ wire }) => told(wire).length === 1)
      yield* nothing.close
      yield* signUps(club, 2)
      const last = eventsIn(nothing.heard.wire).at(-1)?.id
      const again = yield* follow(club, "?after=latest", last)
      yield* again.until(({ wire }) => told(wire).length === 3)
      assert.deepStrictEqual(told(again.heard.wire), [1, 2, "caught_up"])
      const [first] = eventsIn(again.heard.wire)
      const third = yield* follow(club, "", first?.id)
      yield* third.until(({ wire }) => told(wire).length === 2)
      assert.deepStrictEqual(told(third.heard.wire), [2, "caught_up"])
      const wrong = yield* send("GET", `${club.path}/events/stream`, { ...club, headers: { "last-event-id": "7" } })
      assert.deepStrictEqual(outcome(wrong), [400, "invalid_cursor"])
    })))

  it.effect("tells more than a page has", () =>
    Effect.scoped(Effect.gen(function*() {
      const club = yield* clubWithStudent
      yield* signUps(club, 120)
      const { heard, until } = yield* follow(club)
      yield* until(({ wire }) => told(wire).includes("caught_up"))
      assert.deepStrictEqual<unknown>(told(heard.wire), [...Array.from({ length: 120 }, (_, n) => n + 1), "caught_up"])
    })))

  it.effect("ends with the session, and tells nothing after it", () =>
    Effect.scoped(Effect.gen(function*() {
      const club = yield* clubWithStudent
      const { heard, until } = yield* follow(club)
      yield* until(({ wire }) => told(wire).length === 1)
      yield* send("DELETE", "/v1/auth/session", club)
      yield* signUps(club, 1)
      yield* until(({ ended }) => ended)
      assert.deepStrictEqual(told(heard.wire), ["caught_up"])
    })))

  it.effect("ends with the key that opened it, within seconds, where there is nothing to tell", () =>
    Effect.scoped(Effect.gen(function*() {
      const club = yield* clubWithStudent
      const key = yield* scopedKey(club, "webhooks:read")
      const { heard, until } = yield* follow({ ...club, token: key.token })
      yield* until(({ wire }) => told(wire).length === 1)
      yield* send("DELETE", `${club.path}/keys/${key.id}`, club)
      yield* until(({ ended }) => ended)
      assert.notInclude(heard.wire, ": still there")
    })))

  it.effect("has a comment every 15 seconds, and ends after 5 minutes with a time to come back", () =>
    Effect.scoped(Effect.gen(function*() {
      const club = yield* clubWithStudent
      const { heard, until } = yield* follow(club)
      yield* until(({ ended }) => ended)
      const blocks = heard.wire.split("\n\n")
      const comments = blocks.filter((block) => block.startsWith(":")).length
      assert.isAtLeast(comments, 14)
      assert.isAtMost(comments, 20)
      assert.deepStrictEqual(blocks.slice(-2), ["retry: 1000", ""])
    })))
})
