import { assert, layer } from "@effect/vitest"
import { Clock, DateTime, Deferred, Duration, Effect, Fiber, Layer, Metric } from "effect"
import { HttpClient } from "effect/http"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { verifyWebhook } from "../../../../src/sdk/webhooks/verifyWebhook.ts"
import { type OutgoingRequest, Sender, type SendResult } from "../../../../src/webhooks/send/Sender.ts"
import { Targets, TargetsFull } from "../../../../src/webhooks/send/Targets.ts"
import { findingWords } from "../../../../src/webhooks/workbench/grader/FindingWords.ts"
import { GradingWorker } from "../../../../src/webhooks/workbench/grader/GradingWorker.ts"
import { at, codeOf, foundClub, keyOf, listAt, outcome, send, tokenOf } from "../../../harness/App.ts"
import {
  foundOnSaturday,
  laneNow,
  patch,
  publicUrl,
  register,
  type Registered,
  setStatus,
  WebhooksLayer
} from "../../Registering.ts"

const accepts = {
  error: null,
  status_code: 200,
  response_body: "<b>ok</b>",
  retry_after: null,
  phases: null,
  connection_reused: true,
  peer: null
} as const

const full = new TargetsFull({ targets: new Targets(0, () => 0), addresses: [] })

/** The posted requests, the effect before each answer, and the answer. */
const wire: {
  posted: Array<OutgoingRequest>
  before: Effect.Effect<unknown>
  answer: SendResult
  /** How many more requests find no room at the receiver's address. */
  full: number
} = {
  posted: [],
  before: Effect.void,
  answer: accepts,
  full: 0
}

const TestLayer = GradingWorker.layer.pipe(
  Layer.provide(Layer.succeed(Sender, {
    send: (request) =>
      Effect.suspend(() => {
        if (wire.full-- > 0) return Effect.fail(full)
        wire.posted.push(request)
        return Effect.map(wire.before, () => wire.answer)
      })
  })),
  Layer.provideMerge(WebhooksLayer)
)

const grade = ({ path, token }: Registered) => send("POST", `${path}/grade`, { token })
const registeredWith = (body: unknown) =>
  Effect.flatMap(foundOnSaturday, (club) => {
    wire.posted = []
    wire.before = Effect.void
    wire.answer = accepts
    wire.full = 0
    return register(club, body)
  })
const registered = registeredWith({})
const read = ({ path, token }: Registered, id: unknown) => send("GET", `${path}/gradings/${String(id)}`, { token })
/** A request that runs while another fiber works. */
const asked = <A, E>(request: Effect.Effect<A, E, HttpClient.HttpClient>) =>
  HttpClient.HttpClient.use((http) =>
    Effect.succeed(Effect.orDie(Effect.provideService(request, HttpClient.HttpClient, http)))
  )
/** Status and failure of a grading. */
const endOf = (endpoint: Registered, id: unknown) =>
  Effect.map(read(endpoint, id), ({ json }) => [at(json, "data", "status"), at(json, "data", "failure")])

/** The count under this name, for all attributes or for these. */
const counted = (name: string, attributes: Readonly<Record<string, string>> = {}) =>
  Effect.map(Metric.snapshot, (all) =>
    all.reduce((sum, metric) => {
      const isMeant = metric.id === name &&
        Object.entries(attributes).every(([key, value]) => metric.attributes?.[key] === value)
      return isMeant && metric.type === "Counter" ? sum + Number(metric.state.count) : sum
    }, 0))

