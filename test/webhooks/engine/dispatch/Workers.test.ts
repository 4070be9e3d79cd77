import { assert, describe, layer } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { eventually } from "../../../harness/Eventually.ts"
import { answered, FakeNetwork } from "../../../harness/FakeNetwork.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { deliveryRow, laneRow, makeDelivery, makeEndpoint } from "../../../harness/Webhooks.ts"
import { DispatcherLayer, GroundLayer, lasting, pass, soon, still } from "./Engine.ts"

/** A separate worker. It runs until the test stops it, at the latest until the test ends. */
const startWorker = Effect.gen(function*() {
  const scope = yield* Scope.fork(yield* Effect.scope)
  yield* Layer.buildWithScope(Layer.fresh(DispatcherLayer), scope)
  return { stop: Scope.close(scope, Exit.void) }
})

const open = Effect.map(FakeNetwork, ({ posted }) => posted.length)

/** A worker that gets its stop signal while it waits for the answer to an endpoint's only attempt. */
const stoppedDuringAttempt = Effect.gen(function*() {
  const network = yield* FakeNetwork
  network.respond = () => undefined
  network.posted.length = 0
  const worker = yield* startWorker
  const endpoint = yield* makeEndpoint(yield* makeClub())
  const { id } = yield* makeDelivery(endpoint)
  yield* soon(open, (count) => count === 1)
  return { endpoint, id, network, stopping: yield* Effect.forkChild(worker.stop) }
})

describe("several workers", () => {
  layer(GroundLayer(lasting))((it) => {
    it.effect("share the lanes and send each delivery once", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const network = yield* FakeNetwork
        const club = yield* makeClub()
        const workers = yield* Effect.forEach([1, 2, 3], () => startWorker)
        yield* Effect.forEach(Array.from({ length: 12 }), () =>
          Effect.flatMap(makeEndpoint(club), (endpoint) =>
            Effect.forEach(Array.from({ length: 10 }), () =>
              makeDelivery(endpoint))))
        const pending = sql`select count(*)::int as n from webhook_deliveries where status = 'pending'`
        yield* soon(pending, ([row]) =>
          row?.["n"] === 0)
        assert.strictEqual(network.posted.length, 120)
        assert.strictEqual(new Set(network.posted.map(({ headers }) => headers["webhook-id"])).size, 120)
        yield* Effect.forEach(workers, ({ stop }) => stop)
        assert.deepStrictEqual(yield* sql`select endpoint_id from webhook_lanes where lease_id is not null`, [])
      }))

    it.effect("finish what is under way when they stop, and start nothing more", () =>
      Effect.gen(function*() {
        const { endpoint, id, network, stopping } = yield* stoppedDuringAttempt
        const later = yield* makeDelivery(endpoint)
        yield* TestClock.adjust("2 seconds")
        yield* network.posted[0]?.answer(answered(200)) ?? Effect.void
        yield* eventually(deliveryRow(id), ({ status }) => status === "succeeded")
        yield* eventually(laneRow(endpoint), ({ lease_id }) => lease_id === null)
        yield* Fiber.join(stopping)
        assert.strictEqual(network.posted.length, 1)
        assert.strictEqual((yield* deliveryRow(later.id)).attempts_count, 0)
        network.respond = () => answered(204)
      }))

    it.effect("wait 16 seconds for attempts under way when they stop, and leave those to the next", () =>
      Effect.gen(function*() {
        const { id, network, stopping } = yield* stoppedDuringAttempt
        yield* still
        yield* pass("15999 millis")
        assert.isUndefined(stopping.pollUnsafe())
        yield* pass("1 millis")
        yield* Fiber.join(stopping)
        const { attempts_count, status } = yield* deliveryRow(id)
        assert.deepStrictEqual([status, attempts_count], ["pending", 0])
        network.respond = () => answered(204)
        yield* TestClock.adjust(lasting.WEBHOOK_LEASE)
        const next = yield* startWorker
        yield* soon(deliveryRow(id), ({ status }) => status === "succeeded")
        yield* next.stop
      }))

    it.effect("take over the lane of one that died, once its lease has ended", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const network = yield* FakeNetwork
        network.respond = () => answered(204)
        network.posted.length = 0
        const endpoint = yield* makeEndpoint(yield* makeClub())
        const { id } = yield* makeDelivery(endpoint)
        // The lane of a worker that died in the middle of an attempt.
        yield* sql`
          update webhook_lanes set lease_id = gen_random_uuid(), due_at = due_at + interval '30 seconds'
          where endpoint_id = ${endpoint.id}`
        const worker = yield* startWorker
        yield* TestClock.adjust("29 seconds")
        assert.strictEqual((yield* deliveryRow(id)).attempts_count, 0)
        yield* soon(deliveryRow(id), ({ status }) => status === "succeeded")
        yield* worker.stop
      }))
  })

  layer(GroundLayer(lasting))((it) => {
    it.effect("send nothing unsigned, and go on once the secret opens again", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const network = yield* FakeNetwork
        const worker = yield* startWorker
        const endpoint = yield* makeEndpoint(yield* makeClub())
        const [sealed] = yield* sql`select secret from webhook_endpoints where id = ${endpoint.id}`
        yield* sql`update webhook_endpoints set secret = '\\x00' where id = ${endpoint.id}`
        const { id } = yield* makeDelivery(endpoint)
        const other = yield* makeDelivery(yield* makeEndpoint(yield* makeClub()))
        yield* soon(deliveryRow(other.id), ({ status }) => status === "succeeded")
        assert.strictEqual(network.posted.length, 1)
        yield* sql`update webhook_endpoints set secret = ${sealed?.["secret"]} where id = ${endpoint.id}`
        yield* TestClock.adjust(lasting.WEBHOOK_LEASE)
        yield* soon(deliveryRow(id), ({ status }) => status === "succeeded")
        yield* worker.stop
      }))
  })

  layer(GroundLayer({ ...lasting, WEBHOOK_CONCURRENCY: "4" }))((it) => {
    it.effect("let every lane have its turn where there are more lanes than places", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const network = yield* FakeNetwork
        const worker = yield* startWorker
        const endpoints = yield* Effect.forEach(
          Array.from({ length: 9 }),
          () => Effect.flatMap(makeClub(), makeEndpoint)
        )
        yield* Effect.forEach(
          endpoints,
          (endpoint) => Effect.forEach(Array.from({ length: 5 }), () => makeDelivery(endpoint))
        )
        const pending = sql`select count(*)::int as n from webhook_deliveries where status = 'pending'`
        yield* soon(pending, ([row]) => row?.["n"] === 0)
        assert.isAtMost(network.open.most, 4)
        yield* worker.stop
      }))
  })
})
