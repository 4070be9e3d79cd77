import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, References } from "effect"
import { telemetryLayer } from "../../../src/operations/telemetry/Telemetry.ts"
import { Supervisor } from "../../../src/platform/processes/Supervisor.ts"
import { startCollector } from "../../harness/Collector.ts"

const underVariables = <A, E>(effect: Effect.Effect<A, E>, variables: Record<string, string>) =>
  Effect.provide(
    effect,
    Layer.provide(telemetryLayer("0.0.0"), ConfigProvider.layer(ConfigProvider.fromUnknown(variables)))
  )

const isSampled = Effect.withSpan(Effect.map(Effect.currentSpan, ({ sampled }) => sampled), "a span")

describe("telemetry", () => {
  it.live("makes no span that nobody would see", () =>
    Effect.gen(function*() {
      assert.isFalse(yield* underVariables(isSampled, {}))
      assert.isTrue(yield* underVariables(isSampled, { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" }))
    }))

  it.live("sends no e-mail address to a collector, in no line and no span", () =>
    Effect.gen(function*() {
      const { received, url } = yield* startCollector()
      const told = Effect.logWarning("to Bia <bia@user.example>", { mail: "bia%40user.example" }).pipe(
        Effect.andThen(Effect.annotateCurrentSpan("to", "bia@user.example")),
        Effect.withSpan("a mail")
      )
      yield* underVariables(told, { OTEL_EXPORTER_OTLP_ENDPOINT: url })
      const [logs = "", traces = ""] = ["/v1/logs", "/v1/traces"].map((path) => received.get(path))
      assert.include(logs, "to Bia <<address>>")
      assert.include(traces, "a mail")
      assert.notMatch(logs + traces, /user\.example/)
    }))

  it.live("tells a collector apart what several processes of one command send", () =>
    Effect.gen(function*() {
      const { received, url } = yield* startCollector()
      const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: url }
      yield* underVariables(Effect.logInfo("alone"), variables)
      assert.notInclude(received.get("/v1/logs"), "service.instance.id")
      const one = { isFirst: true, ready: Effect.void, onLeave: () => Effect.void, ask: () => Effect.succeed(null) }
      yield* Effect.provideService(underVariables(Effect.logInfo("beside others"), variables), Supervisor, one)
      assert.match(
        received.get("/v1/logs") ?? "",
        new RegExp(`"service\\.instance\\.id","value":\\{"stringValue":"${process.pid}"`)
      )
    }))

  it.live("logs from the level that is set", () =>
    Effect.gen(function*() {
      const level = Effect.map(References.MinimumLogLevel, (minimum) => minimum)
      assert.strictEqual(yield* underVariables(level, {}), "Info")
      assert.strictEqual(yield* underVariables(level, { LOG_LEVEL: "warn" }), "Warn")
    }))
})
