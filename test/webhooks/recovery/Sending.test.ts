import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { EventErasure } from "../../../src/events/EventErasure.ts"
import { UserId } from "../../../src/identity/ids/UserId.ts"
import { Partitions } from "../../../src/platform/sql/Partitions.ts"
import { webhookTables } from "../../../src/webhooks/model/WebhookTables.ts"
import { RecoveriesRepo } from "../../../src/webhooks/recovery/RecoveriesRepo.ts"
import { RecoveryId } from "../../../src/webhooks/recovery/Recovery.ts"
import { RecoveryWork } from "../../../src/webhooks/recovery/RecoveryWork.ts"
import { WebhookErasureLayer } from "../../../src/webhooks/retention/WebhookErasure.ts"
import { answered, FakeNetwork } from "../../harness/FakeNetwork.ts"
import { makeClub, makeStudent } from "../../harness/Makers.ts"
import { laneRow, type MadeEndpoint, makeDelivery, makeEndpoint } from "../../harness/Webhooks.ts"
import { engineLayer, pass, soon, still } from "../dispatch/Engine.ts"

const SendingLayer = Layer.mergeAll(RecoveryWork.layer, RecoveriesRepo.layer, WebhookErasureLayer).pipe(
  Layer.provideMerge(engineLayer())
)

const someone = UserId.make("019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c")

/** A recovery of all that the endpoint has, started. */
const start = Effect.fnUntraced(function*({ club_id, endpoint_id }: MadeEndpoint) {
  const repo = yield* RecoveriesRepo
  const id = RecoveryId.make("019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5d")
  const since = DateTime.subtract(yield* DateTime.now, { days: 1 })
  yield* repo.insert({ club_id, endpoint_id }, {
    id,
    since,
    until: null,
    event_types: null,
    newest_first: false,
    rate: null,
    starts: true,
    time_zone: "UTC",
    created_by: someone
  })
  const { look } = yield* RecoveryWork
  return {
    read: repo.find({ club_id, endpoint_id }, id),
    look: look({ club_id, endpoint_id, recovery_id: id })
  }
})

const progressOf = Effect.fnUntraced(function*(recovery: Effect.Success<ReturnType<typeof start>>) {
  const found = yield* recovery.read
  return found._tag === "Some" ? found.value : yield* Effect.die(new Error("It is gone"))
})

/** A worker looks at it, and the engine does what there is to do; a tenth of a second passes. */
const round = (recovery: Effect.Success<ReturnType<typeof start>>) =>
  recovery.look.pipe(Effect.andThen(still), Effect.andThen(pass("100 millis")))

const makeEnded = Effect.fnUntraced(function*(count: number) {
  yield* Effect.flatMap(Partitions, ({ ensure }) => Effect.flatMap(DateTime.now, (now) => ensure(webhookTables, now)))
  const endpoint = yield* makeEndpoint(yield* makeClub())
  yield* Effect.forEach(Array.from({ length: count }), () => makeDelivery(endpoint, { status: "failed" }))
  return endpoint
})

const attempts = ({ club_id }: MadeEndpoint) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql`
        select count(*)::int as all, count(distinct a.delivery_id)::int as deliveries from webhook_attempts a
        where a.club_id = ${club_id} and a.trigger = 'recover'`,
      ([row]) => [row?.["all"], row?.["deliveries"]]
    ))

