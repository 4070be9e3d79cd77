import { Effect, type JsonSchema, Option, Schema, Stream } from "effect"
import { AiError, LanguageModel, type Prompt, type Response } from "effect/ai"
import type { HttpClient, HttpClientRequest } from "effect/http"
import { brokenOff, malformed, modelError, retryWait, timedOut } from "./ModelFailure.ts"
import type { ModelTimes } from "./ModelTimes.ts"
import { serverEvents } from "./ServerEvents.ts"

/** A request to a model: texts only, no tools. */
export interface ModelRequest {
  readonly system: string
  readonly turns: ReadonlyArray<{ readonly role: "user" | "assistant"; readonly content: string }>
  /** The schema of the answer's JSON; empty for plain text. */
  readonly format: Option.Option<{ readonly name: string; readonly schema: JsonSchema.JsonSchema }>
}

/** A piece of an answer, or how it ended. */
export type ModelPart = Response.TextDeltaPartEncoded | Response.FinishPartEncoded

/** How a provider's requests and events look. */
export interface WireFormat {
  readonly codecTransformer: LanguageModel.CodecTransformer
  request(request: ModelRequest): HttpClientRequest.HttpClientRequest
  /** The parts of the answer in the data of one event; empty if the event does not matter here. */
  partsOf(data: string): Effect.Effect<ReadonlyArray<ModelPart>, AiError.AiError>
}

const id = "text"

/** A piece of an answer. An empty one is dropped, because an answer begins with its first text. */
export const textParts = (delta: string): ReadonlyArray<ModelPart> =>
  delta === "" ? [] : [{ type: "text-delta", id, delta }]

/** The end of an answer. The tokens used are not recorded. */
export const finishParts = (reason: Response.FinishReason): ReadonlyArray<ModelPart> => [
  { type: "finish", reason, usage: { inputTokens: {}, outputTokens: {} } }
]

const unsupported = (description: string) => modelError(new AiError.InvalidRequestError({ description }))

const textOf = (parts: ReadonlyArray<Prompt.Part>) =>
  Effect.map(
    Effect.forEach(parts, (part) =>
      part.type === "text" ? Effect.succeed(part.text) : Effect.fail(unsupported("Texts only"))),
    (texts) =>
      texts.join("\n")
  )

const modelRequestOf = Effect.fnUntraced(function*(
  { prompt, responseFormat, tools }: LanguageModel.ProviderOptions,
  codecTransformer: LanguageModel.CodecTransformer
) {
  if (tools.length > 0) return yield* unsupported("No tools")
  const system: Array<string> = []
  const turns: Array<ModelRequest["turns"][number]> = []
  for (const message of prompt.content) {
    if (message.role === "system") system.push(message.content)
    else if (message.role === "tool") return yield* unsupported("No tools")
    else turns.push({ role: message.role, content: yield* textOf(message.content) })
  }
  const format = responseFormat.type === "json"
    ? Option.some({ name: responseFormat.objectName, schema: codecTransformer(responseFormat.schema).jsonSchema })
    : Option.none()
  return { system: system.join("\n\n"), turns, format } satisfies ModelRequest
})

/** Tries a failed request again, but only while no part of an answer has come. */
const retriedBeforeFirstPart = (
  attempt: Stream.Stream<ModelPart, AiError.AiError>,
  times: ModelTimes,
  retries = 0
): Stream.Stream<ModelPart, AiError.AiError> =>
  Stream.suspend(() => {
    let hasPart = false
    return attempt.pipe(
      Stream.tap(() =>
        Effect.sync(() => {
          hasPart = true
        })
      ),
      Stream.catch((error) =>
        Option.match(hasPart ? Option.none() : retryWait(error.reason, retries, times), {
          onNone: () => Stream.fail(error),
          onSome: (wait) =>
            Stream.unwrap(Effect.as(Effect.sleep(wait), retriedBeforeFirstPart(attempt, times, retries + 1)))
        })
      )
    )
  })

/** Ends with the finish part; fails if the stream ends without one. */
const untilFinish = (parts: Stream.Stream<ModelPart, AiError.AiError>): Stream.Stream<ModelPart, AiError.AiError> =>
  Stream.concat(parts, Stream.suspend(() => Stream.fail(brokenOff()))).pipe(Stream.takeUntil(({ type }) =>
    type === "finish"
  ))

/** Adds the start and the end of the text, which `LanguageModel` expects around its pieces. */
const withTextFrame = (
  begun: boolean,
  part: ModelPart
): readonly [boolean, ReadonlyArray<Response.StreamPartEncoded>] => {
  if (part.type === "finish") return [begun, begun ? [{ type: "text-end", id }, part] : [part]]
  return [true, begun ? [part] : [{ type: "text-start", id }, part]]
}

/**
 * A language model behind a wire format. Every answer is streamed, also one that is wanted whole, so that there is one way
 * to fail. Failures before the first text are tried again, later ones are not.
 */
export const streamingModel = (
  client: HttpClient.HttpClient,
  wire: WireFormat,
  times: ModelTimes
): Effect.Effect<LanguageModel.LanguageModel> => {
  const answerTo = (options: LanguageModel.ProviderOptions) =>
    Stream.unwrap(Effect.map(modelRequestOf(options, wire.codecTransformer), (request) => {
      const attempt = serverEvents(client, wire.request(request), times).pipe(
        Stream.mapEffect((data) => wire.partsOf(data)),
        Stream.flattenIterable,
        untilFinish
      )
      return retriedBeforeFirstPart(attempt, times)
        .pipe(Stream.interruptWhen(Effect.andThen(Effect.sleep(times.whole), Effect.fail(timedOut()))))
    }))
  return LanguageModel.make({
    codecTransformer: wire.codecTransformer,
    streamText: (options) => Stream.mapAccum(answerTo(options), () => false, withTextFrame),
    generateText: (options) =>
      Effect.map(Stream.runCollect(answerTo(options)), (parts) => [
        { type: "text", text: parts.map((part) => part.type === "text-delta" ? part.delta : "").join("") },
        ...parts.filter((part) => part.type === "finish")
      ])
  })
}

/** Decodes the data of an event; fails with `malformed` if the provider does not document such data. */
export const jsonDecoder = <A>(schema: Schema.ConstraintDecoder<A>) => {
  const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(schema))
  return (data: string): Effect.Effect<A, AiError.AiError> => Effect.mapError(decode(data), malformed)
}
