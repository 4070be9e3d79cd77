import { assert, layer } from "@effect/vitest"
import { ConfigProvider, DateTime, Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { LanesRepo } from "../../../../src/webhooks/engine/dispatch/LanesRepo.ts"
import { QueueCancellation } from "../../../../src/webhooks/engine/queue/QueueCancellation.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { warmPool } from "../../../harness/Pool.ts"
import { untilBlocked, whileHeld } from "../../../harness/Waiting.ts"
import { deliveryRow, laneRow, type MadeEndpoint, makeDelivery, makeEndpoint } from "../../../harness/Webhooks.ts"
import { GroundLayer } from "./Engine.ts"

const TestLayer = Layer.mergeAll(
  LanesRepo.layer,
  QueueCancellation.layer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({}))))
).pipe(Layer.provideMerge(GroundLayer()))

const laneOf = ({ endpoint_id }: MadeEndpoint) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`select from webhook_lanes where endpoint_id = ${endpoint_id} for update`
  )

const deliveryOf = ({ id }: Effect.Success<ReturnType<typeof makeDelivery>>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select from webhook_deliveries where id = ${id} for update`)

/** The endpoint's deliveries without a lock. */
const unlocked = Effect.fnUntraced(function*({ endpoint_id }: MadeEndpoint) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql.withTransaction(sql<{ id: string }>`
    select id from webhook_deliveries where endpoint_id = ${endpoint_id} order by id for update skip locked`)
  return rows.map(({ id }) => id)
})

/** Checks that the work waits for no lock. */
const withoutWaiting = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.raceFirst(work, Effect.andThen(untilBlocked(), Effect.die(new Error("It waits for a lock"))))

/** A disabled endpoint, and its queue that is not canceled yet. */
const disabled = Effect.gen(function*() {
  yield* warmPool
  const endpoint = yield* makeEndpoint(yield* makeClub(), { status: "disabled" })
  return { endpoint, queue: [yield* makeDelivery(endpoint), yield* makeDelivery(endpoint)] as const }
})

layer(TestLayer)("a queue that is canceled", (it) => {
  it.effect("has its lane locked before its deliveries", () =>
    Effect.gen(function*() {
      const { endpoint, queue } = yield* disabled
      const finishing = yield* whileHeld(
        laneOf(endpoint),
        Effect.gen(function*() {
          const finishing = yield* Effect.forkChild((yield* QueueCancellation).finish(endpoint))
          yield* untilBlocked()
          assert.deepStrictEqual(yield* unlocked(endpoint), queue.map(({ id }) => id))
          return finishing
        })
      )
      yield* Fiber.join(finishing)
      assert.strictEqual((yield* deliveryRow(queue[0].id)).status, "canceled")
    }))

  it.effect("has its deliveries locked by id", () =>
    Effect.gen(function*() {
      const { endpoint, queue } = yield* disabled
      const finishing = yield* whileHeld(
        deliveryOf(queue[1]),
        Effect.gen(function*() {
          const finishing = yield* Effect.forkChild((yield* QueueCancellation).finish(endpoint))
          yield* untilBlocked()
          assert.deepStrictEqual(yield* unlocked(endpoint), [])
          return finishing
        })
      )
      yield* Fiber.join(finishing)
      assert.strictEqual((yield* deliveryRow(queue[1].id)).status, "canceled")
    }))
})

/** Leases the lanes of this many new endpoints. Each has a delivery due. */
const leased = Effect.fnUntraced(function*(count: number) {
  yield* warmPool
  const lanes = yield* LanesRepo
  const made = yield* Effect.forEach(Array.from({ length: count }), () =>
    Effect.gen(function*() {
      const endpoint = yield* makeEndpoint(yield* makeClub())
      return { endpoint, delivery: yield* makeDelivery(endpoint) }
    }))
  const claimed = yield* lanes.claim(100)
  return made.flatMap(({ delivery, endpoint }) =>
    claimed.filter(({ endpoint_id }) => endpoint_id === endpoint.id).map((lease) => ({ delivery, endpoint, lease }))
  )
})

layer(TestLayer)("a heartbeat", (it) => {
  it.effect("passes over a lane that somebody has locked, which is not lost, and extends the others", () =>
    Effect.gen(function*() {
      const lanes = yield* LanesRepo
      const [locked, free] = yield* leased(2)
      if (locked === undefined || free === undefined) return assert.fail("No lanes were due")
      const before = yield* laneRow(locked.endpoint)
      yield* TestClock.adjust("10 seconds")
      const still = yield* whileHeld(
        laneOf(locked.endpoint),
        withoutWaiting(lanes.heartbeat([locked.lease, free.lease]))
      )
      assert.sameMembers(still.map(({ lease_id }) => lease_id), [locked.lease.lease_id, free.lease.lease_id])
      assert.deepStrictEqual(yield* laneRow(locked.endpoint), before)
      const { due_at } = yield* laneRow(free.endpoint)
      assert.deepStrictEqual(due_at, DateTime.add(yield* DateTime.now, { seconds: 30 }))
    }))
})

layer(TestLayer)("a delivery whose message is gone", (it) => {
  it.effect("is left for another look while somebody has it, and nobody waits for it", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const lanes = yield* LanesRepo
      const [one] = yield* leased(1)
      if (one === undefined) return assert.fail("No lane was due")
      yield* sql`delete from webhook_messages where id = ${one.delivery.event_id}`
      const take = lanes.take({
        lease: one.lease,
        slots: 5,
        requestedOnly: false,
        recovers: true,
        inFlight: [],
        after: null
      })
      const taken = yield* whileHeld(deliveryOf(one.delivery), withoutWaiting(take))
      assert.deepStrictEqual(Option.getOrThrow(taken).deliveries, [])
      assert.strictEqual((yield* deliveryRow(one.delivery.id)).status, "pending")
      yield* take
      assert.strictEqual((yield* deliveryRow(one.delivery.id)).status, "canceled")
    }))
})
