import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Cause, Clock, Context, Effect, Option, References, Result } from "effect"
import { Headers, HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type IncomingMessage, ServerResponse } from "node:http"
import { isLaneFull, isTooLong, isTransientSqlError } from "../../sql/SqlState.ts"
import { preferredLocale } from "../AcceptLanguage.ts"
import { saying } from "../ApiError.ts"
import { TemporarilyUnavailable } from "../errors.ts"
import type { Locale, Sentence } from "../Locale.ts"
import { prefersPage } from "../request/Accept.ts"
import { OutsideWaits } from "../request/OutsideWaits.ts"
import { isTransientError } from "../TransientError.ts"
import type { AllowedMethods } from "./AllowedMethods.ts"
import { isPreflight, preflightAnswer, withhold } from "./CrossOrigin.ts"
import { answerDirectly, idOf } from "./DirectAnswer.ts"
import { hasLargeHead, headTooLarge } from "./HeadSize.ts"
import { negotiated, varyOf } from "./Negotiation.ts"
import { readableUrl } from "./ReadableUrl.ts"
import { type KnownOfRequest, recordRequest, RequestLine } from "./RequestLog.ts"
import type { Rewrite, Rewritten } from "./Rewrite.ts"
import { Unanswered } from "./Unanswered.ts"

const busy: Sentence = {
  en: "The service is busy: try again in a moment",
  "pt-BR": "O serviço está ocupado: tente de novo daqui a pouco."
}

const codes: Record<number, readonly [code: string, message: Sentence]> = {
  400: ["malformed_request", {
    en: "The request could not be read: check its syntax",
    "pt-BR": "Não foi possível ler a requisição."
  }],
  401: ["unauthenticated", {
    en: "Sign in first, or check the password",
    "pt-BR": "Entre primeiro ou confira a senha."
  }],
  403: ["forbidden", {
    en: "This is not allowed from here, or for this account",
    "pt-BR": "Isto não é permitido daqui ou para esta conta."
  }],
  404: ["not_found", { en: "There is no such route: see /docs", "pt-BR": "Não há nada neste endereço: veja /docs." }],
  405: ["method_not_allowed", {
    en: "The route does not take this method: Allow lists those it takes",
    "pt-BR": "Este endereço não aceita este método: Allow lista os que aceita."
  }],
  413: ["payload_too_large", {
    en: "The body is too large: send less of it at a time",
    "pt-BR": "Conteúdo demais: envie menos por vez."
  }],
  409: ["conflict", {
    en: "The current state does not allow it",
    "pt-BR": "A situação atual não permite isto."
  }],
  415: ["unsupported_media_type", {
    en: "Send the body as JSON, with Content-Type: application/json",
    "pt-BR": "O tipo do conteúdo não é o esperado: envie JSON, com Content-Type: application/json."
  }],
  422: ["validation_failed", {
    en: "A field is missing or not what it must be: with Accept: text/html the page names each",
    "pt-BR": "Há um campo ausente ou inválido: com Accept: text/html a página diz qual."
  }],
  429: ["rate_limited", {
    en: "Too many requests: try again after as many seconds as Retry-After says",
    "pt-BR": "Requisições demais: tente de novo depois dos segundos em Retry-After."
  }],
  431: [headTooLarge.code, { en: headTooLarge.message, "pt-BR": "O endereço e os cabeçalhos são grandes demais." }],
  503: ["temporarily_unavailable", busy]
}

/** Of a page of ours, which takes a form. */
const codesOfPages: typeof codes = {
  ...codes,
  415: ["unsupported_media_type", {
    en: "Send the form with Content-Type: application/x-www-form-urlencoded",
    "pt-BR": "Envie o formulário com Content-Type: application/x-www-form-urlencoded."
  }]
}

const broken: Sentence = {
  en: "Something went wrong in the service: try again, and report the X-Request-Id if it happens again",
  "pt-BR": "Algo deu errado no serviço: tente de novo e, se continuar, informe o X-Request-Id."
}

const isOf = (type: string, { headers }: HttpServerResponse.HttpServerResponse) =>
  headers["content-type"]?.startsWith(type) === true

// The router and the builder answer an unknown route, a 413, a 415 and a defect with
// an empty or plain-text body.
const inEnvelope = (response: HttpServerResponse.HttpServerResponse, locale: Locale) => {
  if (isOf("application/json", response)) return response
  const [code, sentence] = (isOf("text/html", response) ? codesOfPages : codes)[response.status] ??
    ["internal_error", broken]
  return HttpServerResponse.jsonUnsafe({ error: { code, message: sentence[locale] } }, {
    status: response.status,
    headers: Headers.remove(response.headers, "content-type")
  })
}

const variesByAccept = (response: HttpServerResponse.HttpServerResponse) => {
  const { vary } = response.headers
  if (vary !== undefined && /(?:^|,)\s*accept\s*(?:,|$)/i.test(vary)) return response
  return HttpServerResponse.setHeader(response, "vary", vary === undefined ? "Accept" : `Accept, ${vary}`)
}

