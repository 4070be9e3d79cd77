import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { EventErasure } from "../../../../src/events/EventErasure.ts"
import { answered, FakeNetwork } from "../../../harness/FakeNetwork.ts"
import { makeStudent } from "../../../harness/Makers.ts"
import { laneRow, type MadeEndpoint, makeDelivery } from "../../../harness/Webhooks.ts"
import { engineLayer, pass, soon, still } from "../../engine/dispatch/Engine.ts"
import { makeEnded, progressOf, start, WorkLayer } from "./Started.ts"

const SendingLayer = WorkLayer.pipe(Layer.provideMerge(engineLayer()))

/** A worker looks at the recovery, the engine does its work, and a tenth of a second passes. */
const round = (recovery: Effect.Success<ReturnType<typeof start>>) =>
  recovery.look.pipe(Effect.andThen(still), Effect.andThen(pass("100 millis")))

/** Holds the endpoint for an hour. */
const hold = ({ endpoint_id }: MadeEndpoint) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const now = yield* DateTime.now
    const at = DateTime.toDateUtc(now)
    yield* sql`
      update webhook_lanes
      set consecutive_failures = 9, holds = 5, failing_since = ${at}, held_since = ${at},
        hold_until = ${DateTime.toDateUtc(DateTime.add(now, { hours: 1 }))}
      where endpoint_id = ${endpoint_id}`
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
  layer(SendingLayer)((it) => {
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

  layer(SendingLayer)((it) => {
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

  layer(SendingLayer)((it) => {
    it.effect("probes a held endpoint at once with its first attempt, and the rest waits while that fails", () =>
      Effect.gen(function*() {
        const network = yield* FakeNetwork
        network.respond = () => answered(500)
        const endpoint = yield* makeEnded(20)
        yield* hold(endpoint)
        const recovery = yield* start(endpoint)
        yield* Effect.repeat(round(recovery), { times: 10 })
        assert.lengthOf(network.posted, 1)
        assert.strictEqual((yield* laneRow(endpoint)).holds, 6)
        yield* Effect.repeat(round(recovery), { times: 60 })
        assert.lengthOf(network.posted, 1)
        assert.deepInclude(yield* progressOf(recovery), { status: "running", blocked_by: "endpoint_held" })
      }))

    it.effect("goes on at once where that is accepted", () =>
      Effect.gen(function*() {
        const network = yield* FakeNetwork
        network.posted.length = 0
        network.respond = () => answered(204)
        const endpoint = yield* makeEnded(20)
        yield* hold(endpoint)
        const recovery = yield* start(endpoint)
        const sent = Effect.andThen(round(recovery), Effect.sync(() => network.posted.length))
        yield* Effect.repeat(sent, { until: (count) => count === 20, times: 200 })
        assert.lengthOf(network.posted, 20)
        assert.isNull((yield* laneRow(endpoint)).hold_until)
      }))
  })

  layer(SendingLayer)((it) => {
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

  layer(SendingLayer)((it) => {
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
