import { Effect, Layer, Option, Redacted, Schema } from "effect"
import { LanguageModel, OpenAiStructuredOutput } from "effect/ai"
import { HttpClient, HttpClientRequest } from "effect/http"
import type { ConfiguredModel } from "../AssistantSettings.ts"
import { contentRefused, statusError } from "./ModelFailure.ts"
import { type ModelTimes, modelTimes } from "./ModelTimes.ts"
import {
  finishParts,
  jsonDecoder,
  type ModelRequest,
  streamingModel,
  textParts,
  type WireFormat
} from "./StreamingModel.ts"

/** In tokens: room for a short answer and for a model's thinking before it. */
const longestAnswer = 4096

const Text = Schema.optional(Schema.NullOr(Schema.String))

const Failure = Schema.Struct({ error: Schema.Struct({ type: Text, code: Schema.optional(Schema.Unknown) }) })

/** A chunk. Those without choices, such as usage and later additions, are ignored. */
const Chunk = Schema.Struct({
  choices: Schema.optional(Schema.Array(Schema.Struct({
    delta: Schema.optional(Schema.Struct({ content: Text, refusal: Text })),
    finish_reason: Text
  })))
})

const eventOf = jsonDecoder(Schema.Union([Failure, Chunk]))

const finishOf = (reason: string) => {
  switch (reason) {
    case "content_filter":
      return Effect.fail(contentRefused())
    case "length":
      return Effect.succeed(finishParts("length"))
    default:
      return Effect.succeed(finishParts("stop"))
  }
}

const partsOf: WireFormat["partsOf"] = Effect.fnUntraced(function*(data) {
  // The last chunk already holds the finish reason. This line only ends the stream.
  if (data === "[DONE]") return []
  const event = yield* eventOf(data)
  if ("error" in event) return yield* statusError(event.error.code === "rate_limit_exceeded" ? 429 : 500, data)
  const choice = event.choices?.[0]
  if (choice === undefined) return []
  if (choice.delta?.refusal) return yield* contentRefused()
  const text = textParts(choice.delta?.content ?? "")
  const reason = choice.finish_reason ?? null
  return reason === null ? text : [...text, ...yield* finishOf(reason)]
})

const bodyOf = (model: string, { format, system, turns }: ModelRequest) => ({
  model,
  max_completion_tokens: longestAnswer,
  stream: true,
  messages: [{ role: "system", content: system }, ...turns],
  ...(Option.isSome(format) && {
    response_format: {
      type: "json_schema",
      json_schema: { name: format.value.name, strict: true, schema: format.value.schema }
    }
  })
})

/**
 * Chat Completions, streamed. Compatible servers speak this and not the newer Responses API. The service does not need
 * the additions of that one (tools, state kept at the provider).
 */
export const openAiLayer = ({ base_url, key, model }: ConfiguredModel, times: ModelTimes = modelTimes) =>
  Layer.effect(
    LanguageModel.LanguageModel,
    Effect.flatMap(HttpClient.HttpClient, (client) =>
      streamingModel(client, {
        codecTransformer: OpenAiStructuredOutput.toCodecOpenAI,
        partsOf,
        request: (request) =>
          HttpClientRequest.post(`${base_url}/chat/completions`).pipe(
            HttpClientRequest.bodyJsonUnsafe(bodyOf(model, request)),
            HttpClientRequest.setHeader("accept", "text/event-stream"),
            HttpClientRequest.bearerToken(Redacted.value(key))
          )
      }, times))
  )