/** A failure in the envelope; of a page, as a page where that is liked better. */
const failureOf = (
  response: HttpServerResponse.HttpServerResponse,
  { refusal }: KnownOfRequest,
  { accept, locale }: { readonly accept: string | undefined; readonly locale: Locale }
) => {
  const isPage = isOf("text/html", response)
  if (!isPage && refusal === undefined) return inEnvelope(response, locale)
  if (!prefersPage(accept)) return variesByAccept(inEnvelope(response, locale))
  return variesByAccept(isPage || refusal === undefined ? response : refusal(response.status))
}

/** An answer as it leaves: a failure is true only at its moment, so no cache keeps it. */
const finished = (
  response: HttpServerResponse.HttpServerResponse,
  line: KnownOfRequest,
  { id, request: { headers: asked } }: {
    readonly request: HttpServerRequest.HttpServerRequest
    readonly id: string
  }
) => {
  if (response.status < 400) {
    const vary = varyOf(response, line.isWorded)
    return HttpServerResponse.setHeaders(response, { "x-request-id": id, vary })
  }
  const locale = preferredLocale(asked["accept-language"])
  const answer = failureOf(response, line, { accept: asked["accept"], locale })
  return HttpServerResponse.setHeaders(answer, {
    "x-request-id": id,
    vary: varyOf(answer, true),
    "cache-control": "no-store"
  })
}

