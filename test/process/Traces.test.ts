import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Queue, Redacted, Schema } from "effect"
import { at } from "../harness/App.ts"
import { startCollector } from "../harness/Collector.ts"
import { eventually } from "../harness/Eventually.ts"
import { freshDatabaseUrl } from "../harness/Postgres.ts"
import { startReceiver } from "../harness/Receiver.ts"
import { startSmtp } from "../harness/Smtp.ts"
import { ask, post, startApi, startTurma } from "../harness/Turma.ts"
import { saleOf } from "./SalesJourney.ts"

const Span = Schema.Struct({
  traceId: Schema.String,
  spanId: Schema.String,
  parentSpanId: Schema.optional(Schema.String),
  name: Schema.String,
  attributes: Schema.Array(Schema.Struct({ key: Schema.String, value: Schema.Record(Schema.String, Schema.Unknown) }))
})
const decodeSpans = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({
  resourceSpans: Schema.Array(Schema.Struct({ scopeSpans: Schema.Array(Schema.Struct({ spans: Schema.Array(Span) })) }))
})))

const spansIn = (traces: ReadonlyArray<string>) =>
  traces.flatMap((body) =>
    decodeSpans(body).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
  )

const valueOf = ({ attributes }: typeof Span.Type, key: string) => {
  const [value] = Object.values(attributes.find((one) => one.key === key)?.value ?? {})
  return value === undefined ? undefined : String(value)
}

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const caller = "00f067aa0ba902b7"

layer(NodeServices.layer, { excludeTestServices: true })("A trace", (it) => {
  it.effect("goes from a sale on Hotmart to the webhook that another process delivers after a retry", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const smtp = yield* startSmtp()
      const collector = yield* startCollector()
      const receiver = yield* startReceiver({ answer: { status: 500 } })
      const work = yield* fs.makeTempDirectoryScoped()
      yield* fs.writeFileString(`${work}/ca.pem`, receiver.ca.caPem)
      const env = {
        DATABASE_URL: Redacted.value(yield* freshDatabaseUrl),
        DATA_DIR: work,
        APP_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
        SMTP_URL: Redacted.value(smtp.url),
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
        WEBHOOK_EXTRA_CA_FILE: `${work}/ca.pem`,
        WEBHOOK_ASSEMBLE_DELAY: "100 millis",
        WEBHOOK_RETRY_SCHEDULE: "3 seconds,5 minutes,30 minutes,2 hours,5 hours,10 hours,10 hours"
      }
      const { end, url } = yield* startApi({ env: { ...env, ROLE: "api" } })
      const first = yield* startTurma({ env: { ...env, ROLE: "worker" } })
      const identity = { email: "ana@example.com", password: "violao e voz" }
      yield* post(`${url}/v1/auth/admin/sign-up`, { name: "Ana", ...identity })
      const mail = JSON.stringify(yield* Queue.take(smtp.received))
      yield* post(`${url}/v1/auth/admin/confirm`, { token: /(?:token|code)=([\w-]+)/.exec(mail)?.[1] })
      const session = String(at((yield* post(`${url}/v1/auth/admin/sign-in`, identity)).json, "data", "access_token"))
      const founded = yield* post(`${url}/v1/clubs`, { name: "Violão Fácil" }, session)
      const club = `${url}/v1/clubs/${at(founded.json, "data", "organization_id")}`
      const made = Effect.fnUntraced(function*(path: string, body: unknown, field: string) {
        const { json, status, text } = yield* post(`${club}${path}`, body, session)
        assert.strictEqual(status, 201, text)
        return at(json, "data", field)
      })
      const delivery_id = yield* made("/deliveries", { name: "Violão do Zero" }, "id")
      yield* made("/product-mappings", { platform: "hotmart", external_product_id: "4711", delivery_id }, "id")
      yield* made("/webhook-endpoints", { url: receiver.url, event_types: ["purchase.paid"] }, "id")
      const hook = String(yield* made("/inbound-webhooks", { platform: "hotmart", secret: "hottok" }, "url"))

      const email = "fabio@people.example"
      const sold = yield* ask(hook, {
        method: "POST",
        headers: { "content-type": "application/json", traceparent: `00-${traceId}-${caller}-01` },
        body: JSON.stringify(saleOf("hottok", { name: "Fábio", email }, "12345678909"))
      })
      assert.strictEqual(sold.status, 200, sold.text)
      const refused = yield* receiver.next
      receiver.answerWith({})
      yield* first.end()
      const second = yield* startTurma({ env: { ...env, ROLE: "worker" } })
      const accepted = yield* receiver.next
      assert.strictEqual(accepted.headers["webhook-id"], refused.headers["webhook-id"])
      assert.isUndefined(accepted.headers["traceparent"])
      yield* second.end()
      yield* end()

      const spans = yield* eventually(
        Effect.sync(() => spansIn(collector.traces).filter((span) => span.traceId === traceId)),
        (found) => found.filter(({ name }) => name === "webhook attempt").length === 2
      )
      const attempts = spans.filter(({ name }) => name === "webhook attempt")
      assert.sameMembers(attempts.map((span) => valueOf(span, "webhook.attempt")), ["1", "2"])
      for (const span of attempts) {
        assert.strictEqual(valueOf(span, "messaging.message.id"), accepted.headers["webhook-id"])
      }
      const names = spans.map(({ name }) => name)
      for (const name of ["InboundQueue.work", "webhook assembly"]) assert.include(names, name)
      assert.isDefined(
        names.find((name) => name.startsWith("http.server") || name.includes("/webhooks/")),
        names.join()
      )
      // Every span has its parent in the trace, up to the caller's span.
      const known = new Set([caller, ...spans.map(({ spanId }) => spanId)])
      assert.deepStrictEqual(
        spans.filter(({ parentSpanId = "" }) => !known.has(parentSpanId)).map(({ name }) => name),
        []
      )
      assert.notInclude(collector.traces.join(), email)
    }))
})
