import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { GradingWorker } from "../../../src/webhooks/grader/GradingWorker.ts"
import { Sender } from "../../../src/webhooks/sender/Sender.ts"
import { at, codeOf, foundClub, listAt, outcome, send } from "../../harness/App.ts"
import { foundOnSaturday, register, type Registered, setStatus, WebhooksLayer } from "../Registering.ts"

const accepts = {
  error: null,
  status_code: 200,
  response_body: "<b>ok</b>",
  retry_after: null,
  phases: null,
  connection_reused: true,
  peer: null
} as const

/** What goes out, and what happens before it is answered. */
const wire: { posted: Array<string>; before: Effect.Effect<unknown> } = { posted: [], before: Effect.void }

const TestLayer = GradingWorker.layer.pipe(
  Layer.provide(Layer.succeed(Sender, {
    send: ({ url }) =>
      Effect.suspend(() => {
        wire.posted.push(url)
        return Effect.as(wire.before, accepts)
      })
  })),
  Layer.provideMerge(WebhooksLayer)
)

const grade = ({ path, token }: Registered) => send("POST", `${path}/grade`, { token })
const registered = Effect.flatMap(foundOnSaturday, (club) => {
  wire.posted = []
  wire.before = Effect.void
  return register(club)
})
const read = ({ path, token }: Registered, id: unknown) => send("GET", `${path}/gradings/${String(id)}`, { token })

layer(TestLayer, { timeout: "60 seconds" })("A grading", (it) => {
  it.effect("is made by a worker, and its report is sealed", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const { makeOne } = yield* GradingWorker
      const begun = yield* grade(endpoint)
      assert.strictEqual(begun.status, 202, begun.text)
      assert.strictEqual(at(begun.json, "data", "status"), "running")
      const id = at(begun.json, "data", "id")
      assert.isNull(at((yield* read(endpoint, id)).json, "data", "report"))
      assert.isTrue(yield* makeOne)
      assert.isFalse(yield* makeOne)
      const { json } = yield* read(endpoint, id)
      assert.deepStrictEqual([at(json, "data", "status"), at(json, "data", "grade")], ["done", "F"])
      assert.strictEqual(at(json, "data", "report", "findings", 0, "code"), "verifies_nothing")
      assert.strictEqual(listAt(at(json, "data", "report"), "observations").length, wire.posted.length)
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql`select encode(report, 'escape') as report from webhook_gradings where id = ${String(id)}`
      assert.notInclude(String(at(row, "report")), "<b>")
      const list = yield* send("GET", `${endpoint.path}/gradings`, endpoint)
      const { report: _, ...shown } = Object(at(json, "data"))
      assert.deepStrictEqual(listAt(list.json, "data"), [shown])
    }))

  it.effect("leaves no trace in history, statistics or breaker", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const before = (yield* send("GET", endpoint.path, endpoint)).text
      yield* grade(endpoint)
      yield* (yield* GradingWorker).makeOne
      assert.strictEqual((yield* send("GET", endpoint.path, endpoint)).text, before)
      assert.deepStrictEqual(listAt((yield* send("GET", `${endpoint.path}/deliveries`, endpoint)).json, "data"), [])
    }))

  it.effect("is one of an endpoint at a time, also when many ask at once", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const answers = yield* Effect.forEach([1, 2, 3, 4], () => grade(endpoint), { concurrency: "unbounded" })
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [202, 409, 409, 409])
      assert.deepStrictEqual(outcome(yield* grade(endpoint)), [409, "grading_under_way"])
      yield* (yield* GradingWorker).makeOne
      assert.strictEqual((yield* grade(endpoint)).status, 202)
      yield* (yield* GradingWorker).makeOne
    }))

  it.effect("is begun six times an hour in a club", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const { makeOne } = yield* GradingWorker
      yield* Effect.repeat(Effect.andThen(grade(endpoint), makeOne), { times: 5 })
      const refused = yield* grade(endpoint)
      assert.deepStrictEqual([refused.status, codeOf(refused)], [429, "grading_limit_reached"])
      assert.isDefined(refused.headers["retry-after"])
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* grade(endpoint)).status, 202)
      yield* makeOne
    }))

  it.effect("wants an endpoint of the club that is enabled and has an address", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const other = yield* foundClub()
      assert.deepStrictEqual(
        outcome(
          yield* grade({
            ...endpoint,
            path: endpoint.path.replace(/clubs\/[^/]+/, `clubs/${other.organization_id}`),
            token: other.token
          })
        ),
        [404, "not_found"]
      )
      yield* setStatus(endpoint, "paused")
      assert.deepStrictEqual(outcome(yield* grade(endpoint)), [409, "endpoint_not_enabled"])
      const { club } = endpoint
      const listener = yield* send("POST", `${club.path}/webhook-listeners`, {
        token: club.token,
        body: { event_types: ["student.created"] }
      })
      const path = `${club.path}/webhook-endpoints/${String(at(listener.json, "data", "id"))}`
      assert.deepStrictEqual(outcome(yield* grade({ ...endpoint, path })), [409, "endpoint_has_no_url"])
    }))

  it.effect("fails without a probe where the endpoint was paused meanwhile", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const begun = yield* grade(endpoint)
      yield* setStatus(endpoint, "paused")
      yield* (yield* GradingWorker).makeOne
      const { json } = yield* read(endpoint, at(begun.json, "data", "id"))
      assert.deepStrictEqual([at(json, "data", "status"), at(json, "data", "failure")], [
        "failed",
        "endpoint_not_enabled"
      ])
      assert.deepStrictEqual(wire.posted, [])
    }))

  it.effect("of a worker that died is begun anew when its lease is over, three times, and what the dead one writes is lost", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const { makeOne } = yield* GradingWorker
      const sql = yield* SqlClient.SqlClient
      const begun = yield* grade(endpoint)
      const id = String(at(begun.json, "data", "id"))
      const dies = Effect.gen(function*() {
        const until = DateTime.toDateUtc(DateTime.addDuration(yield* DateTime.now, Duration.minutes(1)))
        yield* sql`
          update webhook_gradings set tries = tries + 1, lease_id = gen_random_uuid(), due_at = ${until} where id = ${id}`
      }).pipe(Effect.orDie)
      yield* dies
      assert.isFalse(yield* makeOne)
      yield* TestClock.adjust("1 minute")
      // Another takes it while the first probe is under way.
      wire.before = dies
      assert.isTrue(yield* makeOne)
      assert.strictEqual(wire.posted.length, 1)
      assert.strictEqual(at((yield* read(endpoint, id)).json, "data", "status"), "running")
      yield* TestClock.adjust("1 minute")
      yield* makeOne
      const { json } = yield* read(endpoint, id)
      assert.deepStrictEqual([at(json, "data", "status"), at(json, "data", "failure")], ["failed", "interrupted"])
    }))
})
