import { Effect, Schema } from "effect"
import { HttpClientError, type HttpClientResponse } from "effect/http"
import { notText } from "../../platform/text/Unreadable.ts"
import { bodyText } from "../../platform/text/Utf8.ts"
import { CommandFailure } from "../errors/CommandFailure.ts"
import { exitCodes } from "../errors/ExitCodes.ts"
import { whyUnexpected } from "../errors/Unreadable.ts"
import { UsageError } from "../errors/UsageError.ts"
import { Thing } from "../output/Json.ts"
import { refusal, unreachable } from "./Failures.ts"
import { patiently, whileAtLimit } from "./Patience.ts"

/** A request with any answer. It fails without an answer, or if the contract does not allow its values. */
type Request<R> = Effect.Effect<HttpClientResponse.HttpClientResponse, Error, R>

const longestAnswer = "60 seconds"

const unavailable = (message: string) => new CommandFailure({ message, exit_code: exitCodes.unavailable.code })

/** For what begins as well as for its body: neither may keep a command waiting for ever. */
const inTime = (url: string) =>
  Effect.timeoutOrElse({
    duration: longestAnswer,
    orElse: () => Effect.fail(unavailable(`${url} does not answer within ${longestAnswer}`))
  })

/** Sends a request to the service at `url`; every failure is one line with its exit code. */
export const answerOf = <R>(url: string, request: Request<R>) =>
  request.pipe(
    Effect.mapError((error) =>
      HttpClientError.isHttpClientError(error)
        ? unreachable(url)(error)
        : new UsageError({ message: error.message.replaceAll(/\s*\n\s*/g, " ") })
    ),
    inTime(url),
    (sent) => patiently(sent, whileAtLimit),
    Effect.flatMap((response) =>
      response.status < 300 ? Effect.succeed(response) : Effect.flatMap(inTime(url)(refusal(response)), Effect.fail)
    )
  )

const One = Schema.fromJsonString(Schema.Struct({ data: Thing }))
const Several = Schema.Struct({ data: Schema.Array(Thing), next_cursor: Schema.NullOr(Schema.String) })
const decodeOne = Schema.decodeUnknownEffect(One)
const decodeSeveral = Schema.decodeUnknownEffect(Schema.fromJsonString(Several))

const notOurs = (url: string, why: string) =>
  unavailable(`What ${url} answers is not Turma's (${why}): is the address right?`)

/** The body of a successful answer, decoded. */
const bodyOf = <A>(
  url: string,
  response: HttpClientResponse.HttpClientResponse,
  decode: (text: string) => Effect.Effect<A, Schema.SchemaError>
) =>
  bodyText(response).pipe(
    Effect.mapError((error) =>
      error._tag === "NotUtf8" ? notOurs(url, notText) : unavailable(`${url} broke off its answer`)
    ),
    inTime(url),
    Effect.flatMap((text) => Effect.mapError(decode(text), () => notOurs(url, whyUnexpected(text))))
  )

/** The thing that a request is answered, as it is. */
export const oneOf = <R>(url: string, request: Request<R>) =>
  answerOf(url, request).pipe(
    Effect.flatMap((response) => bodyOf(url, response, decodeOne)),
    Effect.map(({ data }) => data)
  )

/** One page of a list, as it is. */
export const pageOf = <R>(url: string, request: Request<R>) =>
  Effect.flatMap(answerOf(url, request), (response) => bodyOf(url, response, decodeSeveral))

/** The wanted part of a list: some items, or all. */
export interface Wanted {
  readonly limit: number
  readonly all: boolean
}

/** The largest page of the contract. */
const largestPage = 100

/**
 * Reads a list page by page and passes each page on before it asks for the next. True if the list has more than was
 * wanted. The caller asks for a page with its size and cursor.
 */
export const eachPage = Effect.fnUntraced(function*<E, R, E2, R2>(
  wanted: Wanted,
  load: (page: { readonly limit: number; readonly cursor?: string }) => Effect.Effect<typeof Several.Type, E, R>,
  use: (things: ReadonlyArray<Thing>) => Effect.Effect<void, E2, R2>
) {
  let left = wanted.all ? Infinity : wanted.limit
  let cursor: string | undefined
  while (left > 0) {
    const limit = Math.min(left, largestPage)
    const page = yield* load(cursor === undefined ? { limit } : { limit, cursor })
    yield* use(page.data)
    left -= page.data.length
    if (page.next_cursor === null) return false
    cursor = page.next_cursor
  }
  return true
})
