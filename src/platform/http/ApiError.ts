import { type Cause, Effect, ErrorReporter, Schema } from "effect"
import { HttpServerRespondable, HttpServerResponse } from "effect/http"
import { field } from "./Field.ts"

// The documentation says it once, since every failure has one.
const ErrorMessage = Schema.String.annotate({
  identifier: "ErrorMessage",
  description: "The same for people, naming the field where one is wrong; its words may change"
})

/** The wire form of every failure of this API (contract, Errors 1): `{ "error": { "code", "message" } }`. */
const fieldsOf = <const Code extends string>(code: Code, message: string) => ({
  error: Schema.Struct({
    code: Schema.tag(code).pipe(field("Stays the same")),
    message: ErrorMessage.pipe(Schema.withConstructorDefault(Effect.succeed(message)))
  }).pipe(Schema.withConstructorDefault(Effect.succeed({})), field("The failure"))
})

/**
 * What a failure says, read from the body of an answer. None where the body is not that of a failure of this API. Takes any
 * code, since the service may be newer than its caller.
 */
export const readFailure = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ error: Schema.Struct({ code: Schema.String, message: Schema.String }) }))
)

/** What `ApiError` makes: a class whose values are failures, schemas and responses at once. */
export interface ApiErrorClass<Self, Tag extends string, Code extends string> extends
  Schema.Class<
    Self,
    Schema.Struct<ReturnType<typeof fieldsOf<Code>>>,
    Cause.YieldableError & HttpServerRespondable.Respondable & { readonly _tag: Tag }
  >
{}

/**
 * Declares an expected failure. The tag is what the code matches on, the code is
 * what a client matches on, and the status travels with the class, so a service
 * fails with a value and never mentions HTTP.
 */
export const ApiError = <Self>() =>
<const Tag extends string, const Code extends string>(
  tag: Tag,
  options: { readonly status: number; readonly code: Code; readonly message: string }
): ApiErrorClass<Self, Tag, Code> => {
  const fields = fieldsOf(options.code, options.message)
  const encode = Schema.encodeUnknownEffect(Schema.Struct(fields))

  class Base extends Schema.Error<Base>(tag)(Schema.Struct(fields).annotate({ description: options.message }), {
    description: options.message,
    httpApiStatus: options.status
  }) {
    get _tag(): Tag {
      return tag
    }
    override get message(): string {
      return this.error.message
    }
    override get [ErrorReporter.ignore](): boolean {
      return options.status < 500
    }
    // Renders the envelope even where no endpoint declared this error.
    [HttpServerRespondable.symbol]() {
      return Effect.orDie(encode(this)).pipe(
        Effect.map((body) => HttpServerResponse.jsonUnsafe(body, { status: options.status }))
      )
    }
  }
  // `Self` is the subclass that the caller is declaring, which this body cannot know; it only adds the name.
  return Base as unknown as ApiErrorClass<Self, Tag, Code>
}
