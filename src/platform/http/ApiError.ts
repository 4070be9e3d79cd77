import { type Cause, Context, Effect, ErrorReporter, Schema, SchemaGetter } from "effect"
import { HttpServerRequest, HttpServerRespondable, HttpServerResponse } from "effect/http"
import { preferredLocale } from "./AcceptLanguage.ts"
import { field } from "./Field.ts"
import type { Locale, Sentence } from "./Locale.ts"

// The documentation says it once, since every failure has one.
const ErrorMessage = Schema.String.annotate({
  identifier: "ErrorMessage",
  description: "The same for people, naming the field where one is wrong; its words may change"
})

/** The language of the current request; English outside of a request. */
const currentLocale: Effect.Effect<Locale> = Effect.withFiber(({ context }) => {
  const request = Context.getOrUndefined(context, HttpServerRequest.HttpServerRequest)
  return Effect.succeed(preferredLocale(request?.headers["accept-language"]))
})

/**
 * The body of a failure with another sentence than its usual one, in both languages: `new NotFound(saying(sentence))`.
 */
export const saying = ({ en, "pt-BR": portuguese }: Sentence) => ({ error: { message: en, portuguese } })

/** The field that an English sentence begins with: `levels[2].name: …` or `url must …`. */
const place = /^[a-z_][\w.[\]-]*(?=: | must )/

/** A message names the field that is wrong in every language, in the same place. */
const placedAs = (english: string, sentence: string) => {
  const [field] = place.exec(english) ?? []
  return field === undefined ? sentence : `${field}: ${sentence}`
}

/**
 * The wire form of every failure of this API (contract, Errors 1): `{ "error": { "code", "message" } }`. In the service
 * `message` is English; it is sent in the language of the request.
 */
const fieldsOf = <const Code extends string>(code: Code, usual: Sentence, saysTooLittle: boolean) => {
  // The package turma-client has English alone.
  const { en, "pt-BR": usualPortuguese = en } = usual
  const known = Schema.Struct({
    code: Schema.tag(code),
    message: Schema.String.pipe(Schema.withConstructorDefault(Effect.succeed(en))),
    portuguese: Schema.optionalKey(Schema.String)
  })
  const sent = Schema.Struct({ code: Schema.tag(code).pipe(field("Stays the same")), message: ErrorMessage })
    .pipe(field("The failure"))
  const inPortuguese = ({ message, portuguese }: typeof known.Type) =>
    portuguese === undefined && saysTooLittle && message !== en
      ? message
      : placedAs(message, portuguese ?? usualPortuguese)
  return {
    error: sent.pipe(
      Schema.decodeTo(known, {
        decode: SchemaGetter.passthrough(),
        encode: SchemaGetter.transformEffect((said: typeof known.Type) =>
          Effect.map(currentLocale, (locale) => ({
            code: said.code,
            message: locale === "en" ? said.message : inPortuguese(said)
          }))
        )
      }),
      Schema.withConstructorDefault(Effect.succeed({}))
    )
  }
}

/**
 * The failure in the body of an answer, or `None` if the body is not a failure of this API. Takes any code, since the
 * service may be newer than its caller.
 */
export const readFailure = Schema
  .decodeUnknownOption(Schema
    .fromJsonString(Schema.Struct({ error: Schema.Struct({ code: Schema.String, message: Schema.String }) })))

/** The class that `ApiError` makes. Its values are failures, schemas and responses at once. */
export interface ApiErrorClass<Self, Tag extends string, Code extends string> extends
  Schema.Class<
    Self,
    Schema.Struct<ReturnType<typeof fieldsOf<Code>>>,
    Cause.YieldableError & HttpServerRespondable.Respondable & { readonly _tag: Tag }
  >
{}

/**
 * Declares an expected failure. The code matches on the tag, and a client on the code. The status belongs to the class,
 * so a service fails with a value and never mentions HTTP.
 * If a value has a message of its own in English only, readers of Portuguese get the usual sentence. If the usual
 * sentence `saysTooLittle`, they read the English message.
 */
export const ApiError = <Self>() =>
<const Tag extends string, const Code extends string>(
  tag: Tag,
  options: {
    readonly status: number
    readonly code: Code
    readonly message: Sentence
    readonly saysTooLittle?: boolean
  }
): ApiErrorClass<Self, Tag, Code> => {
  const { code, message: { en: description }, saysTooLittle = false, status } = options
  const fields = fieldsOf(code, options.message, saysTooLittle)
  const encode = Schema.encodeUnknownEffect(Schema.Struct(fields))

  class Base extends Schema.Error<Base>(tag)(Schema.Struct(fields).annotate({ description }), {
    description,
    httpApiStatus: status
  }) {
    get _tag(): Tag {
      return tag
    }
    override get message(): string {
      return this.error.message
    }
    override get [ErrorReporter.ignore](): boolean {
      return status < 500
    }
    // Renders the envelope even if the endpoint did not declare this error.
    [HttpServerRespondable.symbol]() {
      return Effect.orDie(encode(this)).pipe(Effect.map((body) => HttpServerResponse.jsonUnsafe(body, { status })))
    }
  }
  // `Self` is the subclass that the caller is declaring, which this body cannot know; it only adds the name.
  return Base as unknown as ApiErrorClass<Self, Tag, Code>
}