layer(TestLayer)("A grading", (it) => {
  it.effect("is counted by its grade, and so is each probe", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const both = Effect.all([
        counted("turma_webhook_gradings_total", { grade: "F" }),
        counted("turma_webhook_gradings_total"),
        counted("turma_webhook_probes_total")
      ])
      const before = yield* both
      yield* grade(endpoint)
      yield* (yield* GradingWorker).makeOne
      const after = yield* both
      assert.deepStrictEqual(after.map((count, place) => count - (before[place] ?? 0)), [1, 1, wire.posted.length])
    }))

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

  it.effect("is read in the language of the request, whatever it was begun in", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const portuguese = { token: endpoint.token, headers: { "accept-language": "pt-BR" } }
      const begun = yield* send("POST", `${endpoint.path}/grade`, portuguese)
      yield* (yield* GradingWorker).makeOne
      const path = `${endpoint.path}/gradings/${String(at(begun.json, "data", "id"))}`
      const reads = [yield* send("GET", path, portuguese), yield* send("GET", path, endpoint)]
      for (const [place, locale] of (["pt-BR", "en"] as const).entries()) {
        const finding = at(reads[place]?.json, "data", "report", "findings", 0)
        assert.strictEqual(at(finding, "code"), "verifies_nothing")
        assert.strictEqual(at(finding, "message"), findingWords.verifies_nothing[locale])
        assert.match(reads[place]?.headers["vary"] ?? "", /\bAccept-Language\b/)
      }
    }))

  it.effect("hides documents in answers from everybody but owner and admin in person", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      wire.answer = { ...accepts, response_body: "cpf 529.982.247-25" }
      const id = at((yield* grade(endpoint)).json, "data", "id")
      yield* (yield* GradingWorker).makeOne
      const key = yield* keyOf(endpoint.club, { role: "admin" })
      for (const [reader, shown] of [[endpoint, "cpf 529.982.247-25"], [{ ...endpoint, ...key }, "cpf ***"]] as const) {
        const { json } = yield* read(reader, id)
        assert.strictEqual(at(json, "data", "report", "observations", 0, "response_body"), shown)
      }
    }))

  it.effect("leaves no trace in history, statistics, feed, health or breaker, whatever is answered", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      wire.answer = { ...accepts, error: "http_status", status_code: 500 }
      const state = Effect.gen(function*() {
        const asked = ["", "/deliveries", "/stats?window=24h", "/diagnosis"].map((path) => `${endpoint.path}${path}`)
        const paths = [...asked, `${endpoint.club.path}/events`]
        const read = yield* Effect.forEach(paths, (path) => send("GET", path, endpoint))
        assert.deepStrictEqual(read.map(({ status }) => status), paths.map(() => 200))
        return { shown: read.map(({ text }) => text), lane: yield* laneNow(endpoint) }
      })
      const before = yield* state
      const id = at((yield* grade(endpoint)).json, "data", "id")
      yield* (yield* GradingWorker).makeOne
      assert.strictEqual(at((yield* read(endpoint, id)).json, "data", "grade"), "F")
      assert.strictEqual(wire.posted.length, 13)
      assert.deepStrictEqual(yield* state, before)
      const sql = yield* SqlClient.SqlClient
      for (const table of ["webhook_messages", "webhook_deliveries", "webhook_counts", "webhook_feed_events"]) {
        assert.deepStrictEqual(yield* sql`select 1 from ${sql(table)} where club_id = ${endpoint.club_id}`, [], table)
      }
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
      assert.deepStrictEqual([refused.status, codeOf(refused)], [429, "rate_limited"])
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
        outcome(yield* grade({
          ...endpoint,
          path: endpoint.path.replace(/clubs\/[^/]+/, `clubs/${other.organization_id}`),
          token: other.token
        })),
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
      assert.deepStrictEqual(outcome(yield* grade({ ...endpoint, path })), [409, "listener_polls"])
    }))

  it.effect("fails without a probe where the endpoint was paused meanwhile", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const begun = yield* grade(endpoint)
      yield* setStatus(endpoint, "paused")
      yield* (yield* GradingWorker).makeOne
      assert.deepStrictEqual(yield* endOf(endpoint, at(begun.json, "data", "id")), ["failed", "endpoint_changed"])
      assert.deepStrictEqual(wire.posted, [])
    }))

  it.effect("sends no further probe once its endpoint is paused, disabled, or is not as it was", () =>
    Effect.gen(function*() {
      const rotate = ({ path, token }: Registered) => send("POST", `${path}/rotate-secret`, { token })
      const changes = [
        { status: "paused" },
        { status: "disabled" },
        { url: `${publicUrl}/elsewhere` },
        { headers: { "x-tenant": null } },
        { signing: "both" }
      ].map((change) => (endpoint: Registered) => patch(endpoint, change))
      for (const change of [...changes, rotate]) {
        const endpoint = yield* registeredWith({ headers: { "x-tenant": "one" } })
        const begun = yield* grade(endpoint)
        wire.before = yield* asked(change(endpoint))
        yield* (yield* GradingWorker).makeOne
        assert.deepStrictEqual(yield* endOf(endpoint, at(begun.json, "data", "id")), ["failed", "endpoint_changed"])
        assert.strictEqual(wire.posted.length, 1)
      }
    }))

  it.effect("is not there once its endpoint is deleted, and sends no further probe", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const id = at((yield* grade(endpoint)).json, "data", "id")
      wire.before = yield* asked(send("DELETE", endpoint.path, endpoint))
      yield* (yield* GradingWorker).makeOne
      assert.strictEqual(wire.posted.length, 1)
      assert.deepStrictEqual(outcome(yield* read(endpoint, id)), [404, "not_found"])
      assert.deepStrictEqual(outcome(yield* send("GET", `${endpoint.path}/gradings`, endpoint)), [404, "not_found"])
    }))

  it.effect("signs as the endpoint signs, and sends its own headers", () =>
    Effect.gen(function*() {
      const schemes = { hmac: /^v1,\S+$/, both: /^v1,\S+ v1a,\S+$/ }
      for (const [signing, form] of Object.entries(schemes)) {
        const endpoint = yield* registeredWith({ signing, headers: { "x-tenant": "one" } })
        yield* grade(endpoint)
        yield* (yield* GradingWorker).makeOne
        const [first] = wire.posted
        assert.isDefined(first)
        const { body, headers } = first
        assert.match(headers["webhook-signature"] ?? "", form)
        assert.strictEqual(headers["x-tenant"], "one")
        const shown = String(at((yield* send("GET", endpoint.path, endpoint)).json, "data", "public_key"))
        const now = yield* Clock.currentTimeMillis
        const keys = { hmac: [endpoint.secret], both: [endpoint.secret, shown] }[signing] ?? []
        for (const secret of keys) yield* Effect.promise(() => verifyWebhook({ secret, headers, body, now }))
      }
    }))

  it.effect.each([[0, "lacking", "B", "refuses the newest"], [1, "proved", "A", "has the newest"]] as const)(
    "says during a rotation whether the receiver has the newest secret: of the %dth it is %s",
    ([known, newest_secret, grading, advice]) =>
      Effect.gen(function*() {
        const endpoint = yield* registered
        const rotated = yield* send("POST", `${endpoint.path}/rotate-secret`, endpoint)
        const secret = [endpoint.secret, String(at(rotated.json, "data", "secret"))][known] ?? ""
        const now = yield* Clock.currentTimeMillis
        wire.before = Effect.promise(async () => {
          const { body = new Uint8Array(), headers = {} } = wire.posted.at(-1) ?? {}
          const isRight = await verifyWebhook({ secret, headers, body, now }).then(() => true, () => false)
          wire.answer = isRight ? accepts : { ...accepts, error: "http_status", status_code: 401 }
        })
        const id = at((yield* grade(endpoint)).json, "data", "id")
        yield* (yield* GradingWorker).makeOne
        const { json } = yield* read(endpoint, id)
        assert.deepStrictEqual(
          [at(json, "data", "report", "newest_secret"), at(json, "data", "grade")],
          [newest_secret, grading]
        )
        assert.strictEqual(wire.posted.length, 14)
        const { text } = yield* send("GET", `${endpoint.path}/diagnosis`, endpoint)
        assert.include(text, `A grading has shown that the receiver ${advice}`)
      })
  )

  it.effect("forgets what was shown of the newest secret once the endpoint has another address, secret or way to sign", () =>
    Effect.gen(function*() {
      const rotate = ({ path, token }: Registered) => send("POST", `${path}/rotate-secret`, { token })
      const proves = Effect.fnUntraced(function*(endpoint: Registered) {
        wire.before = Effect.sync(() => {
          // The receiver must refuse the last five probes.
          wire.answer = wire.posted.length > 9 ? { ...accepts, error: "http_status", status_code: 401 } : accepts
        })
        yield* grade(endpoint)
        yield* (yield* GradingWorker).makeOne
      })
      const advice = ({ path, token }: Registered) =>
        Effect.map(send("GET", `${path}/diagnosis`, { token }), ({ text }) => text)
      const changes = [
        rotate,
        (endpoint: Registered) => patch(endpoint, { url: `${publicUrl}/elsewhere` }),
        (endpoint: Registered) => patch(endpoint, { signing: "both" })
      ]
      for (const change of changes) {
        const endpoint = yield* registered
        yield* rotate(endpoint)
        yield* proves(endpoint)
        yield* patch(endpoint, { description: "The same receiver" })
        assert.include(yield* advice(endpoint), "A grading has shown that the receiver has the newest")
        yield* change(endpoint)
        assert.include(yield* advice(endpoint), "Nothing was accepted since it was replaced")
      }
    }))

  it.effect("proves nothing of an endpoint that was changed while the last probe was under way", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      yield* send("POST", `${endpoint.path}/rotate-secret`, endpoint)
      const id = at((yield* grade(endpoint)).json, "data", "id")
      const change = yield* asked(patch(endpoint, { url: `${publicUrl}/elsewhere` }))
      wire.before = Effect.suspend(() => {
        wire.answer = wire.posted.length > 9 ? { ...accepts, error: "http_status", status_code: 401 } : accepts
        return wire.posted.length === 14 ? change : Effect.void
      })
      yield* (yield* GradingWorker).makeOne
      const { json } = yield* read(endpoint, id)
      assert.strictEqual(at(json, "data", "report", "newest_secret"), "proved")
      const { text } = yield* send("GET", `${endpoint.path}/diagnosis`, endpoint)
      assert.include(text, "Nothing was accepted since it was replaced")
    }))

  it.effect("ends after four probes in a row that were not answered in time", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      wire.before = Effect.sync(() => {
        const late = { ...accepts, error: "timeout" as const, status_code: null }
        wire.answer = wire.posted.length > 1 ? late : accepts
      })
      const id = at((yield* grade(endpoint)).json, "data", "id")
      yield* (yield* GradingWorker).makeOne
      assert.strictEqual(wire.posted.length, 5)
      assert.deepStrictEqual(yield* endOf(endpoint, id), ["done", null])
    }))

  it.effect("is begun six times an hour in a club, also where many begin at once", () =>
    Effect.gen(function*() {
      const first = yield* registered
      const others = yield* Effect.forEach(Array.from({ length: 9 }), () => register(first.club))
      const answers = yield* Effect.forEach([first, ...others], grade, { concurrency: "unbounded" })
      assert.strictEqual(answers.filter(({ status }) => status === 202).length, 6)
      yield* Effect.repeat((yield* GradingWorker).makeOne, { while: (made) => made })
    }))

  it.effect("of a club waits for the one of the same club that is being made, and for no other club's", () =>
    Effect.gen(function*() {
      const first = yield* registered
      const [second, elsewhere] = [yield* register(first.club), yield* registered]
      const { makeOne } = yield* GradingWorker
      yield* grade(first)
      const { json } = yield* grade(second)
      const begun = at((yield* grade(elsewhere)).json, "data", "id")
      const reached = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      wire.before = Effect.andThen(Deferred.succeed(reached, undefined), Deferred.await(go))
      const making = yield* Effect.forkChild(makeOne)
      yield* Deferred.await(reached)
      wire.before = Effect.void
      assert.isTrue(yield* makeOne)
      assert.isFalse(yield* makeOne)
      assert.deepStrictEqual(yield* endOf(elsewhere, begun), ["done", null])
      assert.deepStrictEqual(yield* endOf(second, at(json, "data", "id")), ["running", null])
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(making)
      assert.isTrue(yield* makeOne)
      assert.deepStrictEqual(yield* endOf(second, at(json, "data", "id")), ["done", null])
    }))

  it.effect("is one of a club at a time also where several workers claim at once", () =>
    Effect.gen(function*() {
      const first = yield* registered
      const { makeOne } = yield* GradingWorker
      for (const endpoint of [first, yield* register(first.club), yield* register(first.club)]) yield* grade(endpoint)
      const [go, rest] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const reached = yield* Deferred.make<void>()
      wire.before = Effect.andThen(Deferred.succeed(reached, undefined), Deferred.await(go))
      let idle = 0
      const claimed = Effect.tap(makeOne, (made) => {
        idle += made ? 0 : 1
        return idle === 3 ? Deferred.succeed(rest, undefined) : Effect.void
      })
      const workers = yield* Effect.forEach([1, 2, 3, 4], () => Effect.forkChild(claimed))
      yield* Deferred.await(rest)
      yield* Deferred.await(reached)
      assert.strictEqual(wire.posted.length, 1)
      yield* Deferred.succeed(go, undefined)
      yield* Effect.forEach(workers, (worker) => Fiber.join(worker))
      assert.isTrue(yield* makeOne)
      assert.isTrue(yield* makeOne)
      assert.isFalse(yield* makeOne)
    }))

  it.effect("is left alone by a worker whose lease is over, although nobody has taken it yet", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const { makeOne } = yield* GradingWorker
      const id = at((yield* grade(endpoint)).json, "data", "id")
      wire.before = yield* asked(TestClock.adjust("1 minute"))
      yield* makeOne
      assert.strictEqual(wire.posted.length, 1)
      assert.deepStrictEqual(yield* endOf(endpoint, id), ["running", null])
      wire.before = Effect.void
      yield* makeOne
      assert.deepStrictEqual(yield* endOf(endpoint, id), ["done", null])
    }))

  it.effect("is not there after 30 days, whether it was deleted or not", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const id = at((yield* grade(endpoint)).json, "data", "id")
      yield* (yield* GradingWorker).makeOne
      yield* TestClock.adjust(Duration.subtract(Duration.days(30), Duration.seconds(1)))
      const later = { ...endpoint, token: yield* tokenOf(endpoint.club.owner) }
      assert.strictEqual((yield* read(later, id)).status, 200)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(outcome(yield* read(later, id)), [404, "not_found"])
      assert.deepStrictEqual(listAt((yield* send("GET", `${endpoint.path}/gradings`, later)).json, "data"), [])
    }))

  it.effect("waits before each probe where its endpoint takes only so many a second", () =>
    Effect.gen(function*() {
      const endpoint = yield* registeredWith({ max_per_second: 4 })
      yield* grade(endpoint)
      const clock = yield* Clock.Clock
      const waits: Array<number> = []
      yield* (yield* GradingWorker).makeOne.pipe(Effect.provideService(Clock.Clock, {
        ...clock,
        currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
        currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
        sleep: (duration) => Effect.sync(() => void waits.push(Duration.toMillis(duration)))
      }))
      assert.deepStrictEqual(waits, wire.posted.map(() => 250))
    }))

  it.effect.each([
    ["goes on once there is room, though that takes longer than its first lease", 25, "done"],
    ["is given back where there is none for too long, and begun anew", 31, "running"]
  ] as const)("whose receiver's address is full %s", ([, times, status]) =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const { makeOne } = yield* GradingWorker
      const id = at((yield* grade(endpoint)).json, "data", "id")
      const clock = yield* Clock.Clock
      wire.full = times
      yield* makeOne.pipe(Effect.provideService(Clock.Clock, {
        ...clock,
        currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
        currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
        sleep: () => Effect.provideService(TestClock.adjust("3 seconds"), Clock.Clock, clock)
      }))
      assert.deepStrictEqual(yield* endOf(endpoint, id), [status, null])
      wire.full = 0
      assert.strictEqual(yield* makeOne, status === "running")
      assert.deepStrictEqual(yield* endOf(endpoint, id), ["done", null])
    }))

  it.effect("is given back where its process ends, and begun anew at once", () =>
    Effect.gen(function*() {
      const endpoint = yield* registered
      const { makeOne } = yield* GradingWorker
      const id = at((yield* grade(endpoint)).json, "data", "id")
      const reached = yield* Deferred.make<void>()
      wire.before = Effect.andThen(Deferred.succeed(reached, undefined), Effect.never)
      const making = yield* Effect.forkChild(makeOne)
      yield* Deferred.await(reached)
      yield* Fiber.interrupt(making)
      wire.before = Effect.void
      assert.isTrue(yield* makeOne)
      assert.deepStrictEqual(yield* endOf(endpoint, id), ["done", null])
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
      // Another worker takes the grading during the first probe.
      wire.before = dies
      assert.isTrue(yield* makeOne)
      assert.strictEqual(wire.posted.length, 1)
      assert.strictEqual(at((yield* read(endpoint, id)).json, "data", "status"), "running")
      yield* TestClock.adjust("1 minute")
      yield* makeOne
      assert.deepStrictEqual(yield* endOf(endpoint, id), ["failed", "interrupted"])
      assert.isFalse(yield* makeOne)
    }))
})
