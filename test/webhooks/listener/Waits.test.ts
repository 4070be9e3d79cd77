import { assert, layer } from "@effect/vitest"
import { Clock, Duration, Effect, Fiber, Layer, Queue } from "effect"
import { SqlClient } from "effect/sql"
import { SessionStore } from "../../../src/identity/sessions/SessionStore.ts"
import { makeShutdown, Shutdown } from "../../../src/platform/processes/Shutdown.ts"
import { Notifications } from "../../../src/platform/sql/Connections.ts"
import { Partitions } from "../../../src/platform/sql/Partitions.ts"
import { pollsChannel } from "../../../src/webhooks/listener/ListenersRepo.ts"
import { AppLayer, at, codeOf, foundClub, outcome, send } from "../../harness/App.ts"
import { makeDelivery } from "../../harness/Webhooks.ts"
import { sendTest, setStatus } from "../Registering.ts"
import { handedIn, type Listening, poll, polled, resultOf, startListening, tell } from "./Listening.ts"

// Uses the real clock, since the wake of a poll comes over its own connection.

const testLayer = () =>
  Partitions.layer.pipe(
    Layer.provideMerge(AppLayer),
    Layer.provideMerge(Layer.sync(Shutdown, makeShutdown))
  )

const options = { excludeTestServices: true } as const

/** Starts a poll for each listener. Ends once all of them have announced that they wait. */
const allWaiting = <A, E, R>(
  listeners: ReadonlyArray<Listening>,
  begin: (listener: Listening) => Effect.Effect<A, E, R>
) =>
  Effect.scoped(Effect.gen(function*() {
    const told = yield* (yield* Notifications).listen(pollsChannel)
    const fibers = yield* Effect.forEach(listeners, (listener) => Effect.forkChild(begin(listener)))
    const missing = new Set<string>(listeners.map(({ endpoint_id }) => endpoint_id))
    while (missing.size > 0) missing.delete((yield* Queue.take(told)).payload.split(" ")[0] ?? "")
    return fibers
  }))

/** A poll that waits, and its duration in milliseconds. */
const waiting = Effect.fnUntraced(function*(listener: Listening, query = "?wait=20") {
  const [fiber = assert.fail()] = yield* allWaiting([listener], () =>
    Effect.gen(function*() {
      const begun = yield* Clock.currentTimeMillis
      const answer = yield* poll(listener, query)
      return { ...answer, millis: (yield* Clock.currentTimeMillis) - begun }
    }))
  return fiber
})

const listening = Effect.flatMap(foundClub(), (club) => startListening(club))

