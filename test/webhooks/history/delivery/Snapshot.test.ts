import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { EventId } from "../../../../src/events/EventType.ts"
import { DeliveryHistory } from "../../../../src/webhooks/history/delivery/DeliveryHistory.ts"
import { warmPool } from "../../../harness/Pool.ts"
import { untilBlocked } from "../../../harness/Waiting.ts"
import { ago, ended, type MadeDelivery, makeAttempt, makeDelivery, saturday } from "../../engine/retention/Rows.ts"
import { foundOnSaturday, register, WebhooksLayer } from "../../Registering.ts"

/** Starts `read` while a table is locked, then runs `change` and unlocks. Returns the result of `read`. */
const during = Effect.fnUntraced(function*<A, E, R, B, E2, R2>(
  table: "webhook_attempts" | "webhook_messages",
  change: Effect.Effect<A, E, R>,
  read: Effect.Effect<B, E2, R2>
) {
  const sql = yield* SqlClient.SqlClient
  const [locked, goOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const changing = yield* Effect
    .forkChild(sql.withTransaction(sql`lock table ${sql(table)} in access exclusive mode`.pipe(
      Effect.andThen(Deferred.succeed(locked, undefined)),
      Effect.andThen(Deferred.await(goOn)),
      Effect.andThen(change)
    )))
  yield* Deferred.await(locked)
  // The transaction gives the read its own connection. Each of its statements still sees the data of its own moment.
  const reading = yield* Effect.forkChild(sql.withTransaction(read))
  yield* untilBlocked()
  yield* Deferred.succeed(goOn, undefined)
  yield* Fiber.join(changing)
  return yield* Fiber.join(reading)
})

const set = Effect.fnUntraced(function*({ club_id, id }: MadeDelivery, columns: Readonly<Record<string, unknown>>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update webhook_deliveries set ${sql.update(columns)} where club_id = ${club_id} and id = ${id}`
})

const erased = Effect.fnUntraced(function*(delivery: MadeDelivery) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    update webhook_messages set body = null where club_id = ${delivery.club_id} and id = ${delivery.event_id}`
  yield* set(delivery, { body_erased: true })
})

const made = Effect.gen(function*() {
  yield* warmPool
  const history = yield* DeliveryHistory
  const { club_id, endpoint_id, ...endpoint } = yield* register(yield* foundOnSaturday)
  const delivery = yield* makeDelivery({ club_id, endpoint_id, ...endpoint }, ago("2 hours"))
  return {
    delivery,
    readDelivery: history.get(club_id, endpoint_id, delivery.id),
    readEvent: history.event(club_id, EventId.make(delivery.event_id))
  }
})

layer(WebhooksLayer)("What is read of a delivery is of one moment", (it) => {
  it.effect("when a result is committed meanwhile: its count and its attempts agree", () =>
    Effect.gen(function*() {
      const { delivery, readDelivery } = yield* made
      const result = { attempts_count: 1, next_attempt_at: null, ...ended("succeeded") }
      const change = Effect.andThen(makeAttempt(delivery, saturday), set(delivery, result))
      const { attempts, attempts_count } = yield* during("webhook_attempts", change, readDelivery)
      assert.strictEqual(attempts_count, attempts.length)
    }))

  it.effect("when its body is erased meanwhile: it says so exactly if the payload is gone", () =>
    Effect.gen(function*() {
      const { delivery, readDelivery } = yield* made
      const { payload, payload_purged } = yield* during("webhook_messages", erased(delivery), readDelivery)
      assert.strictEqual(payload_purged, payload === null)
    }))

  it.effect("when the body of its event is erased meanwhile: the event says so exactly if the payload is gone", () =>
    Effect.gen(function*() {
      const { delivery, readEvent } = yield* made
      const { payload, payload_purged } = yield* during("webhook_messages", erased(delivery), readEvent)
      assert.strictEqual(payload_purged, payload === null)
    }))
})
