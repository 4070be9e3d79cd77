import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpClient } from "effect/http"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../src/identity/ids/ClubId.ts"
import { ImportQueue } from "../../../src/membership/students/import/ImportQueue.ts"
import { KeptTrace, spanOf } from "../../../src/platform/tracing/KeptTrace.ts"
import { AppLayer, enrolledStudent, foundClub, send } from "../../harness/App.ts"
import { makeEnrollment } from "../../harness/Makers.ts"
import { requestSpans } from "../../harness/RequestSpans.ts"
import { makeTaughtCourse } from "../../learning/classroom/OpenClassroom.ts"

const { layer: SpansLayer, spans } = requestSpans()

const TestLayer = Layer.mergeAll(ImportQueue.layer, SecureRandom.layerWebCrypto).pipe(
  Layer.provideMerge(AppLayer),
  Layer.provideMerge(SpansLayer)
)

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`

/** A request without a trace, unless the caller sends one. */
const ask = (...args: Parameters<typeof send>) =>
  Effect.provideService(send(...args), HttpClient.TracerPropagationEnabled, false)

const decodeFacts = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ type: Schema.String, trace: KeptTrace })))

/** The traces of the facts about the club, by type. */
const tracesOf = Effect.fnUntraced(function*(club: { readonly id: ClubId }) {
  const sql = yield* SqlClient.SqlClient
  const facts = yield* decodeFacts(yield* sql`select type, trace from event_outbox where club_id = ${club.id}`)
  return new Map(facts.map(({ trace, type }) => [type, Option.getOrNull(spanOf(trace))?.traceId]))
})

layer(TestLayer)("The trace of a request", (it) => {
  it.effect("is that of what an import of students brings about later", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const rows = [{ name: "Bia", email: "bia@people.example" }]
      const sent = { body: { rows }, token: club.token, headers: { traceparent } }
      assert.strictEqual((yield* ask("POST", `${club.path}/students/imports`, sent)).status, 202)
      const { tick } = yield* ImportQueue
      assert.strictEqual(yield* tick, 1)
      assert.strictEqual((yield* tracesOf(club)).get("student.created"), traceId)
      // The next request carries no trace.
      yield* ask("POST", `${club.path}/students/imports`, {
        body: { rows: [{ name: "Caio", email: "caio@people.example" }] },
        token: club.token
      })
      yield* tick
      const performed = spans.filter(({ name }) => name === "ImportQueue.perform")
      assert.deepStrictEqual(performed.map((span) => span.traceId === traceId), [true, false])
    }))

  it.effect("is that of a course that its student completes", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { delivery, lessons: [lesson] } = yield* makeTaughtCourse(club, 1)
      const student = yield* enrolledStudent(club)
      yield* makeEnrollment(club, student, delivery)
      const path = `${club.path}/classroom/lessons/${lesson?.public_id}/completion`
      const answer = yield* ask("PUT", path, { token: student.token, headers: { traceparent } })
      assert.strictEqual(answer.status, 200, answer.text)
      const traces = yield* tracesOf(club)
      assert.deepStrictEqual([traces.get("lesson.completed"), traces.get("course.completed")], [traceId, traceId])
    }))

  it.effect("is one of its own where its traceparent is malformed, and the request is answered all the same", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const malformed: ReadonlyArray<Record<string, string>> = [
        { traceparent: "" },
        { traceparent: "nonsense" },
        { traceparent: `00-${traceId}-00f067aa0ba902b7` },
        { traceparent: `00-${traceId.slice(1)}-00f067aa0ba902b7-01` },
        { traceparent: `00-${traceId.toUpperCase()}-00f067aa0ba902b7-01` },
        { traceparent: `00-${"0".repeat(32)}-00f067aa0ba902b7-01` },
        { traceparent: `00-${traceId}-${"0".repeat(16)}-01` },
        { traceparent: `ff-${traceId}-00f067aa0ba902b7-01` },
        { traceparent: `${traceparent}-more` },
        { traceparent: "x".repeat(4000) },
        { b3: `${"z".repeat(32)}-00f067aa0ba902b7-1` },
        { "x-b3-traceid": "'); drop table clubs; --", "x-b3-spanid": "00f067aa0ba902b7" }
      ]
      for (const [n, headers] of malformed.entries()) {
        const from = spans.length
        const body = { name: "Rui", email: `rui${n}@people.example` }
        const answer = yield* ask("POST", `${club.path}/students`, { body, token: club.token, headers })
        assert.strictEqual(answer.status, 201, JSON.stringify(headers))
        const span = spans.slice(from).find(({ kind }) => kind === "server")
        assert.isDefined(span)
        assert.isTrue(Option.isNone(span.parent))
        assert.match(span.traceId, /^[0-9a-f]{32}$/)
        assert.strictEqual((yield* tracesOf(club)).get("student.created"), span.traceId)
        const sql = yield* SqlClient.SqlClient
        yield* sql`delete from event_outbox where club_id = ${club.id}`
      }
    }))

  it.effect("says nothing of who asks, from where and with what", () =>
    Effect.gen(function*() {
      const from = spans.length
      const headers = { "user-agent": "Bia's own browser", "x-forwarded-for": "203.0.113.9", cookie: "session=1" }
      yield* ask("GET", "/v1/health?email=bia@people.example", { headers })
      const span = spans.slice(from).find(({ kind }) => kind === "server")
      assert.isDefined(span)
      assert.sameMembers([...span.attributes.keys()], [
        "http.request.method",
        "http.response.status_code",
        "http.route",
        "server.address",
        "server.port",
        "url.scheme"
      ])
    }))
})
