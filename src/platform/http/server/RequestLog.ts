import { Context, Effect, LogLevel, Metric, References } from "effect"
import { HttpRouter, type HttpServerResponse } from "effect/http"

/** What is known of a request when it ends. */
export interface KnownOfRequest {
  /** Its template, so no id or token of a path is ever logged. */
  route: string
  /** How its route says that something went wrong, where that is not the envelope: a page. */
  refusal?: (status: number) => HttpServerResponse.HttpServerResponse
}

/** Where the outermost middleware is told of a request. */
export class RequestLine
  extends Context.Service<RequestLine, KnownOfRequest>()("turma/platform/http/server/RequestLine")
{}

/** Tells the outermost middleware which route was taken. For every layer that adds routes, of the contract or not. */
export const NamedRouteLayer = HttpRouter.middleware((httpEffect) =>
  Effect.withFiber((fiber) => {
    const line = Context.getOrUndefined(fiber.context, RequestLine)
    const taken = Context.getOrUndefined(fiber.context, HttpRouter.RouteContext)
    if (line !== undefined && taken !== undefined) line.route = taken.route.path
    return httpEffect
  })
).layer

interface Answered {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly millis: number
}

const requests = (attributes: Record<string, string>) =>
  Metric.counter("turma_http_requests_total", {
    description: "Requests answered, by method, route and status",
    incremental: true,
    attributes
  })

const seconds = (attributes: Record<string, string>) =>
  Metric.histogram("turma_http_request_duration_seconds", {
    description: "Time from the end of a request's headers to its answer being ready to send",
    boundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    attributes
  })

// One metric a series: making the series' key costs more than counting. Methods, routes and statuses are few.
const series = new Map<
  string,
  { readonly count: ReturnType<typeof requests>; readonly time: ReturnType<typeof seconds> }
>()

const seriesOf = ({ method, route, status }: Answered) => {
  const key = `${status} ${method} ${route}`
  const known = series.get(key)
  if (known !== undefined) return known
  const made = { count: requests({ method, route, status: String(status) }), time: seconds({ method, route }) }
  series.set(key, made)
  return made
}

/** Logs and counts one answered request. */
export const recordRequest = (answered: Answered) =>
  Effect.withFiber((fiber) => {
    const { count, time } = seriesOf(answered)
    count.updateUnsafe(1, fiber.context)
    time.updateUnsafe(answered.millis / 1000, fiber.context)
    if (!LogLevel.isLessThanOrEqualTo(fiber.getRef(References.MinimumLogLevel), "Info")) return Effect.void
    return Effect.annotateLogs(Effect.logInfo("Request"), { ...answered, millis: Math.round(answered.millis) })
  })