layer(testLayer(), options)("A poll that waits", (it) => {
  it.effect("ends as soon as something is due, and the next one gets it", () =>
    Effect.gen(function*() {
      const listener = yield* listening
      const fiber = yield* waiting(listener)
      const tested = yield* sendTest(listener.endpoint)
      const answer = yield* Fiber.join(fiber)
      assert.deepStrictEqual([answer.status, handedIn(answer)], [200, []])
      assert.isBelow(answer.millis, 5000)
      const [handed] = yield* polled(listener, "?wait=20")
      assert.strictEqual(handed?.delivery_id, at(tested.json, "data", "id"))
    }))

  it.effect("ends when the time is over", () =>
    Effect.gen(function*() {
      const answer = yield* Fiber.join(yield* waiting(yield* listening, "?wait=1"))
      assert.deepStrictEqual([answer.status, handedIn(answer)], [200, []])
      assert.isAtLeast(answer.millis, 1000)
    }))

  it.effect("ends when the next attempt of what failed is due", () =>
    Effect.gen(function*() {
      const listener = yield* listening
      yield* makeDelivery(listener)
      const [handed] = yield* polled(listener)
      if (handed === undefined) return assert.fail("Nothing was handed out")
      yield* tell(listener, resultOf(handed, { status_code: 500 }))
      const answer = yield* Fiber.join(yield* waiting(listener))
      assert.isBelow(answer.millis, 15_000)
      assert.lengthOf(yield* polled(listener), 1)
    }))

  it.effect("hears of an attempt that has failed while it waits", () =>
    Effect.gen(function*() {
      const listener = yield* listening
      const { id } = yield* makeDelivery(listener)
      const [handed] = yield* polled(listener)
      if (handed === undefined) return assert.fail("Nothing was handed out")
      const fiber = yield* waiting(listener, `?wait=20&except=${id}`)
      yield* Effect.sleep("400 millis")
      assert.isUndefined(fiber.pollUnsafe(), "What is in hand is not due")
      yield* tell(listener, resultOf(handed, { status_code: 500 }))
      const [took, answer] = yield* Effect.timed(Fiber.join(fiber))
      assert.strictEqual(answer.status, 200)
      assert.isBelow(Duration.toMillis(took), 5000)
    }))

  it.effect("ends with 409 when another one of the same listener begins", () =>
    Effect.gen(function*() {
      const listener = yield* listening
      const other = yield* startListening(listener.club)
      const beside = yield* waiting(other)
      const first = yield* waiting(listener)
      const second = yield* waiting(listener, "?wait=2")
      const answer = yield* Fiber.join(first)
      assert.deepStrictEqual(outcome(answer), [409, "listener_taken_over"])
      assert.strictEqual((yield* Fiber.join(second)).status, 200)
      assert.isUndefined(beside.pollUnsafe())
      yield* Fiber.interrupt(beside)
    }))

  it.effect("ends with 409 when another one begins in another process", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const listener = yield* listening
      const fiber = yield* waiting(listener)
      const [before, later] = ["00000000-0000-7000-8000-000000000000", "ffffffff-ffff-7fff-bfff-ffffffffffff"]
      yield* sql`select pg_notify('turma_webhook_polls', ${`${listener.endpoint_id} ${before}`})`
      yield* Effect.sleep("300 millis")
      assert.isUndefined(fiber.pollUnsafe(), "An earlier poll is not another one's end")
      yield* sql`select pg_notify('turma_webhook_polls', ${`${listener.endpoint_id} ${later}`})`
      assert.strictEqual(codeOf(yield* Fiber.join(fiber)), "listener_taken_over")
    }))

  it.effect("ends when the listener is deleted, or changed", () =>
    Effect.gen(function*() {
      const listener = yield* listening
      const paused = yield* waiting(listener)
      yield* setStatus(listener.endpoint, "paused")
      assert.isBelow((yield* Fiber.join(paused)).millis, 5000)
      const removed = yield* waiting(listener)
      yield* send("DELETE", listener.endpoint.path, listener)
      assert.isBelow((yield* Fiber.join(removed)).millis, 5000)
      assert.strictEqual((yield* poll(listener)).status, 404)
    }))

  it.effect("hands out nothing to a session that was ended meanwhile", () =>
    Effect.gen(function*() {
      const sessions = yield* SessionStore
      const listener = yield* listening
      const fiber = yield* waiting(listener)
      yield* sessions.endAll({ kind: "admin", user_id: listener.club.owner.id })
      yield* makeDelivery(listener)
      const sql = yield* SqlClient.SqlClient
      yield* sql`select pg_notify('turma_webhook_lanes', '')`
      assert.deepStrictEqual(handedIn(yield* Fiber.join(fiber)), [])
      assert.strictEqual((yield* poll(listener)).status, 401)
    }))

  it.effect("has no connection to the database, so that hundreds may wait", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const clubs = yield* Effect.replicateEffect(foundClub(), 4)
      const listeners = yield* Effect.forEach(
        [club, ...clubs],
        (one) => Effect.replicateEffect(startListening(one), 20)
      )
      const fibers = yield* allWaiting(listeners.flat(), (listener) => poll(listener, "?wait=20"))
      const begun = yield* Clock.currentTimeMillis
      assert.strictEqual((yield* send("GET", `${club.path}/webhook-endpoints`, club)).status, 200)
      assert.isBelow((yield* Clock.currentTimeMillis) - begun, 10_000)
      assert.isTrue(fibers.every((fiber) => fiber.pollUnsafe() === undefined))
      yield* Effect.forEach(fibers, Fiber.interrupt, { concurrency: "unbounded" })
    }))
})

layer(testLayer(), options)("A process that is told to stop", (it) => {
  it.effect("ends polls that wait, and lets later ones wait no more", () =>
    Effect.gen(function*() {
      const listener = yield* listening
      const fiber = yield* waiting(listener)
      yield* Effect.flatMap(Shutdown, ({ begin }) => begin)
      const answer = yield* Fiber.join(fiber)
      assert.strictEqual(answer.status, 200)
      assert.isBelow(answer.millis, 10_000)
      const [took] = yield* Effect.timed(poll(listener, "?wait=20"))
      assert.isBelow(Duration.toMillis(took), 10_000)
    }))
})