const failureCode = /^\{"error":\{"code":"([a-z0-9_]{1,64})"/
const longestCode = 100

/** The code of a failure, from the start of its body. */
const codeOf = ({ body, status }: HttpServerResponse.HttpServerResponse) =>
  status < 400 || body._tag !== "Uint8Array"
    ? undefined
    : failureCode.exec(Buffer.from(body.body.subarray(0, longestCode)).toString("latin1"))?.[1]

const unavailable = new TemporarilyUnavailable()

const tooMuch = new TemporarilyUnavailable(saying({
  en: "This takes the database too long: ask for less, such as longer words or a shorter period, or try again",
  "pt-BR":
    "Isto demora demais no banco de dados: peça menos, como palavras mais longas ou um período menor, ou tente de novo."
}))

/** Seconds after which the same request may pass. */
const soon = { "Retry-After": "2" }

/** The answer if no handler has answered in time. */
const late = { status: 503, code: unavailable.error.code, headers: { ...soon, Vary: "Origin, Accept-Language" } }

const malformed = HttpServerResponse.empty({ status: 400 })

const tooLarge = HttpServerResponse.empty({ status: headTooLarge.status, headers: { connection: "close" } })

/** HTTP/1.1 asks for it. Node would refuse by itself, with an empty body. */
const lacksHost = ({ headers, httpVersion }: IncomingMessage) => httpVersion === "1.1" && headers.host === undefined

const nodeResponse = (request: HttpServerRequest.HttpServerRequest): ServerResponse => {
  const response = NodeHttpServerRequest.toServerResponse(request)
  if (response instanceof ServerResponse) return response
  throw new TypeError("Only HTTP/1 is served")
}

/** True if a failure or a defect of the cause matches. */
const has = (cause: Cause.Cause<unknown>, is: (failure: unknown) => boolean) =>
  cause.reasons.some((reason) =>
    is(Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined)
  )

/**
 * True if another try may soon succeed: the database was out of reach, full or locked too long, or a bucket fails
 * for the moment.
 */
const isTransient = (failure: unknown) => isTransientSqlError(failure) || isTransientError(failure)

/** The answer to what may pass, with when to come again. */
const transientAnswer = (cause: Cause.Cause<unknown>) =>
  Effect.map(
    HttpServerError.causeResponse(Cause.fail(has(cause, isTooLong) ? tooMuch : unavailable)),
    ([response]) => HttpServerResponse.setHeaders(response, soon)
  )

const isRouteNotFound = (cause: Cause.Cause<unknown>) =>
  Option.exists(
    Cause.findErrorOption(cause),
    (error) => HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"
  )

const withoutRoute = (methods: ReadonlyArray<string>) =>
  methods.length > 0
    ? HttpServerResponse.empty({ status: 405, headers: { allow: methods.join(", ") } })
    : HttpServerResponse.empty({ status: 404 })

/** With a URL that the router can read. */
const routable = (sent: HttpServerRequest.HttpServerRequest): HttpServerRequest.HttpServerRequest => {
  const url = readableUrl(sent.url)
  return url === sent.url ? sent : sent.modify({ url })
}

/**
 * The outermost middleware. After any failure the body is `{ error: { code, message } }`, or a page for a browser whose
 * `Accept` prefers one. It reveals nothing internal, and no cache keeps it. Every answer carries `X-Request-Id`, and so
 * does every log line of its request.
 */
export const envelopeLayer = (allowed: AllowedMethods, rewrite: Rewrite = () => undefined) =>
  HttpRouter.middleware(
    Effect.gen(function*() {
      const unanswered = yield* Unanswered
      yield* unanswered.watch
      const answer = Effect.fnUntraced(function*(
        cause: Cause.Cause<unknown>,
        request: HttpServerRequest.HttpServerRequest
      ) {
        if (isRouteNotFound(cause)) return withoutRoute(allowed(request.url))
        const response = yield* (has(cause, isTransient)
          ? transientAnswer(cause)
          : Effect.map(HttpServerError.causeResponse(cause), ([response]) => response))
        // A club with too many waiting reads gets a refusal, and fills no log.
        if (response.status >= 500 && !has(cause, isLaneFull)) {
          yield* Effect.logError("A request failed unexpectedly", cause)
        }
        return response
      })

      // Written with few steps and one change of the context: every request of every route passes here.
      return (httpEffect) =>
        Effect.withFiber((fiber) => {
          const received = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
          const sent = routable(received)
          const reading = Result.try(() => rewrite(sent))
          const read = Result.getOrUndefined(reading)
          const { request, within }: Rewritten = read !== undefined && "request" in read ? read : { request: sent }
          const clock = fiber.getRef(Clock.Clock)
          const id = idOf(request.headers["x-request-id"])
          const line: KnownOfRequest = { route: "unknown" }
          const outside = { count: 0 }
          const withOwn = <R>(context: Context.Context<R>) => {
            const named = context.pipe(
              Context.add(RequestLine, line),
              Context.add(OutsideWaits, outside),
              Context.add(References.CurrentLogAnnotations, {
                ...fiber.getRef(References.CurrentLogAnnotations),
                request_id: id
              })
            )
            const known = within === undefined ? named : Context.merge(named, within)
            return request === received ? known : Context.add(known, HttpServerRequest.HttpServerRequest, request)
          }
          const start = clock.currentTimeMillisUnsafe()

          const record = (status: number, code?: string) => {
            const { method } = request
            const { caller, route } = line
            const millis = clock.currentTimeMillisUnsafe() - start
            return recordRequest({
              route,
              method,
              status,
              millis,
              ...(caller === undefined ? {} : { caller }),
              ...(code === undefined ? {} : { code })
            }, line)
          }

          // Answers at once, whatever the handler waits for and however long it takes to let go of that.
          let isOver = false
          const response = nodeResponse(request)
          const leave = unanswered.enter(response, outside, () => {
            isOver = true
            const message = busy[preferredLocale(request.headers["accept-language"])]
            answerDirectly(response, { ...late, message, id })
            Effect.runForkWith(withOwn(fiber.context))(record(late.status, late.code))
            fiber.interruptUnsafe()
          })

          const recorded = (answer: HttpServerResponse.HttpServerResponse, code: string | undefined) =>
            Effect.as(record(answer.status, code), answer)
          const changed = (answer: HttpServerResponse.HttpServerResponse) =>
            read !== undefined && "request" in read && read.answered !== undefined ? read.answered(answer) : answer

          const end = (made: HttpServerResponse.HttpServerResponse) => {
            const answer = finished(made, line, { request, id })
            if (isOf("text/html", answer)) withhold(response)
            const code = codeOf(answer)
            const shorter = negotiated(request, answer)
            return shorter === undefined
              ? recorded(answer, code)
              : Effect.flatMap(shorter, (short) => recorded(short, code))
          }

          const finish = (made: HttpServerResponse.HttpServerResponse) => {
            leave()
            const change = Result.try(() => changed(made))
            return Result.isSuccess(change)
              ? end(change.success)
              : Effect.flatMap(answer(Cause.die(change.failure), request), end)
          }

          // Before any route, so that it costs nobody's limit and nothing of the database.
          const asked = isPreflight(response) ? allowed(request.url) : []
          if (asked.length > 0) line.route = "preflight"
          const answering = lacksHost(response.req)
            ? Effect.succeed(malformed)
            // A page whose preflight is refused cannot read the refusal of the request.
            : asked.length === 0 && hasLargeHead(response.req)
            ? Effect.succeed(tooLarge)
            : Result.isFailure(reading)
            ? Effect.die(reading.failure)
            : read !== undefined && "refusal" in read
            ? Effect.succeed(read.refusal)
            : asked.length > 0
            ? Effect.succeed(preflightAnswer(asked))
            : httpEffect

          return Effect.matchCauseEffect(answering, {
            onFailure: (cause) => {
              leave()
              return isOver || Cause.hasInterruptsOnly(cause)
                ? Effect.failCause(cause)
                : Effect.flatMap(answer(cause, request), finish)
            },
            onSuccess: finish
          }).pipe(Effect.updateContext(withOwn<HttpServerRequest.HttpServerRequest>))
        })
    }),
    { global: true }
  )
