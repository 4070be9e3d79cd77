import { assert, describe, it, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { LaneCursor } from "../../../../src/webhooks/engine/dispatch/LaneCursor.ts"
import { WebhookDeliveryId } from "../../../../src/webhooks/model/WebhookDeliveryId.ts"
import { answered, FakeNetwork } from "../../../harness/FakeNetwork.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { deliveryRow, makeDelivery, makeEndpoint } from "../../../harness/Webhooks.ts"
import { engineLayer, soon, still } from "./Engine.ts"

const at = (seconds: number) => DateTime.makeUnsafe(1_000_000 + seconds * 1000)

const place = (number: number) => ({
  next_attempt_at: at(number),
  id: WebhookDeliveryId.make(`00000000-0000-7000-8000-00000000000${number}`)
})

describe("A cursor", () => {
  it("reads on after the last that was taken, for a second after the start was read", () => {
    const cursor = new LaneCursor()
    assert.isNull(cursor.at(at(0)))
    cursor.moveTo(place(1), at(0))
    assert.deepStrictEqual(cursor.at(at(0.5)), place(1))
    cursor.moveTo(place(2), at(0.9))
    assert.deepStrictEqual(cursor.at(at(0.999)), place(2))
    assert.isNull(cursor.at(at(1)))
    assert.isNull(cursor.at(at(0.5)))
  })

  it("reads from the start once it is told to", () => {
    const cursor = new LaneCursor()
    cursor.moveTo(place(1), at(0))
    cursor.reset()
    assert.isNull(cursor.at(at(0)))
  })

  it("reads on for no longer where the clock is set back", () => {
    const cursor = new LaneCursor()
    cursor.moveTo(place(1), at(0))
    assert.deepStrictEqual(cursor.at(at(-0.5)), place(1))
    assert.isNull(cursor.at(at(-3600)))
  })
})

const eventIds = ({ posted }: FakeNetwork["Service"]) => posted.map(({ headers }) => headers["webhook-id"])

/** Answers all open requests. */
const answerAll = ({ posted }: FakeNetwork["Service"]) =>
  Effect.andThen(Effect.forEach(posted, ({ answer }) => answer(answered(204))), still)

/**
 * A lane with two attempts at a time and a backlog, whose next read comes after the fourth attempt. Then comes a
 * delivery that is due before all others.
 */
const makeBacklog = Effect.gen(function*() {
  const network = yield* FakeNetwork
  network.posted.length = 0
  network.respond = () => undefined
  const endpoint = yield* makeEndpoint(yield* makeClub())
  const backlog = yield* Effect.forEach(Array.from({ length: 9 }), () => makeDelivery(endpoint))
  yield* soon(Effect.sync(() => network.posted.length), (count) => count === 2)
  yield* answerAll(network)
  const next_attempt_at = DateTime.subtract(yield* DateTime.now, { minutes: 1 })
  const earlier = yield* makeDelivery(endpoint, { next_attempt_at })
  yield* answerAll(network)
  assert.deepStrictEqual(eventIds(network), backlog.slice(0, 6).map(({ event_id }) => event_id))
  return { network, backlog, earlier }
})

layer(engineLayer({ WEBHOOK_LANE_CONCURRENCY: "2" }))("A lane with a backlog", (it) => {
  it.effect("sends what has come to lie before its cursor within a second", () =>
    Effect.gen(function*() {
      const { earlier, network } = yield* makeBacklog
      yield* TestClock.adjust("1 second")
      yield* answerAll(network)
      assert.strictEqual(eventIds(network)[6], earlier.event_id)
      network.respond = () => answered(204)
      yield* answerAll(network)
    }))

  it.effect("looks for what lies before its cursor once nothing lies behind it", () =>
    Effect.gen(function*() {
      const { backlog, earlier, network } = yield* makeBacklog
      network.respond = () => answered(204)
      yield* answerAll(network)
      assert.deepStrictEqual(eventIds(network), [...backlog, earlier].map(({ event_id }) => event_id))
      const statuses = yield* Effect.forEach([...backlog, earlier], ({ id }) =>
        Effect.map(deliveryRow(id), ({ status }) => status))
      assert.deepStrictEqual(new Set(statuses), new Set(["succeeded"]))
    }))
})

layer(engineLayer({ WEBHOOK_LANE_CONCURRENCY: "2" }))("A lane that was held", (it) => {
  it.effect("goes on with the oldest, whatever a person had asked for meanwhile", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const network = yield* FakeNetwork
      network.respond = () => undefined
      const endpoint = yield* makeEndpoint(yield* makeClub())
      const now = yield* DateTime.now
      const held = {
        failing_since: DateTime.toDateUtc(now),
        hold_until: DateTime.toDateUtc(DateTime.add(now, { hours: 1 }))
      }
      yield* sql`
        update webhook_lanes set holds = 1, consecutive_failures = 5, ${sql.update(held)}
        where endpoint_id = ${endpoint.id}`
      const waiting = yield* Effect.forEach(Array.from({ length: 7 }, (_, number) => number), (number) =>
        makeDelivery(endpoint, {
          next_attempt_at: DateTime.subtract(now, { minutes: 10 - number }),
          trigger: number === 2 || number === 4 ? "manual" : "schedule"
        }))
      yield* soon(
        Effect.sync(() =>
          network.posted.length
        ),
        (count) => count === 1
      )
      yield* Effect.forEach(network.posted, ({ answer }) => answer(answered(500)))
      yield* still
      yield* Effect.replicateEffect(answerAll(network), 6)
      const order = [2, 4, 0, 1, 3, 5, 6]
      assert.deepStrictEqual(eventIds(network), order.map((number) => waiting[number]?.event_id))
    }))
})
