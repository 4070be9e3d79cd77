import { Effect, type JsonSchema, Option, Schema, Stream } from "effect"
import { AiError, LanguageModel, type Prompt, type Response } from "effect/ai"
import type { HttpClient, HttpClientRequest } from "effect/http"
import { broken, failed, malformed, timedOut, waitBefore } from "./ModelFailure.ts"
import type { ModelTimes } from "./ModelTimes.ts"
import { serverEvents } from "./ServerEvents.ts"

/** What is asked of a model: texts only, no tools. */
export interface Asked {
  readonly system: string
  readonly turns: ReadonlyArray<{ readonly role: "user" | "assistant"; readonly content: string }>
  /** The JSON that the answer has to be. */
  readonly format: Option.Option<{ readonly name: string; readonly schema: JsonSchema.JsonSchema }>
}

/** A piece of an answer, or how it ended. */
export type Spoken = Response.TextDeltaPartEncoded | Response.FinishPartEncoded

/** How a provider wants to be asked, and answers. */
export interface WireFormat {
  readonly codecTransformer: LanguageModel.CodecTransformer
  request(asked: Asked): HttpClientRequest.HttpClientRequest
  /** What an event says, from its data; nothing where it says nothing to us. */
  spoken(data: string): Effect.Effect<ReadonlyArray<Spoken>, AiError.AiError>
}

const id = "text"

/** A piece of an answer; an empty one says nothing, so that the answer has not begun with it. */
export const said = (delta: string): ReadonlyArray<Spoken> => delta === "" ? [] : [{ type: "text-delta", id, delta }]

/** The end of an answer. What it cost is not kept. */
export const finished = (reason: Response.FinishReason): ReadonlyArray<Spoken> => [
  { type: "finish", reason, usage: { inputTokens: {}, outputTokens: {} } }
]

const unsupported = (description: string) => failed(new AiError.InvalidRequestError({ description }))

const textOf = (parts: ReadonlyArray<Prompt.Part>) =>
  Effect.map(
    Effect.forEach(parts, (part) =>
      part.type === "text" ? Effect.succeed(part.text) : Effect.fail(unsupported("Texts only"))),
    (texts) =>
      texts.join("\n")
  )

const askedOf = Effect.fnUntraced(function*(
  { prompt, responseFormat, tools }: LanguageModel.ProviderOptions,
  codecTransformer: LanguageModel.CodecTransformer
) {
  if (tools.length > 0) return yield* unsupported("No tools")
  const system: Array<string> = []
  const turns: Array<Asked["turns"][number]> = []
  for (const message of prompt.content) {
    if (message.role === "system") system.push(message.content)
    else if (message.role === "tool") return yield* unsupported("No tools")
    else turns.push({ role: message.role, content: yield* textOf(message.content) })
  }
  const format = responseFormat.type === "json"
    ? Option.some({ name: responseFormat.objectName, schema: codecTransformer(responseFormat.schema).jsonSchema })
    : Option.none()
  return { system: system.join("\n\n"), turns, format } satisfies Asked
})

/** Tries again what failed, but only as long as nobody has heard anything of it. */
const untilHeard = (
  attempt: Stream.Stream<Spoken, AiError.AiError>,
  times: ModelTimes,
  retries = 0
): Stream.Stream<Spoken, AiError.AiError> =>
  Stream.suspend(() => {
    let heard = false
    return attempt.pipe(
      Stream.tap(() =>
        Effect.sync(() => {
          heard = true
        })
      ),
      Stream.catch((error) =>
        Option.match(heard ? Option.none() : waitBefore(error.reason, retries, times), {
          onNone: () => Stream.fail(error),
          onSome: (wait) => Stream.unwrap(Effect.as(Effect.sleep(wait), untilHeard(attempt, times, retries + 1)))
        })
      )
    )
  })

/** Up to the end that the provider names; without one the answer is broken. */
const whole = (spoken: Stream.Stream<Spoken, AiError.AiError>): Stream.Stream<Spoken, AiError.AiError> =>
  Stream.concat(spoken, Stream.suspend(() => Stream.fail(broken()))).pipe(
    Stream.takeUntil(({ type }) => type === "finish")
  )

const framed = (begun: boolean, part: Spoken): readonly [boolean, ReadonlyArray<Response.StreamPartEncoded>] => {
  if (part.type === "finish") return [begun, begun ? [{ type: "text-end", id }, part] : [part]]
  return [true, begun ? [part] : [{ type: "text-start", id }, part]]
}

/**
 * A language model behind a wire format. Every answer is streamed, also one that is wanted whole, so there is one way
 * in which it fails. Failures before the first text are tried again, those after it never.
 */
export const streamingModel = (
  client: HttpClient.HttpClient,
  wire: WireFormat,
  times: ModelTimes
): Effect.Effect<LanguageModel.LanguageModel> => {
  const spoken = (options: LanguageModel.ProviderOptions) =>
    Stream.unwrap(Effect.map(askedOf(options, wire.codecTransformer), (asked) => {
      const attempt = serverEvents(client, wire.request(asked), times).pipe(
        Stream.mapEffect((data) => wire.spoken(data)),
        Stream.flattenIterable,
        whole
      )
      return untilHeard(attempt, times).pipe(
        Stream.interruptWhen(Effect.andThen(Effect.sleep(times.whole), Effect.fail(timedOut())))
      )
    }))
  return LanguageModel.make({
    codecTransformer: wire.codecTransformer,
    streamText: (options) => Stream.mapAccum(spoken(options), () => false, framed),
    generateText: (options) =>
      Effect.map(Stream.runCollect(spoken(options)), (parts) => [
        { type: "text", text: parts.map((part) => part.type === "text-delta" ? part.delta : "").join("") },
        ...parts.filter((part) => part.type === "finish")
      ])
  })
}

/** Decodes the data of an event; malformed where the provider does not document it. */
export const decoding = <A>(schema: Schema.ConstraintDecoder<A>) => {
  const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(schema))
  return (data: string): Effect.Effect<A, AiError.AiError> => Effect.mapError(decode(data), malformed)
}
