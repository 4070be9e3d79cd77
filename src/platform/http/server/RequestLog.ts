import { Context, Effect, LogLevel, Metric, References } from "effect"
import { HttpRouter, type HttpServerResponse } from "effect/http"

/** The sender of a request, by ids that are not secret and that the API shows. */
export interface Caller {
  /** Which kind of session. */
  readonly session_kind: "admin" | "student"
  readonly account_id: string
  /** The club's key that acts for the account. */
  readonly key_id?: string
  /** The club's public id; undefined outside of clubs, and where the caller is not of the club. */
  readonly organization_id?: string
}

/** The facts about a request that are known when it ends. */
export interface KnownOfRequest {
  /** Its template, so no id or token of a path is ever logged. */
  route: string
  caller?: Caller
  /** Asked again and again by a machine, only to hear that all is well. */
  isProbe?: boolean
  /** How its route says that something went wrong, where that is not the envelope: a page. */
  refusal?: (status: number) => HttpServerResponse.HttpServerResponse
  /** True if a success has sentences in the language that the request asks for. */
  isWorded?: boolean
}

/** The outermost middleware reads here the facts about a request. */
export class RequestLine
  extends Context.Service<RequestLine, KnownOfRequest>()("turma/platform/http/server/RequestLine")
{}

/** Tells the outermost middleware who sends the request, once that is known. */
export const nameCaller = (caller: Caller) =>
  Effect.withFiber((fiber) => {
    const line = Context.getOrUndefined(fiber.context, RequestLine)
    if (line !== undefined) line.caller = caller
    return Effect.void
  })

/** Tells the outermost middleware that a success of this request is worth no line for people. */
export const markProbe = Effect.withFiber((fiber) => {
  const line = Context.getOrUndefined(fiber.context, RequestLine)
  if (line !== undefined) line.isProbe = true
  return Effect.void
})

/** Reports the matched route to the outermost middleware. For every layer that adds routes, of the contract or not. */
export const NamedRouteLayer = HttpRouter.middleware((httpEffect) =>
  Effect.withFiber((fiber) => {
    const line = Context.getOrUndefined(fiber.context, RequestLine)
    const taken = Context.getOrUndefined(fiber.context, HttpRouter.RouteContext)
    if (line !== undefined && taken !== undefined) line.route = taken.route.path
    return httpEffect
  })
).layer

/** One answered request. */
export interface Answered {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly millis: number
  /** The code of a failure. */
  readonly code?: string
  readonly caller?: Caller
}

/** As what a request is logged: a probe that was answered well at debug. */
const levelOf = (isProbe: boolean, { status }: Answered) => isProbe && status < 400 ? "Debug" : "Info"

/** The request that a line of the log is about: a logger may show it in its own way. */
export const LoggedRequest = Context.Reference<Answered | undefined>("turma/platform/http/server/LoggedRequest", {
  defaultValue: () => undefined
})

/** As machines read it. */
const fieldsOf = ({ caller, code, ...rest }: Answered) => ({
  ...rest,
  ...(code === undefined ? {} : { error_code: code }),
  ...caller
})

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
export const recordRequest = (answered: Answered, { isProbe = false }: Pick<KnownOfRequest, "isProbe"> = {}) =>
  Effect.withFiber((fiber) => {
    const { count, time } = seriesOf(answered)
    count.updateUnsafe(1, fiber.context)
    time.updateUnsafe(answered.millis / 1000, fiber.context)
    const level = levelOf(isProbe, answered)
    if (!LogLevel.isLessThanOrEqualTo(fiber.getRef(References.MinimumLogLevel), level)) return Effect.void
    const rounded = { ...answered, millis: Math.round(answered.millis) }
    return Effect.updateContext(
      Effect.logWithLevel(level)("Request"),
      (context: Context.Context<never>) =>
        context.pipe(
          Context.add(LoggedRequest, rounded),
          Context.add(References.CurrentLogAnnotations, {
            ...fiber.getRef(References.CurrentLogAnnotations),
            ...fieldsOf(rounded)
          })
        )
    )
  })
