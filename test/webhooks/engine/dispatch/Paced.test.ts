import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Exit, Layer, Schema, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { LaneChanges } from "../../../../src/webhooks/engine/lane/LaneChanges.ts"
import { answered, FakeNetwork } from "../../../harness/FakeNetwork.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { deliveryRow, laneRow, type MadeEndpoint, makeDelivery, makeEndpoint } from "../../../harness/Webhooks.ts"
import { DispatcherLayer, engineLayer, GroundLayer, lasting, pass, soon, still } from "./Engine.ts"

const limited = Effect.fnUntraced(function*(
  limits: Parameters<LaneChanges["Service"]["limit"]>[1],
  given: Parameters<typeof makeEndpoint>[1] = {}
) {
  const network = yield* FakeNetwork
  network.posted.length = 0
  network.open.most = 0
  network.respond = () => answered(204)
  const endpoint = yield* makeEndpoint(yield* makeClub(), given)
  yield* (yield* LaneChanges).limit(endpoint, limits)
  return { endpoint, network }
})

const makeMany = (endpoint: MadeEndpoint, count: number) =>
  Effect.forEach(Array.from({ length: count }), () => makeDelivery(endpoint))

/** The moments of the posts while this many tenths of a second pass. */
const postedDuring = Effect.fnUntraced(function*(tenths: number) {
  const { posted } = yield* FakeNetwork
  const times: Array<number> = []
  let seen = posted.length
  for (let tenth = 0; tenth <= tenths; tenth += 1) {
    yield* tenth === 0 ? still : pass("100 millis")
    for (; seen < posted.length; seen += 1) times.push(tenth)
  }
  return times
})

/** The most of these moments within one second. Moments are in tenths of a second. */
const mostInASecond = (times: ReadonlyArray<number>) =>
  Math.max(0, ...times.map((from) => times.filter((time) => time >= from && time < from + 10).length))

const startWorker = Effect.gen(function*() {
  const scope = yield* Scope.fork(yield* Effect.scope)
  yield* Layer.buildWithScope(Layer.fresh(DispatcherLayer), scope)
  return { stop: Scope.close(scope, Exit.void) }
})

const drainOf = ({ endpoint_id }: MadeEndpoint) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql`select drain_rate from webhook_lanes where endpoint_id = ${endpoint_id}`
    const [{ drain_rate }] = yield* Schema
      .decodeUnknownEffect(Schema.Tuple([Schema.Struct({ drain_rate: Schema.NullOr(Schema.Int) })]))(rows)
    return drain_rate
  })

