import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Outbox } from "../../src/events/Outbox.ts"
import { phaseNames } from "../../src/webhooks/model/AttemptPhases.ts"
import { countLanes } from "../../src/webhooks/WebhookGauges.ts"
import { answered, FakeNetwork, timedOut } from "../harness/FakeNetwork.ts"
import { makeClub, makeStudent } from "../harness/Makers.ts"
import { deliveryRow, laneRow, makeDelivery, makeEndpoint } from "../harness/Webhooks.ts"
import { engineLayer, GroundLayer, soon } from "./engine/dispatch/Engine.ts"

const lines = Effect.map(PrometheusMetrics.format(), (text) => text.split("\n"))

/** The value of a series, 0 before it has one. All tests of the process share the metrics, so compare differences. */
const valueOf = (series: string) =>
  Effect.map(lines, (lines) => Number(lines.find((line) => line.startsWith(`${series} `))?.split(" ").at(-1) ?? 0))

const added = Effect.fnUntraced(function*<A, E, R>(series: string, work: Effect.Effect<A, E, R>) {
  const before = yield* valueOf(series)
  yield* work
  return (yield* valueOf(series)) - before
})

const attempt = Effect.gen(function*() {
  const { id } = yield* makeDelivery(yield* makeEndpoint(yield* makeClub()))
  yield* soon(deliveryRow(id), ({ attempts_count }) => attempts_count === 1)
})

layer(engineLayer())("an attempt", (it) => {
  it.effect.each([["accepted", answered(200)], ["http_status", answered(500)], ["timeout", timedOut]] as const)(
    "is counted by its outcome: %s",
    ([outcome, result]) =>
      Effect.gen(function*() {
        const network = yield* FakeNetwork
        network.respond = () => result
        const series = `turma_webhook_attempts_total{outcome="${outcome}"}`
        assert.strictEqual(yield* added(series, attempt), 1)
      })
  )

  it.effect("is timed", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* added("turma_webhook_attempt_duration_seconds_count", attempt), 1)
    }))

  it.effect("is counted with those that share its statements", () =>
    Effect.gen(function*() {
      for (const what of ["take", "settle"]) {
        assert.isAtLeast(yield* added(`turma_webhook_batch_size_count{what="${what}"}`, attempt), 1, what)
      }
    }))
})

// A separate network, because failed deliveries of other tests run again as time passes.
layer(engineLayer())("an attempt with phases", (it) => {
  it.effect("is timed by phase, without those that there were none of", () =>
    Effect.gen(function*() {
      const network = yield* FakeNetwork
      const kept = { lookup_ms: null, connect_ms: null, tls_ms: null, send_ms: 0, wait_ms: 40, read_ms: 2 }
      const cutOff = { lookup_ms: 12, connect_ms: 21, tls_ms: 24, send_ms: 0, wait_ms: 40, read_ms: null }
      for (const phases of [kept, cutOff]) {
        network.respond = () => answered(204, { phases })
        for (const name of phaseNames) {
          const phase = name.replace("_ms", "")
          const took = phases[name]
          const count = `turma_webhook_attempt_phase_seconds_count{phase="${phase}"}`
          assert.strictEqual(yield* added(count, attempt), took === null ? 0 : 1, phase)
          const sum = `turma_webhook_attempt_phase_seconds_sum{phase="${phase}"}`
          assert.closeTo(yield* added(sum, attempt), (took ?? 0) / 1000, 1e-9, phase)
        }
      }
    }))
})

const ground = () => Outbox.layer.pipe(Layer.provideMerge(GroundLayer()))

layer(ground())("the gauges", (it) => {
  it.effect("show lanes that wait for a worker, and what is held or disabled, of which nothing is held any more", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* makeClub()
      const [waiting, held] = [yield* makeEndpoint(club), yield* makeEndpoint(club)]
      const disabled = yield* makeEndpoint(club, { status: "disabled" })
      yield* makeDelivery(waiting)
      const until = DateTime.toDateUtc(DateTime.add(yield* DateTime.now, { hours: 1 }))
      yield* makeDelivery(held)
      yield* sql`
        update webhook_lanes set holds = 1, hold_until = ${until}, due_at = ${until} where endpoint_id = ${held.id}`
      yield* sql`
        update webhook_lanes set holds = 1, hold_until = ${until}, rests = true where endpoint_id = ${disabled.id}`
      yield* TestClock.adjust("90 seconds")
      assert.deepStrictEqual(yield* countLanes(), { due: 1, oldestDelivery: 90, oldestEvent: 0, held: 1, disabled: 1 })
      assert.strictEqual(yield* valueOf("turma_webhook_lanes_due"), 1)
      assert.strictEqual(yield* valueOf(`turma_webhook_endpoints{state="held"}`), 1)
      assert.strictEqual(yield* valueOf(`turma_webhook_endpoints{state="disabled"}`), 1)
      assert.isNotNull((yield* laneRow(waiting)).due_at)
    }))
})

layer(ground())("the oldest pending", (it) => {
  it.effect("is the delivery due longest, also in a lane that a worker has", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const endpoint = yield* makeEndpoint(yield* makeClub())
      yield* makeDelivery(endpoint, { next_attempt_at: DateTime.add(yield* DateTime.now, { days: 1 }) })
      assert.strictEqual((yield* countLanes()).oldestDelivery, 0)
      yield* makeDelivery(endpoint)
      yield* TestClock.adjust("40 seconds")
      const leased = DateTime.toDateUtc(DateTime.add(yield* DateTime.now, { seconds: 20 }))
      yield* sql`update webhook_lanes set lease_id = gen_random_uuid(), due_at = ${leased}`
      yield* makeDelivery(endpoint)
      const { due, oldestDelivery } = yield* countLanes()
      assert.deepStrictEqual([due, oldestDelivery], [0, 40])
      assert.strictEqual(yield* valueOf(`turma_webhook_oldest_pending_seconds{what="delivery"}`), 40)
    }))

  it.effect("is the event that has waited longest for its assembly", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* makeClub()
      const student = yield* makeStudent(club)
      const at = DateTime.toDateUtc(yield* DateTime.now)
      const fact = { club_id: club.id, type: "student.created", student_id: student.id, subject: "{}", occurred_at: at }
      yield* sql`insert into event_outbox ${sql.insert({ ...fact, id: student.id, due_at: at })}`
      yield* TestClock.adjust("70 seconds")
      assert.strictEqual((yield* countLanes()).oldestEvent, 70)
      assert.strictEqual(yield* valueOf(`turma_webhook_oldest_pending_seconds{what="event"}`), 70)
    }))
})
