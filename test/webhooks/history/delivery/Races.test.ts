import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { codeOf, send } from "../../../harness/App.ts"
import { warmPool } from "../../../harness/Pool.ts"
import { untilBlocked } from "../../../harness/Waiting.ts"
import { ago, deliveryNow, ended, type MadeDelivery, makeDelivery, saturday } from "../../engine/retention/Rows.ts"
import {
  foundOnSaturday,
  owedNow,
  read,
  recover,
  register,
  type Registered,
  resend,
  sendTest,
  setStatus,
  WebhooksLayer
} from "../../Registering.ts"

const registered = Effect.flatMap(foundOnSaturday, (club) => register(club))
const now = DateTime.toDateUtc(saturday)

/** Keeps the transaction of `first` open until `second` waits for it. Returns the result of `second`. */
const meeting = Effect.fnUntraced(function*<A, E, R, B, E2, R2>(
  first: Effect.Effect<A, E, R>,
  second: Effect.Effect<B, E2, R2>
) {
  const sql = yield* SqlClient.SqlClient
  const begun = yield* Deferred.make<void>()
  const end = yield* Deferred.make<void>()
  const holding = yield* Effect.forkChild(sql
    .withTransaction(first.pipe(
      Effect.andThen(Deferred.succeed(begun, undefined)),
      Effect.andThen(Deferred.await(end))
    )))
  yield* Deferred.await(begun)
  const waiting = yield* Effect.forkChild(second)
  yield* untilBlocked()
  yield* Deferred.succeed(end, undefined)
  yield* Fiber.join(holding)
  return yield* Fiber.join(waiting)
})

/** Records an accepted attempt, as a worker does. */
const succeed = ({ club_id, id }: MadeDelivery) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql`
      update webhook_deliveries set status = 'succeeded', next_attempt_at = null, finished_at = ${now}
      where club_id = ${club_id} and id = ${id}`)

/** Erases the delivery, as the removal of a student does. */
const erase = ({ club_id, id }: MadeDelivery) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql`
      update webhook_deliveries
      set body_erased = true, status = 'canceled', cancel_reason = 'student_removed', next_attempt_at = null,
        finished_at = ${now}
      where club_id = ${club_id} and id = ${id}`)

layer(WebhooksLayer)("A resend that meets", (it) => {
  it.effect("a success is the one attempt after it", () =>
    Effect.gen(function*() {
      yield* warmPool
      const endpoint = yield* registered
      const delivery = yield* makeDelivery(endpoint, ago("1 days"))
      const answer = yield* meeting(succeed(delivery), resend(endpoint, delivery.id))
      assert.strictEqual(answer.status, 202)
      assert.deepStrictEqual((yield* owedNow(endpoint)).map(({ once, status }) => [status, once]), [
        ["succeeded", true]
      ])
    }))

  it.effect("an erasure is 409 payload_purged", () =>
    Effect.gen(function*() {
      yield* warmPool
      const endpoint = yield* registered
      const delivery = yield* makeDelivery(endpoint, ago("1 days"))
      const answer = yield* meeting(erase(delivery), resend(endpoint, delivery.id))
      assert.strictEqual(codeOf(answer), "payload_purged")
      assert.deepStrictEqual(yield* owedNow(endpoint), [])
    }))
})

layer(WebhooksLayer)("A recovery that meets", (it) => {
  it.effect("an erasure recovers nothing of it", () =>
    Effect.gen(function*() {
      yield* warmPool
      const endpoint = yield* registered
      const delivery = yield* makeDelivery(endpoint, ago("1 days"), ended("failed"))
      const answer = yield* meeting(erase(delivery), recover(endpoint, DateTime.formatIso(ago("2 days"))))
      assert.deepStrictEqual<unknown>(answer.json, { data: { recovered: 0 } })
      assert.strictEqual((yield* deliveryNow(delivery)).cancel_reason, "student_removed")
    }))
})

layer(WebhooksLayer)("Whatever meets the end of an endpoint", (it) => {
  const ends: Record<string, (endpoint: Registered) => ReturnType<typeof send>> = {
    "is disabled": (endpoint) => setStatus(endpoint, "disabled"),
    "is deleted": (endpoint) => send("DELETE", endpoint.path, endpoint)
  }

  it.effect.each(Object.keys(ends))("leaves nothing owed: it %s", (how) =>
    Effect.gen(function*() {
      yield* warmPool
      const club = yield* foundOnSaturday
      for (let round = 0; round < 10; round++) {
        const endpoint = yield* register(club)
        const pending = yield* makeDelivery(endpoint, ago("2 days"))
        const failed = yield* makeDelivery(endpoint, ago("1 days"), ended("failed"))
        const answers = yield* Effect.all([
          sendTest(endpoint),
          resend(endpoint, failed.id),
          recover(endpoint, DateTime.formatIso(ago("3 days"))),
          ends[how]?.(endpoint) ?? read(endpoint),
          resend(endpoint, pending.id),
          sendTest(endpoint)
        ], { concurrency: "unbounded" })
        assert.isEmpty(answers.filter(({ status }) => ![200, 202, 204, 404, 409].includes(status)))
        assert.deepStrictEqual(yield* owedNow(endpoint), [])
        yield* send("DELETE", endpoint.path, endpoint)
      }
    }))
})
