import { Effect, Layer, Logger, Option, References } from "effect"
import { FetchHttpClient } from "effect/http"
import { Otlp } from "effect/observability"
import { telemetrySettings } from "./TelemetrySettings.ts"

const levels = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  fatal: "Fatal",
  none: "None"
} as const

const LevelLayer = Layer.unwrap(Effect.map(
  telemetrySettings.LOG_LEVEL.read,
  (level) => Layer.succeed(References.MinimumLogLevel, levels[level])
))

const FormatLayer = Layer.unwrap(Effect.map(telemetrySettings.LOG_FORMAT.read, (format) => {
  const shape = Option.getOrElse(format, () => process.stdout.isTTY ? "pretty" : "json")
  return Logger.layer([shape === "pretty" ? Logger.consolePretty() : Logger.consoleJson])
}))

const ExportLayer = (version: string) =>
  Layer.unwrap(Effect.map(
    telemetrySettings.OTEL_EXPORTER_OTLP_ENDPOINT.read,
    Option.match({
      onNone: () => Layer.empty,
      onSome: (url) =>
        Otlp.layerJson({
          baseUrl: url.href.replace(/\/$/, ""),
          resource: { serviceName: "turma", serviceVersion: version },
          loggerMergeWithExisting: true
        }).pipe(Layer.provide(FetchHttpClient.layer))
    })
  ))

/** Structured logs on standard output, and traces, metrics and logs to a collector where one is named. */
export const telemetryLayer = (version: string) =>
  ExportLayer(version).pipe(Layer.provideMerge(Layer.merge(FormatLayer, LevelLayer)))
