import { Effect, Option, Schema, SchemaIssue } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import {
  InternalError,
  MalformedRequest,
  NotFound,
  PayloadTooLarge,
  TemporarilyUnavailable,
  UnsupportedMediaType,
  ValidationFailed
} from "./errors.ts"

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

// The builder reports malformed JSON and a schema mismatch as the same failure,
// told apart only by message text. The body is cached, so look at it again.
const isMalformedJson = Effect.gen(function*() {
  const request = yield* HttpServerRequest.HttpServerRequest
  const text = yield* Effect.orElseSucceed(request.text, () => "")
  return text !== "" && Option.isNone(decodeJson(text))
})

const format = SchemaIssue.makeFormatterStandardSchemaV1()

// An unknown key is the client's and as long as it likes.
const shortened = (key: PropertyKey) =>
  typeof key === "string" && key.length > 64 ? `${key.slice(0, 64).toWellFormed()}…` : key

const keyOf = (segment: PropertyKey | { readonly key: PropertyKey }) =>
  shortened(typeof segment === "object" ? segment.key : segment)

/** `["levels", 2, "name"]` as a person writes it: `levels[2].name`. */
const fieldName = (path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }>) =>
  path.map(keyOf).reduce<string>(
    (name, key) => typeof key === "number" ? `${name}[${key}]` : name === "" ? String(key) : `${name}.${String(key)}`,
    ""
  )

/** Names the first field that was refused and what it takes, never the value: `levels[2].name: Missing key`. */
export const describeIssue = (issue: SchemaIssue.Issue): string => {
  const [first] = format(issue).issues
  if (first === undefined) return ""
  const { message, path = [] } = first
  return path.length === 0 ? message : `${fieldName(path)}: ${message}`
}

/** Tells malformed JSON, a malformed id and a refused field apart. */
export const RequestErrorsLayer = HttpApiMiddleware.layerSchemaErrorTransform(
  RequestErrors,
  Effect.fnUntraced(function*(failure) {
    switch (failure.kind) {
      case "Body":
      case "ResponseHeaders":
        yield* Effect.logError("A response did not match its schema", failure.cause)
        return yield* new InternalError()
      // A malformed id names no resource.
      case "Params":
        return yield* new NotFound()
      case "Payload":
        if (yield* isMalformedJson) return yield* new MalformedRequest()
        return yield* new ValidationFailed({ error: { message: describeIssue(failure.cause.issue) } })
      default:
        return yield* new ValidationFailed({ error: { message: describeIssue(failure.cause.issue) } })
    }
  })
)