describe("an endpoint with a rate", () => {
  layer(engineLayer())((it) => {
    it.effect("is sent no more a second, evenly, and all of it", () =>
      Effect.gen(function*() {
        const { endpoint, network } = yield* limited({ max_per_second: 2 })
        yield* makeMany(endpoint, 9)
        const times = yield* postedDuring(60)
        assert.strictEqual(mostInASecond(times), 2)
        assert.strictEqual(times.length, 9)
        assert.strictEqual(new Set(network.posted.map(({ headers }) => headers["webhook-id"])).size, 9)
      }))

    it.effect("is sent all that is due at once when it has none", () =>
      Effect.gen(function*() {
        const { endpoint } = yield* limited({})
        yield* makeMany(endpoint, 9)
        assert.isAtLeast(mostInASecond(yield* postedDuring(20)), 8)
      }))

    it.effect("counts what persons ask for, too", () =>
      Effect.gen(function*() {
        const { endpoint } = yield* limited({ max_per_second: 1 })
        yield* Effect.forEach(["manual", "test", "recover"] as const, (trigger) => makeDelivery(endpoint, { trigger }))
        const times = yield* postedDuring(40)
        assert.strictEqual(mostInASecond(times), 1)
        assert.strictEqual(times.length, 3)
      }))

    it.effect("keeps to it where its lane is given back and claimed anew", () =>
      Effect.gen(function*() {
        const { endpoint } = yield* limited({ max_per_second: 1 })
        const times: Array<number> = []
        for (let round = 0; round < 4; round += 1) {
          yield* makeDelivery(endpoint)
          for (const time of yield* postedDuring(2)) times.push(round * 3 + time)
          yield* pass("100 millis")
        }
        assert.isAtMost(mostInASecond(times), 1)
        const { id } = yield* makeDelivery(endpoint, { trigger: "manual" })
        yield* soon(deliveryRow(id), ({ status }) => status === "succeeded")
        assert.isNull((yield* soon(laneRow(endpoint), ({ lease_id }) => lease_id === null)).due_at)
      }))

    it.effect("is sent faster as soon as it has none any more", () =>
      Effect.gen(function*() {
        const { endpoint, network } = yield* limited({ max_per_second: 1 })
        yield* makeMany(endpoint, 12)
        yield* postedDuring(10)
        assert.isAtMost(network.posted.length, 2)
        yield* (yield* LaneChanges).limit(endpoint, { max_per_second: null })
        yield* postedDuring(20)
        assert.strictEqual(network.posted.length, 12)
      }))

    it.effect("is sent slower as soon as it has one", () =>
      Effect.gen(function*() {
        const { endpoint, network } = yield* limited({ max_in_flight: 1 })
        network.respond = () => undefined
        yield* makeMany(endpoint, 12)
        yield* postedDuring(10)
        yield* (yield* LaneChanges).limit(endpoint, { max_per_second: 1, max_in_flight: null })
        network.respond = () => answered(204)
        yield* network.posted[0]?.answer(answered(204)) ?? Effect.void
        assert.isAtMost(mostInASecond(yield* postedDuring(40)), 1)
      }))
  })

  layer(GroundLayer(lasting))((it) => {
    it.effect("is sent to by whoever takes its lane over only once another attempt may start", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { endpoint, network } = yield* limited({ max_per_second: 1 })
        yield* makeMany(endpoint, 6)
        const first = yield* startWorker
        yield* soon(Effect.sync(() => network.posted.length), (count) => count === 1)
        // The lane of a worker that died after the start of an attempt, once its lease has ended.
        const at = DateTime.toDateUtc(yield* DateTime.now)
        yield* sql`
          update webhook_lanes set lease_id = gen_random_uuid(), due_at = ${at} where endpoint_id = ${endpoint.id}`
        const second = yield* startWorker
        const times = yield* postedDuring(80)
        assert.isAtLeast(times[0] ?? 0, 10)
        assert.strictEqual(mostInASecond(times), 1)
        assert.strictEqual(times.length, 5)
        yield* first.stop
        yield* second.stop
      }))

    it.effect("keeps to it from one worker to the next", () =>
      Effect.gen(function*() {
        const { endpoint } = yield* limited({ max_per_second: 2 })
        yield* makeMany(endpoint, 12)
        const times: Array<number> = []
        for (let worker = 0; worker < 6; worker += 1) {
          const { stop } = yield* startWorker
          for (const time of yield* postedDuring(2)) times.push(worker * 2 + time)
          yield* stop
        }
        assert.isAtMost(mostInASecond(times), 2)
        assert.isAtLeast(times.length, 3)
      }))
  })

  layer(engineLayer({ WEBHOOK_CONCURRENCY: "2" }))((it) => {
    it.effect("waits without the slot that others wait for", () =>
      Effect.gen(function*() {
        const { endpoint, network } = yield* limited({ max_per_second: 1 })
        yield* makeMany(endpoint, 5)
        yield* soon(Effect.sync(() => network.posted.length), (count) => count > 0)
        const others = yield* makeEndpoint(yield* makeClub(), { url: "https://other.example/hook" })
        const { id } = yield* makeDelivery(others)
        yield* soon(deliveryRow(id), ({ status }) => status === "succeeded")
        assert.isAtMost(network.posted.length, 4)
        yield* soon(Effect.sync(() => network.posted.length), (count) => count === 6)
      }))
  })
})

describe("an endpoint with a limit of attempts at once", () => {
  layer(engineLayer())((it) => {
    it.effect("gets no more at once, and all of it", () =>
      Effect.gen(function*() {
        const { endpoint, network } = yield* limited({ max_in_flight: 2 })
        network.respond = () => undefined
        yield* makeMany(endpoint, 5)
        yield* soon(Effect.sync(() => network.posted.length), (count) => count === 2)
        yield* postedDuring(30)
        assert.strictEqual(network.posted.length, 2)
        network.respond = () => answered(204)
        yield* Effect.forEach(network.posted, ({ answer }) => answer(answered(204)))
        yield* soon(Effect.sync(() => network.posted.length), (count) => count === 5)
        assert.strictEqual(network.open.most, 2)
      }))

    it.effect("gets as many as a process sends where it asks for more", () =>
      Effect.gen(function*() {
        const { endpoint, network } = yield* limited({ max_in_flight: 1000 })
        network.respond = () => undefined
        yield* makeMany(endpoint, 20)
        yield* postedDuring(30)
        assert.strictEqual(network.posted.length, 16)
        network.respond = () => answered(204)
        yield* Effect.forEach(network.posted, ({ answer }) => answer(answered(204)))
      }))
  })
})

