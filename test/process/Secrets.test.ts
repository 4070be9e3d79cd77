import { NodeServices } from "@effect/platform-node"
import { PgConnection } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Redacted, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { startCollector } from "../harness/Collector.ts"
import { freshDatabaseUrl } from "../harness/Postgres.ts"
import { startSmtp } from "../harness/Smtp.ts"
import { ask, post, startApi } from "../harness/Turma.ts"
import { journey } from "./Journey.ts"
import { saleOf, salesJourney } from "./SalesJourney.ts"

const Line = Schema.fromJsonString(Schema.Struct({
  message: Schema.Union([Schema.String, Schema.Array(Schema.Unknown)]),
  level: Schema.String,
  annotations: Schema.Record(Schema.String, Schema.Unknown)
}))

const execute = (url: string, statement: string) =>
  PgConnection.make({ url: Redacted.make(url) }).pipe(
    Effect.flatMap((connection) => connection.query(statement)),
    Effect.scoped
  )

/** All output of a running service during a whole journey and some faults, at the loudest level. */
const observe = Effect.gen(function*() {
  const collector = yield* startCollector()
  const smtpPassword = randomBytes(12).toString("hex")
  const smtp = yield* startSmtp({
    server: {
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
      onAuth: ({ password }, _session, callback) =>
        password === smtpPassword ? callback(null, { user: "turma" }) : callback(new Error("Wrong password"))
    }
  })
  const DATABASE_URL = Redacted.value(yield* freshDatabaseUrl)
  const key = randomBytes(32).toString("base64")
  const internalSecret = randomBytes(16).toString("hex")
  const service = yield* startApi({
    env: {
      DATABASE_URL,
      APP_SECRET_KEY: key,
      INTERNAL_SECRET: internalSecret,
      SMTP_URL: Redacted.value(smtp.url).replace("smtp://", `smtp://turma:${smtpPassword}@`),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      LOG_LEVEL: "trace",
      RATE_LIMIT_CREDENTIALS: "1000"
    }
  })
  const { club, owner, secrets } = yield* journey({ url: service.url, mails: smtp.received, internalSecret })
  const sales = yield* salesJourney({ url: service.url, club, mails: smtp.received, owner })

  // PostgreSQL's own message about a refused row quotes the row, with its hash and address.
  yield* execute(DATABASE_URL, "alter table sign_ups add constraint broken check (name <> 'Caio')")
  const caio = { name: "Caio", email: "caio@people.example", password: "a-password-of-caio" }
  const broken = yield* post(`${service.url}/v1/auth/admin/sign-up`, caio)
  yield* execute(DATABASE_URL, "alter table communities rename to gone")
  const gone = yield* ask(`${club}/community`, { headers: { authorization: `Bearer ${owner}` } })

  yield* execute(DATABASE_URL, "alter table students add constraint broken check (name <> 'Zeca')")
  const zeca = { name: "Zeca", email: "zeca@people.example" }
  const document = "84739201746"
  const refused = yield* post(`${club}/students`, { ...zeca, document }, owner)
  yield* post(`${club}/students/imports`, { rows: [{ ...zeca, document }] }, owner)
  yield* service.until("A chunk of an import failed")
  yield* post(sales.hook, saleOf(sales.hottok, zeca, document))
  yield* service.until("An inbound event was not processed")

  const metrics = yield* ask(`${service.url}/internal/metrics`, {
    headers: { authorization: `Bearer ${internalSecret}` }
  })
  const { code, stderr, stdout } = yield* service.end()
  return {
    statuses: [broken.status, gone.status, refused.status],
    ended: { code, stderr },
    logs: stdout,
    received: collector.received,
    metrics: metrics.text,
    secrets: [
      ...secrets,
      ...sales.secrets,
      caio.email,
      caio.password,
      zeca.email,
      document,
      "$argon2",
      key,
      smtpPassword,
      new URL(DATABASE_URL).password
    ]
  }
})

