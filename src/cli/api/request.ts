import { Effect, Option, Schema, Stdio, Stream } from "effect"
import { HttpClientRequest, type HttpClientResponse } from "effect/http"
import { notText } from "../../platform/text/Unreadable.ts"
import { bodyText, streamText } from "../../platform/text/Utf8.ts"
import { CommandFailure } from "../errors/CommandFailure.ts"
import { exitCodes } from "../errors/ExitCodes.ts"
import { UsageError } from "../errors/UsageError.ts"
import { harmless, harmlessJson } from "../output/Harmless.ts"
import type { Thing } from "../output/Json.ts"
import { jsonPrinter, writeJson } from "../output/Print.ts"
import { write, writeBytes } from "../output/Write.ts"
import { answerOf, eachPage, pageOf } from "../remote/Answers.ts"
import { connection } from "../remote/Connection.ts"
import { untilDone } from "../remote/run.ts"
import { bytesFrom } from "../webhooks/Input.ts"
import { addressOf, parseFields, parseHeaders, parseMethod } from "./Parts.ts"

/** A request as it was typed. */
interface Typed {
  readonly method: string
  readonly path: string
  readonly fields: ReadonlyArray<string>
  readonly typed: ReadonlyArray<string>
  readonly headers: ReadonlyArray<string>
  readonly input: Option.Option<string>
  readonly paginate: boolean
}

const decodeJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** The answer byte for byte as it comes; on a terminal as people read JSON, and with nothing in it that a terminal obeys. */
const print = Effect.fnUntraced(function*(url: string, response: HttpClientResponse.HttpClientResponse) {
  const failure = (message: string) => new CommandFailure({ message, exit_code: exitCodes.unavailable.code })
  const broken = () => failure(`${url} broke off its answer`)
  const noText = () => failure(`Cannot show what ${url} answers: ${notText}`)
  const { stdoutIsTerminal } = yield* Stdio.Stdio
  if (!(yield* stdoutIsTerminal)) {
    return yield* Stream.runForEach(Stream.mapError(response.stream, broken), writeBytes)
  }
  const isJson = response.headers["content-type"]?.includes("json") === true
  if (!isJson) {
    const texts = streamText(Stream.mapError(response.stream, broken), noText)
    return yield* Stream.runForEach(texts, (text) => write(harmless(text)))
  }
  const text = yield* Effect.mapError(bodyText(response), ({ _tag }) => _tag === "NotUtf8" ? noText() : broken())
  yield* Option.match(decodeJson(text), { onNone: () => write(harmlessJson(text)), onSome: writeJson })
})

const makeRequest = Effect.fnUntraced(function*({ fields, headers, input, method, paginate, path, typed }: Typed) {
  const { club, http, key, url } = yield* connection
  const verb = yield* parseMethod(method)
  if (paginate && verb !== "GET") return yield* new UsageError({ message: "--paginate reads lists: expected GET" })
  if (verb === "GET" && Option.isSome(input)) {
    return yield* new UsageError({ message: "--input is a body, and a GET has none: use --field" })
  }
  const target = yield* addressOf(url, path.includes("{clubId}") ? path.replaceAll("{clubId}", yield* club) : path)
  const given = yield* parseFields(fields, typed)
  const bare = HttpClientRequest.make(verb)(target.href).pipe(
    HttpClientRequest.bearerToken(key),
    HttpClientRequest.setHeaders(yield* parseHeaders(headers))
  )
  const query = (value: Schema.Json) => typeof value === "string" ? value : JSON.stringify(value)
  const isQuery = verb === "GET" || verb === "DELETE" || Option.isSome(input)
  const asked = isQuery
    ? HttpClientRequest.appendUrlParams(bare, given.map(([name, value]) => [name, query(value)] as const))
    : given.length === 0
    ? bare
    : HttpClientRequest.bodyText(bare, JSON.stringify(Object.fromEntries(given)), "application/json")
  if (Option.isNone(input)) return { http, url, request: asked }
  const type = bare.headers["content-type"] ?? "application/json"
  return { http, url, request: HttpClientRequest.bodyUint8Array(asked, yield* bytesFrom(input.value), type) }
})

/** `turma api`: a refusal is one line, as in every command. */
export const request = (given: Typed) =>
  untilDone(Effect.gen(function*() {
    const { http, request, url } = yield* makeRequest(given)
    if (!given.paginate) return yield* print(url, yield* answerOf(url, http.execute(request)))
    const printer = yield* jsonPrinter<Thing>()
    yield* eachPage({ all: true, limit: 0 }, ({ cursor, limit }) =>
      pageOf(
        url,
        http.execute(HttpClientRequest.setUrlParams(request, {
          limit: String(limit),
          ...(cursor === undefined ? {} : { cursor })
        }))
      ), printer.page)
    yield* printer.end
  }))