const at = (rate: number) => ({ rate, total: 0 })

describe("an endpoint that is enabled with a rate for what waited", () => {
  layer(engineLayer())((it) => {
    it.effect("is sent what waited no faster, and what comes after it as ever", () =>
      Effect.gen(function*() {
        const { endpoint, network } = yield* limited({}, { status: "paused" })
        const sql = yield* SqlClient.SqlClient
        yield* makeMany(endpoint, 6)
        yield* sql`update webhook_endpoints set status = 'enabled' where id = ${endpoint.id}`
        yield* (yield* LaneChanges).enable(endpoint, at(2))
        const during = yield* postedDuring(10)
        assert.isAtMost(mostInASecond(during), 2)
        assert.strictEqual(yield* drainOf(endpoint), 2)
        yield* makeMany(endpoint, 10)
        const after = yield* postedDuring(50)
        assert.strictEqual(network.posted.length, 16)
        assert.isNull(yield* drainOf(endpoint))
        // Six at the rate, then ten together.
        assert.isAtMost(mostInASecond(after.slice(0, 6 - during.length)), 2)
        assert.isAtLeast(mostInASecond(after), 8)
      }))

    it.effect("goes on at another rate once that is changed, and has none to change when it is through", () =>
      Effect.gen(function*() {
        const { endpoint, network } = yield* limited({})
        const lanes = yield* LaneChanges
        yield* makeMany(endpoint, 24)
        yield* lanes.enable(endpoint, at(1))
        assert.isAtMost(mostInASecond(yield* postedDuring(20)), 1)
        assert.isTrue(yield* lanes.changeDrain(endpoint, 10))
        assert.isAtLeast(mostInASecond(yield* postedDuring(40)), 8)
        assert.strictEqual(network.posted.length, 24)
        yield* soon(drainOf(endpoint), (rate) => rate === null)
        assert.isFalse(yield* lanes.changeDrain(endpoint, 10))
      }))

    it.effect("forgets it where nothing waited, and where it is paused again", () =>
      Effect.gen(function*() {
        const { endpoint } = yield* limited({})
        const lanes = yield* LaneChanges
        yield* lanes.enable(endpoint, at(1))
        yield* soon(drainOf(endpoint), (rate) => rate === null)
        const { endpoint: other } = yield* limited({})
        yield* makeMany(other, 5)
        yield* lanes.enable(other, at(1))
        yield* lanes.suspend(other)
        assert.isNull(yield* drainOf(other))
      }))

    it.effect("has it for as long as some of that is recovered and waits for a rate of its own", () =>
      Effect.gen(function*() {
        const { endpoint, network } = yield* limited({})
        const sql = yield* SqlClient.SqlClient
        yield* Effect.forEach([1, 2, 3], () => makeDelivery(endpoint, { trigger: "recover" }))
        yield* sql`update webhook_lanes set recovery_rate = 1 where endpoint_id = ${endpoint.endpoint_id}`
        yield* (yield* LaneChanges).enable(endpoint, at(1000))
        yield* soon(Effect.sync(() => network.posted.length), (posted) => posted === 2)
        assert.strictEqual(yield* drainOf(endpoint), 1000)
        yield* soon(drainOf(endpoint), (rate) => rate === null)
        assert.strictEqual(network.posted.length, 3)
      }))

    it.effect("is sent no faster than its own rate, if that is lower", () =>
      Effect.gen(function*() {
        const { endpoint } = yield* limited({ max_per_second: 1 })
        yield* (yield* LaneChanges).enable(endpoint, at(1000))
        yield* makeMany(endpoint, 4)
        assert.strictEqual(mostInASecond(yield* postedDuring(30)), 1)
      }))
  })
})
