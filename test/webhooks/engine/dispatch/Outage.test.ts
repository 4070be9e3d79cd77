import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { answered, FakeNetwork } from "../../../harness/FakeNetwork.ts"
import { makeClub } from "../../../harness/Makers.ts"
import {
  attemptRows,
  deliveryRow,
  laneRow,
  type MadeEndpoint,
  makeDelivery,
  makeEndpoint
} from "../../../harness/Webhooks.ts"
import { engineLayer, lasting, never, pass, second, soon, still } from "./Engine.ts"

// Renames the table, so that the database refuses every statement on it.
const takeAway = (table: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`alter table ${sql(table)} rename to ${sql(`${table}_away`)}`)
const bringBack = (table: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`alter table ${sql(`${table}_away`)} rename to ${sql(table)}`)

/** Runs the work while every statement on the table fails. */
const without = <A, E, R>(table: string, work: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(takeAway(table), () => work, () => Effect.orDie(bringBack(table)))

const minute = pass("1 minute")

/** Runs the work while the release of a lane fails. */
const keeping = Effect.fnUntraced(function*<A, E, R>(work: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(`
    create or replace function refuses() returns trigger language plpgsql as $$ begin raise 'Not now'; end $$`)
  yield* sql.unsafe(`
    create trigger refuses before update on webhook_lanes for each row
    when (old.lease_id is not null and new.lease_id is null) execute function refuses()`)
  return yield* Effect.ensuring(work, Effect.orDie(sql`drop trigger refuses on webhook_lanes`))
})

/** A network that does not answer yet, and an endpoint. */
const silence = Effect.gen(function*() {
  const network = yield* FakeNetwork
  network.respond = () => undefined
  network.posted.length = 0
  network.open.most = 0
  return { network, endpoint: yield* makeEndpoint(yield* makeClub()) }
})

/** The network accepts the first open post. */
const acceptFirst = Effect.flatMap(FakeNetwork, ({ posted }) => posted[0]?.answer(answered(200)) ?? Effect.void)

const posts = Effect.map(FakeNetwork, ({ posted }) => posted.length)

/** A network with one open post, the endpoint of the post, and its delivery. */
const onePost = Effect.gen(function*() {
  const { endpoint, network } = yield* silence
  const delivery = yield* makeDelivery(endpoint)
  yield* soon(posts, (count) => count === 1)
  return { network, endpoint, delivery }
})

const openPosts = Effect.map(FakeNetwork, ({ open }) => open.now)

const half = pass("500 millis")

/** Checks that the receiver got the delivery once, that its attempt is recorded once, and that the lane is free. */
const arrivedOnce = Effect.fnUntraced(function*(
  endpoint: MadeEndpoint,
  { event_id, id }: Effect.Success<ReturnType<typeof makeDelivery>>
) {
  const { posted } = yield* FakeNetwork
  yield* soon(deliveryRow(id), ({ status }) => status === "succeeded")
  const lane = yield* soon(laneRow(endpoint), ({ lease_id }) => lease_id === null)
  assert.isNull(lane.due_at)
  assert.deepStrictEqual((yield* attemptRows(id)).map(({ number, status_code }) => [number, status_code]), [[1, 200]])
  assert.strictEqual(posted.filter(({ headers }) => headers["webhook-id"] === event_id).length, 1)
})

describe("while statements fail", () => {
  layer(engineLayer())((it) => {
    it.effect("that record results, what was answered is kept, and recorded once when they succeed again", () =>
      Effect.gen(function*() {
        const { delivery, endpoint } = yield* onePost
        yield* without(
          "webhook_attempts",
          Effect.gen(function*() {
            yield* acceptFirst
            yield* soon(openPosts, (count) => count === 0)
            yield* never(deliveryRow(delivery.id), ({ attempts_count }) => attempts_count > 0)
          })
        )
        yield* arrivedOnce(endpoint, delivery)
      }))

    it.effect("that record results, the breaker is written as it is when they succeed again", () =>
      Effect.gen(function*() {
        const { endpoint, network } = yield* silence
        const deliveries = [yield* makeDelivery(endpoint), yield* makeDelivery(endpoint)]
        yield* soon(posts, (count) => count === 2)
        network.respond = () => answered(200)
        yield* without(
          "webhook_attempts",
          Effect.gen(function*() {
            // Each result is tried again every second: the failure at full seconds, the success between them.
            yield* network.posted[0]?.answer(answered(500)) ?? Effect.void
            yield* Effect.andThen(still, half)
            yield* network.posted[1]?.answer(answered(200)) ?? Effect.void
            yield* Effect.andThen(still, Effect.repeat(half, { times: 2 }))
          })
        )
        // This records the success first, and the failure after it.
        yield* Effect.repeat(half, { times: 1 })
        yield* Effect.forEach(
          deliveries,
          ({ id }) => soon(deliveryRow(id), ({ attempts_count }) => attempts_count === 1)
        )
        assert.strictEqual((yield* laneRow(endpoint)).consecutive_failures, 0)
        yield* Effect.forEach(deliveries, ({ id }) => soon(deliveryRow(id), ({ status }) => status === "succeeded"))
      }))

    it.effect("that read what is due, nothing is sent, and everything when they succeed again", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { endpoint, network } = yield* silence
        network.respond = () => answered(200)
        // In one transaction, so that no worker sees the delivery before.
        const delivery = yield* sql.withTransaction(Effect.tap(makeDelivery(endpoint), takeAway("webhook_messages")))
        yield* soon(laneRow(endpoint), ({ lease_id }) => lease_id !== null)
        yield* never(posts, (count) => count > 0)
        yield* bringBack("webhook_messages")
        yield* arrivedOnce(endpoint, delivery)
      }))

    it.effect("that give lanes back, results are recorded, and the lane goes on when they succeed again", () =>
      Effect.gen(function*() {
        const { delivery, endpoint, network } = yield* onePost
        yield* keeping(Effect.gen(function*() {
          yield* acceptFirst
          yield* soon(deliveryRow(delivery.id), ({ status }) => status === "succeeded")
          yield* never(laneRow(endpoint), ({ lease_id }) => lease_id === null)
        }))
        yield* arrivedOnce(endpoint, delivery)
        network.respond = () => answered(200)
        yield* arrivedOnce(endpoint, yield* makeDelivery(endpoint))
      }))

    it.effect("of every kind, each result is kept, and each lane goes on when they succeed again", () =>
      Effect.gen(function*() {
        const { endpoint, network } = yield* silence
        const endpoints = [endpoint, yield* makeEndpoint(yield* makeClub()), yield* makeEndpoint(yield* makeClub())]
        const deliveries = yield* Effect.forEach(endpoints, (one) => makeDelivery(one))
        yield* soon(posts, (count) => count === 3)
        yield* without(
          "webhook_lanes",
          Effect.gen(function*() {
            yield* Effect.forEach(network.posted, ({ answer }) => answer(answered(200)))
            yield* Effect.repeat(second, { times: 15 })
          })
        )
        network.respond = () => answered(200)
        yield* Effect.forEach(endpoints.entries(), ([index, one]) => {
          const delivery = deliveries[index]
          return delivery === undefined ? Effect.void : arrivedOnce(one, delivery)
        })
        yield* arrivedOnce(endpoint, yield* makeDelivery(endpoint))
      }))
  })

  layer(engineLayer({ WEBHOOK_LEASE: "30 seconds" }))((it) => {
    it.effect("for longer than a lease, a worker that lives takes its own lane no second time", () =>
      Effect.gen(function*() {
        const { delivery, endpoint, network } = yield* onePost
        yield* without(
          "webhook_attempts",
          Effect.gen(function*() {
            yield* acceptFirst
            yield* without("webhook_lanes", Effect.repeat(second, { times: 40 }))
            // The lease has ended, and a look for due lanes finds this lane.
            yield* Effect.repeat(second, { times: 5 })
          })
        )
        network.respond = () => answered(200)
        yield* arrivedOnce(endpoint, delivery)
      }))
  })

  layer(engineLayer({ WEBHOOK_CONCURRENCY: "16" }))((it) => {
    /** The most open posts of one lane in this process. */
    const breadth = Effect.fnUntraced(function*(endpoint: MadeEndpoint) {
      const network = yield* FakeNetwork
      network.respond = () => undefined
      network.posted.length = 0
      const deliveries = yield* Effect.forEach(Array.from({ length: 12 }), () => makeDelivery(endpoint))
      const most = yield* Effect.as(
        Effect.andThen(soon(posts, (count) => count > 0), Effect.repeat(second, { times: 3 })),
        network.open
      )
      return { deliveries, most: most.now }
    })

    const answerAll = Effect.gen(function*() {
      const network = yield* FakeNetwork
      network.respond = () => answered(200)
      yield* Effect.forEach(network.posted, ({ answer }) => answer(answered(200)))
    })

    it.effect("for longer than they are tried, lanes are dropped and taken up again with every slot", () =>
      Effect.gen(function*() {
        const { endpoint } = yield* silence
        const before = yield* breadth(endpoint)
        assert.isAbove(before.most, 1)
        yield* without("webhook_messages", Effect.andThen(answerAll, Effect.repeat(minute, { times: 11 })))
        const pending = yield* Effect.forEach(before.deliveries, ({ id }) => deliveryRow(id))
        assert.isTrue(pending.some(({ status }) => status === "pending"))
        yield* TestClock.adjust(lasting.WEBHOOK_LEASE)
        yield* Effect.forEach(before.deliveries, (delivery) => arrivedOnce(endpoint, delivery))
        const after = yield* breadth(endpoint)
        assert.strictEqual(after.most, before.most)
        yield* answerAll
        yield* Effect.forEach(after.deliveries, (delivery) => arrivedOnce(endpoint, delivery))
      }))
  })
})