layer(NodeServices.layer, { concurrent: true, excludeTestServices: true })(
  "What a service says of itself",
  (it) => {
    it.effect("is structured, tells what happened, and holds no secret and no address", () =>
      Effect.gen(function*() {
        const { ended, logs, metrics, received, secrets, statuses } = yield* observe
        assert.deepStrictEqual([ended, statuses], [{ code: 0, stderr: "" }, [500, 500, 500]])

        const lines = yield* Effect.forEach(logs.trimEnd().split("\n"), (line) => Schema.decodeEffect(Line)(line))
        const requests = lines.filter(({ message }) => message === "Request")
        assert.isTrue(requests.every(({ annotations }) => typeof annotations["request_id"] === "string"))
        const routes = requests.map(({ annotations }) =>
          `${String(annotations["method"])} ${String(annotations["route"])}`
        )
        assert.includeMembers(routes, ["POST /v1/auth/admin/sign-up", "GET /v1/clubs/:clubId/community", "GET unknown"])
        assert.isAtLeast(lines.filter(({ message }) => String(message).startsWith("A request failed")).length, 2)

        const [traces = "", measured = "", logged = ""] = ["traces", "metrics", "logs"].map((kind) =>
          received.get(`/v1/${kind}`)
        )
        assert.include(traces, "\"name\":\"POST /v1/auth/admin/sign-in\"")
        assert.include(traces, "CredentialRequests.signUp")
        assert.include(traces, "insert into sign_ups")
        assert.include(traces, "insert into inbound_events")
        assert.include(measured, "turma_http_requests_total")
        assert.include(logged, "A request failed unexpectedly")

        const everything = { logs, metrics, traces, measured, logged }
        for (const [where, text] of Object.entries(everything)) {
          const found = secrets.filter((secret) => secret !== "" && text.includes(secret))
          assert.deepStrictEqual(found, [], `in ${where}`)
        }
      }))

    it.effect("names no recipient of a mail that stays here, and which file it is, also where its collector is down", () =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const DATA_DIR = yield* fs.makeTempDirectoryScoped()
        const service = yield* startApi({
          env: {
            DATA_DIR,
            DATABASE_URL: Redacted.value(yield* freshDatabaseUrl),
            APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
            OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
            LOG_LEVEL: "trace"
          }
        })
        assert.strictEqual((yield* ask(`${service.url}/v1/health/ready`)).status, 200)
        const ana = { name: "Ana", email: "ana@people.example", password: "violao e voz" }
        yield* post(`${service.url}/v1/auth/admin/sign-up`, ana)
        yield* service.until("Mail written")
        const { code, stderr, stdout } = yield* service.end()
        assert.deepStrictEqual([code, stderr], [0, ""])
        assert.notMatch(stdout, /ana@|people\.example/)
        const [, time] = /"Mail written".*"file":"[^"]*\/mail\/([^"/]*)\*\.eml"/.exec(stdout) ?? []
        const files = yield* fs.readDirectory(`${DATA_DIR}/mail`)
        assert.deepStrictEqual(files.filter((file) => file.startsWith(time ?? "none")), [
          `${time}ana@people.example.eml`
        ])
      }))
  }
)

layer(NodeServices.layer, { concurrent: true, excludeTestServices: true })(
  "A service whose collector",
  (it) => {
    it.effect("never answers serves and ends as ever", () =>
      Effect.gen(function*() {
        const { url } = yield* startCollector("hangs")
        const service = yield* startApi({
          env: {
            DATABASE_URL: Redacted.value(yield* freshDatabaseUrl),
            APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
            OTEL_EXPORTER_OTLP_ENDPOINT: url
          }
        })
        assert.strictEqual((yield* ask(`${service.url}/v1/health/ready`)).status, 200)
        const { code, stderr } = yield* service.end()
        assert.deepStrictEqual([code, stderr], [0, ""])
      }))
  }
)
