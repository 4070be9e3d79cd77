import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, type LogLevel, References } from "effect"
import { type Answered, LoggedRequest } from "../../../../src/platform/http/server/RequestLog.ts"
import { appLayer, enrolledStudent, foundClub, send } from "../../../harness/App.ts"

const secret = "a-long-random-text"

layer(appLayer({ INTERNAL_SECRET: secret }))("an answered request", (it) => {
  it.effect("is counted under its route, of the contract or beside it, refused or not", () =>
    Effect.gen(function*() {
      const { path, token } = yield* foundClub()
      for (const url of ["/docs", "/openapi.json", "/internal/metrics", "/v1/health", path]) yield* send("GET", url)
      yield* send("GET", path, { token })
      yield* send("GET", "/nothing")
      const { text } = yield* send("GET", "/internal/metrics", { token: secret })
      const counted = [...text.matchAll(/^turma_http_requests_total\{(.*)\} \d+$/gm)].map(([, labels = ""]) => {
        const value = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(labels)?.[1]
        return `${value("route")} ${value("status")}`
      })
      // The process has one set of metrics, so other tests may have counted too.
      assert.includeMembers(counted, [
        "/docs 200",
        "/openapi.json 200",
        "/internal/metrics 401",
        "/v1/health 200",
        "/v1/clubs/:clubId 401",
        "/v1/clubs/:clubId 200",
        "unknown 404"
      ])
    }))
})

const logged: Array<{ readonly request: Answered; readonly json: unknown }> = []

const levels: Array<LogLevel.LogLevel> = []

const CollectorLayer = Logger.layer([
  Logger.make((line) => {
    const request = line.fiber.getRef(LoggedRequest)
    if (request !== undefined) levels.push(line.logLevel)
    if (request !== undefined) logged.push({ request, json: Logger.formatStructured.log(line).annotations })
  })
], { mergeWithExisting: true })

const DebugLayer = Layer.succeed(References.MinimumLogLevel, "Debug")

/** The log line of this one request, without the parts that vary. */
const lineOf = Effect.fnUntraced(function*(...request: Parameters<typeof send>) {
  logged.length = 0
  yield* send(...request)
  const [line] = logged
  const { millis, ...rest } = line?.request ?? {}
  assert.isNumber(millis)
  assert.strictEqual(logged.length, 1)
  return rest
})

layer(appLayer().pipe(Layer.provide(Layer.merge(CollectorLayer, DebugLayer))))(
  "the log",
  (it) => {
    it.effect("has the probes of health at debug, while all is well", () =>
      Effect.gen(function*() {
        for (
          const [path, level] of [["/v1/health", "Debug"], ["/v1/health/ready", "Debug"], ["/docs", "Info"]] as const
        ) {
          levels.length = 0
          assert.strictEqual((yield* send("GET", path)).status, 200)
          assert.deepStrictEqual(levels, [level], path)
        }
        levels.length = 0
        assert.strictEqual((yield* send("GET", "/v1/health?no=1")).status, 422)
        assert.deepStrictEqual(levels, ["Info"])
      }))

    it.effect("says of a request who sent it, by ids alone, and the code of a failure", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const other = yield* foundClub()
        const student = yield* enrolledStudent(club)
        const admin = { session_kind: "admin", account_id: club.owner.id } as const
        const { organization_id } = club
        const route = "/v1/clubs/:clubId"

        const get = { method: "GET", route }
        assert.deepStrictEqual(yield* lineOf("GET", club.path, { token: club.token }), {
          ...get,
          status: 200,
          caller: { ...admin, organization_id }
        })
        assert.deepStrictEqual(yield* lineOf("GET", other.path, { token: club.token }), {
          ...get,
          status: 403,
          code: "forbidden",
          caller: admin
        })
        assert.deepStrictEqual(yield* lineOf("GET", `${club.path}/classroom`, { token: student.token }), {
          method: "GET",
          route: `${route}/classroom`,
          status: 200,
          caller: { session_kind: "student", account_id: student.id, organization_id }
        })
        assert.deepStrictEqual(yield* lineOf("GET", club.path), { ...get, status: 401, code: "unauthenticated" })
        assert.deepStrictEqual(yield* lineOf("GET", "/v1/health"), { method: "GET", route: "/v1/health", status: 200 })
        assert.deepStrictEqual(yield* lineOf("GET", "/nothing"), {
          method: "GET",
          route: "unknown",
          status: 404,
          code: "not_found"
        })
      }))

    it.effect("has the same as fields for machines, and never the club's internal id", () =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        yield* lineOf("PATCH", club.path, { token: club.token, body: { name: "" } })
        const json = logged[0]?.json
        assert.containsSubset(json, {
          status: 422,
          error_code: "validation_failed",
          session_kind: "admin",
          account_id: club.owner.id,
          organization_id: club.organization_id
        })
        assert.notInclude(JSON.stringify(json), club.id)
      }))
  }
)
