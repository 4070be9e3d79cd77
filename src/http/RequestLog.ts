import { Context, Effect, Layer, Metric } from "effect"
import { HttpApiMiddleware } from "effect/http-api"

/** What is known of a request when it ends. The route is its template, so no id or token of a path is ever logged. */
export class RequestLine extends Context.Service<RequestLine, { route: string }>()("turma/http/RequestLine") {}

/** Tells the outermost middleware which route was taken. */
export class NamedRoute extends HttpApiMiddleware.Service<NamedRoute>()("turma/http/NamedRoute") {}

export const NamedRouteLayer = Layer.succeed(
  NamedRoute,
  (httpEffect, { endpoint }) =>
    Effect.withFiber((fiber) => {
      const line = Context.getOrUndefined(fiber.context, RequestLine)
      if (line !== undefined) line.route = endpoint.path
      return httpEffect
    })
)

const requests = Metric.counter("turma_http_requests_total", {
  description: "Requests answered, by method, route and status",
  incremental: true
})

const seconds = Metric.histogram("turma_http_request_duration_seconds", {
  description: "Time from the first byte of a request to its answer",
  boundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
})

/** Logs and counts one answered request. */
export const recordRequest = Effect.fnUntraced(function*(
  request: { readonly method: string; readonly route: string; readonly status: number; readonly millis: number }
) {
  const { method, millis, route, status } = request
  yield* Metric.update(Metric.withAttributes(requests, { method, route, status: String(status) }), 1)
  yield* Metric.update(Metric.withAttributes(seconds, { method, route }), millis / 1000)
  yield* Effect.logInfo("Request").pipe(Effect.annotateLogs({ method, route, status, millis: Math.round(millis) }))
})
