import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Exit, Fiber, Option, Redacted } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { UsageError } from "../../../src/cli/errors/UsageError.ts"
import { type Listening, makeForwarder } from "../../../src/cli/webhooks/forward/Forwarder.ts"
import type { ListenerState } from "../../../src/cli/webhooks/forward/ListenerState.ts"
import { type Allowance, type HandedOut, Refused, type Upstream } from "../../../src/cli/webhooks/forward/Upstream.ts"
import type { ListenerResult } from "../../../src/webhooks/listener/Listener.ts"
import { EndpointId } from "../../../src/webhooks/model/EndpointId.ts"
import { signatureHeader } from "../../../src/webhooks/send/Signature.ts"
import { deliveryId, handedOut } from "./Forwarding.ts"

// The whole forwarder, on a clock that the test moves. The service, the file and the program are stand-ins.

const id = EndpointId.make("019d4860-0000-7000-8000-000000000001")
const key = Buffer.alloc(32, 3)

const refused = (status: number, code: string) => new Refused({ status, code, message: code, retry_after: null })

/** A service with waiting deliveries. Its answer to results carries an allowance of further writes. */
class Service {
  waiting: ReadonlyArray<HandedOut> = []
  readonly batches: Array<{ readonly at: number; readonly results: ReadonlyArray<ListenerResult> }> = []
  allowance: Option.Option<Allowance> = Option.none()
  polls = 0
  excepted: ReadonlyArray<string> = []
  poll: Effect.Effect<void, Refused> = Effect.void

  readonly upstream: Upstream = {
    types: Effect.succeed([]),
    create: () => Effect.die("not asked"),
    setTypes: () => Effect.void,
    remove: () => Effect.void,
    poll: (_, { except, limit }) =>
      Effect.suspend(() => {
        this.polls += 1
        this.excepted = except
        const due = this.waiting.filter(({ delivery_id }) => !except.includes(delivery_id)).slice(0, limit)
        return Effect.andThen(
          this.poll,
          due.length > 0 ? Effect.succeed(due) : Effect.as(Effect.sleep("25 seconds"), [])
        )
      }),
    record: (_, results) =>
      Effect.map(DateTime.now, (now) => {
        this.batches.push({ at: DateTime.toEpochMillis(now), results })
        const told = new Set(results.map(({ delivery_id }) => delivery_id))
        this.waiting = this.waiting.filter(({ delivery_id }) => !told.has(delivery_id))
        return this.allowance
      })
  }
}

const signedNow = Effect.fnUntraced(function*(number: number) {
  const timestamp = Math.floor(DateTime.toEpochMillis(yield* DateTime.now) / 1000)
  const { body, event_id } = handedOut(number)
  return handedOut(number, {
    headers: {
      "webhook-id": event_id,
      "webhook-timestamp": `${timestamp}`,
      "webhook-signature": signatureHeader([key], event_id, timestamp, Buffer.from(body))
    }
  })
})

const memoryOf = (given: Partial<ListenerState> = {}): ListenerState => ({
  path: "",
  saved: Option.none(),
  unrecorded: [],
  journal: { add: () => Effect.void, keep: () => Effect.void },
  keep: () => Effect.void,
  isLatest: Effect.succeed(true),
  forget: Effect.void,
  ...given
})

const accepting = HttpClient.make((request) =>
  Effect.succeed(HttpClientResponse.fromWeb(request, new Response(null, { status: 204 })))
)

const forwarding = (service: Service, given: Partial<Listening> = {}) =>
  makeForwarder({
    id,
    secret: Redacted.make(key),
    target: "http://localhost/",
    http: accepting,
    unrecorded: [],
    upstream: service.upstream,
    listenerState: memoryOf(),
    output: { delivery: () => Effect.void, note: () => Effect.void },
    ...given
  })

const started = Effect.fnUntraced(function*(service: Service, given: Partial<Listening> = {}) {
  const forwarder = yield* forwarding(service, given)
  return { forwarder, fiber: yield* Effect.forkScoped(forwarder.run) }
})

const many = (from: number, to: number) =>
  Effect.forEach(Array.from({ length: to - from + 1 }, (_, number) => from + number), signedNow)

