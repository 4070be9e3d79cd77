import { Effect, Option, Schema, type SchemaAST } from "effect"
import { HttpServerRequest } from "effect/http"
import { type HttpApiEndpoint, HttpApiMiddleware } from "effect/http-api"
import {
  InternalError,
  MalformedRequest,
  NotFound,
  PayloadTooLarge,
  TemporarilyUnavailable,
  UnsupportedMediaType,
  ValidationFailed
} from "./errors.ts"
import { describeFaults, describeIssue } from "./issues/Message.ts"
import { whereBroken } from "./json/JsonFault.ts"

/** Declared on the whole API, so that OpenAPI and clients know what any request may meet. */
export class RequestErrors extends HttpApiMiddleware.Service<RequestErrors>()("turma/platform/http/RequestErrors", {
  error: [
    MalformedRequest,
    NotFound,
    PayloadTooLarge,
    UnsupportedMediaType,
    ValidationFailed,
    InternalError,
    TemporarilyUnavailable
  ]
}) {}

const decodeJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

// The builder reports malformed JSON and a schema mismatch as the same failure, told apart only by message text. The body
// is cached, so look at it again.
const bodyOf = Effect.gen(function*() {
  const request = yield* HttpServerRequest.HttpServerRequest
  const text = yield* Effect.orElseSucceed(request.text, () => "")
  if (text === "") return { value: undefined, isLong: false }
  const json = decodeJson(text)
  return Option.isSome(json) ? { value: json.value, isLong: text.length > longBody } : yield* malformed(text)
})

/** In characters. A larger body is refused with its first fault alone, so a hostile body costs only that. */
const longBody = 8192

const malformed = (text: string) =>
  new MalformedRequest({ error: { message: `The body is not valid JSON: ${whereBroken(text)}` } })

const payloads = new WeakMap<HttpApiEndpoint.Top, SchemaAST.AST>()

/** Whatever the endpoint takes as JSON. */
const payloadOf = (endpoint: HttpApiEndpoint.Top): SchemaAST.AST => {
  const known = payloads.get(endpoint)
  if (known !== undefined) return known
  const schemas = [...endpoint.payload.values()].filter(({ encoding }) => encoding._tag === "Json")
    .flatMap(({ schemas }) => [...schemas])
  const [only, another] = schemas
  const { ast } = only !== undefined && another === undefined ? only : Schema.Union(schemas)
  payloads.set(endpoint, ast)
  return ast
}

const refused = (message: string) => new ValidationFailed({ error: { message } })

/** Tells malformed JSON, a malformed id and refused fields apart. */
export const RequestErrorsLayer = HttpApiMiddleware.layerSchemaErrorTransform(
  RequestErrors,
  Effect.fnUntraced(function*({ cause, kind }, { endpoint }) {
    switch (kind) {
      case "Body":
      case "ResponseHeaders":
        yield* Effect.logError("A response did not match its schema", cause)
        return yield* new InternalError()
      // A malformed id names no resource.
      case "Params":
        return yield* new NotFound()
      case "Payload": {
        const { isLong, value } = yield* bodyOf
        return yield* refused(isLong
          ? describeIssue(cause.issue)
          : describeFaults({ ast: payloadOf(endpoint), value, issue: cause.issue }))
      }
      case "Query": {
        const { ast = Schema.Unknown.ast } = endpoint.query ?? {}
        const value = yield* HttpServerRequest.ParsedSearchParams
        return yield* refused(describeFaults({ ast, value, issue: cause.issue, source: "query" }))
      }
      default:
        return yield* refused(describeIssue(cause.issue))
    }
  })
)
