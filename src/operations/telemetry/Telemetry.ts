import { Duration, Effect, Layer, Logger, Option, References, Tracer } from "effect"
import { FetchHttpClient, HttpBody, HttpClient, HttpClientError, HttpClientRequest } from "effect/http"
import { jsonLogger, jsonWithoutAddresses, prettyLogger } from "./AddressRedaction.ts"
import { RepeatedLinesLayer } from "./RepeatedLines.ts"
import { withRoutes } from "./RequestSpans.ts"
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
  return Logger.layer([shape === "pretty" ? prettyLogger : jsonLogger])
}))

/** A collector that takes connections and never answers would otherwise pile up what waits for it. */
const patience = Duration.seconds(3)

/** What goes to a collector names no e-mail address, as no line on standard output does. */
const withoutAddressesIn = (request: HttpClientRequest.HttpClientRequest) =>
  request.body._tag === "Uint8Array"
    ? HttpClientRequest.setBody(
      request,
      HttpBody.text(
        jsonWithoutAddresses(request.body.text ?? new TextDecoder().decode(request.body.body)),
        request.body.contentType
      )
    )
    : request

const ExportClientLayer = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(
    HttpClient.HttpClient,
    (client) =>
      HttpClient.transform(
        HttpClient.mapRequest(client, withoutAddressesIn),
        (response, request) =>
          Effect.timeoutOrElse(response, {
            duration: patience,
            orElse: () =>
              Effect.fail(
                new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request }) })
              )
          })
      )
  )
).pipe(Layer.provide(FetchHttpClient.layer))

/** Loaded only by who has a collector. */
const otlp = Effect.promise(() => import("effect/observability/Otlp"))

const exporterLayer = (url: URL, version: string) =>
  Layer.effect(Tracer.Tracer, Effect.map(Tracer.Tracer, withRoutes)).pipe(
    Layer.provideMerge(Layer.unwrap(Effect.map(otlp, ({ layerJson }) =>
      layerJson({
        baseUrl: url.href.replace(/\/$/, ""),
        resource: { serviceName: "turma", serviceVersion: version },
        loggerMergeWithExisting: true,
        shutdownTimeout: Duration.seconds(2)
      })))),
    Layer.provide(ExportClientLayer)
  )

/** Without a collector nobody would see a span, so none is made. */
const NoTracesLayer = Layer.succeed(References.TracerEnabled, false)

const exportLayer = (version: string) =>
  Layer.unwrap(Effect.map(
    telemetrySettings.OTEL_EXPORTER_OTLP_ENDPOINT.read,
    Option.match({ onNone: () => NoTracesLayer, onSome: (url) => exporterLayer(url, version) })
  ))

/** Structured logs on standard output, where a fault that repeats is counted, and traces, metrics and logs to a collector where one is named. */
export const telemetryLayer = (version: string) =>
  RepeatedLinesLayer.pipe(
    Layer.provideMerge(exportLayer(version)),
    Layer.provideMerge(Layer.merge(FormatLayer, LevelLayer))
  )
