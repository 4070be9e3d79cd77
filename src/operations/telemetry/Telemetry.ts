import { Duration, Effect, Layer, Option, References, Tracer } from "effect"
import { FetchHttpClient, HttpBody, HttpClient, HttpClientError, HttpClientRequest } from "effect/http"
import { Supervisor } from "../../platform/processes/Supervisor.ts"
import { ownText } from "../../platform/text/Utf8.ts"
import { LogsLayer } from "./Logs.ts"
import { redactedJson } from "./Redaction.ts"
import { RepeatedLinesLayer } from "./RepeatedLines.ts"
import { withRoutes } from "./RequestSpans.ts"
import { telemetrySettings } from "./TelemetrySettings.ts"

/** A collector that takes connections and never answers would otherwise pile up what waits for it. */
const patience = Duration.seconds(3)

/** A span for a collector names no e-mail address and no key, as no line on standard output does. */
const withoutAddressesIn = (request: HttpClientRequest.HttpClientRequest) =>
  request.body._tag === "Uint8Array"
    ? HttpClientRequest.setBody(
      request,
      HttpBody.text(
        redactedJson(request.body.text ?? ownText(request.body.body)),
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
              Effect
                .fail(new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request }) }))
          })
      )
  )
).pipe(Layer.provide(FetchHttpClient.layer))

/** Loaded only by who has a collector. */
const otlp = Effect.promise(() => import("effect/observability/Otlp"))

const exporterLayer = (url: URL, version: string, attributes: Record<string, string>) =>
  Layer.effect(Tracer.Tracer, Effect.map(Tracer.Tracer, withRoutes)).pipe(
    Layer.provideMerge(Layer.unwrap(Effect.map(otlp, ({ layerJson }) =>
      layerJson({
        baseUrl: url.href.replace(/\/$/, ""),
        resource: { serviceName: "turma", serviceVersion: version, attributes },
        loggerMergeWithExisting: true,
        shutdownTimeout: Duration.seconds(2)
      })))),
    Layer.provide(ExportClientLayer)
  )

/** Without a collector nobody would see a span, so tracing is off. */
const NoTracesLayer = Layer.succeed(References.TracerEnabled, false)

/** A collector must not take the counters of several processes for those of one. */
const instance = Effect.map(
  Supervisor,
  (supervisor): Record<string, string> => supervisor === undefined ? {} : { "service.instance.id": `${process.pid}` }
)

const exportLayer = (version: string) =>
  Layer.unwrap(Effect.gen(function*() {
    const url = yield* telemetrySettings.OTEL_EXPORTER_OTLP_ENDPOINT.read
    return Option.isNone(url) ? NoTracesLayer : exporterLayer(url.value, version, yield* instance)
  }))

/**
 * Structured logs on standard output, where a fault that repeats is counted, and traces, metrics and logs to a
 * collector where one is named.
 */
export const telemetryLayer = (version: string) =>
  RepeatedLinesLayer.pipe(
    Layer.provideMerge(exportLayer(version)),
    Layer.provideMerge(LogsLayer)
  )