describe("a recovery that is sent", () => {
  layer(SendingLayer, { timeout: "60 seconds" })((it) => {
    it.effect("has one attempt by `recover` of each delivery, and says so", () =>
      Effect.gen(function*() {
        const network = yield* FakeNetwork
        const endpoint = yield* makeEnded(150)
        let answers = 0
        network.respond = () => answered(answers++ % 3 === 0 ? 500 : 204)
        const recovery = yield* start(endpoint)
        for (let rounds = 0; (yield* progressOf(recovery)).status !== "completed"; rounds++) {
          yield* round(recovery)
          assert.isBelow(rounds, 60)
        }
        const { progress } = yield* progressOf(recovery)
        assert.deepStrictEqual(progress, {
          moved: 150,
          waiting: 0,
          succeeded: 100,
          failed: 50,
          canceled: 0,
          remaining: 0,
          skipped: 0
        })
        assert.deepStrictEqual(yield* attempts(endpoint), [150, 150])
      }))
  })

  layer(SendingLayer, { timeout: "60 seconds" })((it) => {
    it.effect("does not flood a receiver that fails: held, it gets one probe at a time, each after its hold", () =>
      Effect.gen(function*() {
        const network = yield* FakeNetwork
        network.respond = () => answered(500)
        const endpoint = yield* makeEnded(100)
        const recovery = yield* start(endpoint)
        const rounds = Effect.repeat(round(recovery), { times: 20 })
        yield* rounds
        const { hold_until, holds } = yield* laneRow(endpoint)
        assert.deepStrictEqual([holds, hold_until === null], [1, false])
        const before = network.posted.length
        assert.isAtMost(before, 16)
        yield* rounds
        assert.strictEqual(network.posted.length, before)
        assert.strictEqual((yield* progressOf(recovery)).blocked_by, "endpoint_held")
        for (const [held, minutes] of [[2, 1], [3, 2], [4, 4]] as const) {
          yield* pass(`${minutes} minutes`)
          yield* soon(laneRow(endpoint), ({ holds, lease_id }) => holds === held && lease_id === null)
          yield* rounds
          assert.strictEqual(network.posted.length, before + held - 1)
        }
        network.respond = () => answered(204)
        yield* pass("8 minutes")
        for (let looks = 0; (yield* progressOf(recovery)).status !== "completed"; looks++) {
          yield* Effect.andThen(recovery.look, pass("5 seconds"))
          assert.isBelow(looks, 60)
        }
        const { progress } = yield* progressOf(recovery)
        assert.deepStrictEqual([progress.moved, progress.succeeded, progress.failed], [
          100,
          100 - before - 3,
          before + 3
        ])
        assert.deepStrictEqual(yield* attempts(endpoint), [100, 100])
      }))
  })

  layer(SendingLayer, { timeout: "60 seconds" })((it) => {
    it.effect("lets an event of its endpoint have its turn after what is in the lane, long before all of it", () =>
      Effect.gen(function*() {
        const network = yield* FakeNetwork
        network.respond = () => answered(204)
        const endpoint = yield* makeEnded(300)
        const recovery = yield* start(endpoint)
        yield* recovery.look
        yield* recovery.look
        const live = yield* makeDelivery(endpoint)
        network.posted.length = 0
        yield* still
        yield* round(recovery)
        yield* soon(
          Effect.sync(() => network.posted.findIndex(({ headers }) => headers["webhook-id"] === live.event_id)),
          (place) => place >= 0
        )
        assert.isBelow(network.posted.findIndex(({ headers }) => headers["webhook-id"] === live.event_id), 128)
        assert.isAbove((yield* progressOf(recovery)).progress.remaining, 0)
      }))
  })

  layer(SendingLayer, { timeout: "60 seconds" })((it) => {
    it.effect.each([204, 500])(
      "keeps no answer of what was under way when its student was removed, and does not send it again: %d",
      (status) =>
        Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          const network = yield* FakeNetwork
          network.posted.length = 0
          network.respond = () => undefined
          const endpoint = yield* makeEnded(1)
          const { club_id, endpoint_id } = endpoint
          const { id: student_id } = yield* makeStudent({ id: club_id })
          yield* sql`update webhook_deliveries set student_id = ${student_id} where club_id = ${club_id}`
          yield* sql`update webhook_messages set student_id = ${student_id} where club_id = ${club_id}`
          const recovery = yield* start(endpoint)
          yield* soon(Effect.andThen(recovery.look, Effect.sync(() => network.posted.length)), (posted) => posted > 0)
          const { eraseStudent } = yield* EventErasure
          const erased = yield* sql.withTransaction(eraseStudent(club_id, student_id))
          assert.deepStrictEqual(erased, { bodies: 1, responses: 0, canceled: 1 })
          yield* Effect.forEach(network.posted, ({ answer }) => answer(answered(status, { response_body: "Bia" })))
          yield* still
          yield* pass("1 hour")
          for (let looks = 0; (yield* progressOf(recovery)).status !== "completed"; looks++) {
            yield* Effect.andThen(recovery.look, pass("5 seconds"))
            assert.isBelow(looks, 20)
          }
          assert.lengthOf(network.posted, 1)
          const rows = yield* sql`
            select d.status, d.cancel_reason, a.response_body, a.signature, a.status_code from webhook_deliveries d
            join webhook_attempts a on a.club_id = d.club_id and a.delivery_id = d.id
            where d.club_id = ${club_id} and d.endpoint_id = ${endpoint_id}`
          assert.deepStrictEqual(rows, [{
            status: "canceled",
            cancel_reason: "student_removed",
            response_body: null,
            signature: null,
            status_code: status
          }])
          const { progress } = yield* progressOf(recovery)
          assert.deepInclude(progress, { moved: 1, waiting: 0, succeeded: 0, remaining: 0, skipped: 0 })
          assert.strictEqual(progress.failed + progress.canceled, 1)
        })
    )
  })
})