describe("What is forwarded", () => {
  it.effect("is told a hundred at a time, and leaves the club's last writes to others until the minute is over", () =>
    Effect.gen(function*() {
      const service = new Service()
      service.allowance = Option.some({ remaining: 10, seconds: 40 })
      service.waiting = yield* many(1, 250)
      yield* started(service)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(service.batches.map(({ results }) => results.length), [100])
      yield* TestClock.adjust("38 seconds")
      assert.lengthOf(service.batches, 1)
      service.allowance = Option.some({ remaining: 59, seconds: 60 })
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(service.batches.map(({ results }) => results.length), [100, 100, 50])
    }))

  it.effect("is told soon after a pause, whatever the minute before it left", () =>
    Effect.gen(function*() {
      const service = new Service()
      service.allowance = Option.some({ remaining: 3, seconds: 50 })
      service.waiting = yield* many(1, 1)
      yield* started(service)
      yield* TestClock.adjust("1 second")
      assert.lengthOf(service.batches, 1)
      yield* TestClock.adjust("60 seconds")
      service.waiting = yield* many(2, 2)
      yield* TestClock.adjust("26 seconds")
      assert.lengthOf(service.batches, 2)
    }))

  it.effect("is forwarded once, however often it is handed out, and not where its signature is wrong", () =>
    Effect.gen(function*() {
      const service = new Service()
      const [good] = yield* many(1, 1)
      service.waiting = [good, handedOut(2), good].filter((one) => one !== undefined)
      const asked: Array<string> = []
      const http = HttpClient.make((request) =>
        Effect.sync(() => {
          asked.push(String(request.headers["webhook-id"]))
          return HttpClientResponse.fromWeb(request, new Response(null, { status: 204 }))
        })
      )
      yield* started(service, { http })
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(asked, [good?.event_id])
      assert.deepStrictEqual(
        service.batches.flatMap(({ results }) => results.map(({ error, status_code }) => String(error ?? status_code)))
          .toSorted(),
        ["204", "protocol"]
      )
    }))

  it.effect("says with each poll what is in hand, so that it is not handed out again", () =>
    Effect.gen(function*() {
      const service = new Service()
      service.waiting = yield* many(1, 3)
      const http = HttpClient.make(() => Effect.never)
      yield* started(service, { http })
      yield* TestClock.adjust("1 second")
      assert.strictEqual(service.polls, 2)
      assert.deepStrictEqual(service.excepted, service.waiting.map(({ delivery_id }) => delivery_id))
    }))

  it.effect("ends everything where it cannot be kept, and is told then instead of being lost in hand", () =>
    Effect.gen(function*() {
      const service = new Service()
      service.waiting = yield* many(1, 3)
      const full = new UsageError({ message: "Cannot write" })
      const listenerState = memoryOf({ journal: { add: () => Effect.fail(full), keep: () => Effect.void } })
      const { fiber, forwarder } = yield* started(service, { listenerState })
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.await(fiber), Exit.fail(full))
      yield* forwarder.settled
      yield* forwarder.recordRest
      assert.deepStrictEqual(service.batches.map(({ results }) => results.length), [3])
    }))
})

describe("A command whose place another poll takes", () => {
  const takenOver = refused(409, "listener_taken_over")

  it.effect("gives way to a later command", () =>
    Effect.gen(function*() {
      const service = new Service()
      service.poll = Effect.fail(takenOver)
      const { fiber } = yield* started(service, { listenerState: memoryOf({ isLatest: Effect.succeed(false) }) })
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.await(fiber), Exit.fail(takenOver))
      assert.strictEqual(service.polls, 1)
    }))

  it.effect.each([true, false])(
    "writes the journal anew where it is the latest, and else leaves it: %s",
    (latest) =>
      Effect.gen(function*() {
        const service = new Service()
        const result = {
          delivery_id: deliveryId(1),
          receipt: "0.schedule",
          status_code: 204,
          error: null,
          duration_ms: 1
        }
        const saved: Array<ReadonlyArray<ListenerResult>> = []
        const keep = (left: ReadonlyArray<ListenerResult>) => Effect.sync(() => void saved.push(left))
        const listenerState = memoryOf({ journal: { add: () => Effect.void, keep }, isLatest: Effect.succeed(latest) })
        const { recordRest } = yield* forwarding(service, { listenerState, unrecorded: [result] })
        yield* recordRest
        assert.lengthOf(service.batches, 1)
        assert.deepStrictEqual(saved, latest ? [[]] : [])
      })
  )

  it.effect("goes on where it is the latest: then the other was a poll of its own", () =>
    Effect.gen(function*() {
      const service = new Service()
      service.poll = Effect.suspend(() => service.polls % 3 === 0 ? Effect.void : Effect.fail(takenOver))
      service.waiting = yield* many(1, 1)
      const { fiber } = yield* started(service)
      yield* TestClock.adjust("2 minutes")
      assert.isUndefined(fiber.pollUnsafe())
      assert.lengthOf(service.batches, 1)
    }))

  it.effect("ends where that happens again and again", () =>
    Effect.gen(function*() {
      const service = new Service()
      service.poll = Effect.fail(takenOver)
      const { fiber } = yield* started(service)
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(yield* Fiber.await(fiber), Exit.fail(takenOver))
      assert.strictEqual(service.polls, 6)
    }))

  it.effect("ends at once where the service says anything else", () =>
    Effect.gen(function*() {
      const service = new Service()
      service.poll = Effect.fail(refused(401, "unauthenticated"))
      const { fiber } = yield* started(service)
      yield* TestClock.adjust("1 second")
      assert.isTrue(Exit.isFailure(yield* Fiber.await(fiber)))
      assert.strictEqual(service.polls, 1)
    }))
})
