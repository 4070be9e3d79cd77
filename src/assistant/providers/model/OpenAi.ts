import { Effect, Layer, Option, Redacted, Schema } from "effect"
import { LanguageModel, OpenAiStructuredOutput } from "effect/ai"
import { HttpClient, HttpClientRequest } from "effect/http"
import type { ChosenModel } from "../AssistantSettings.ts"
import { refusalOf, refused } from "./ModelFailure.ts"
import { type ModelTimes, modelTimes } from "./ModelTimes.ts"
import { type Asked, decoding, finished, said, streamingModel, type WireFormat } from "./StreamingModel.ts"

/** Room for a short answer, and for what a model thinks before it. */
const longestAnswer = 4096

const Text = Schema.optional(Schema.NullOr(Schema.String))

const Failure = Schema.Struct({ error: Schema.Struct({ type: Text, code: Schema.optional(Schema.Unknown) }) })

/** A chunk. Those without choices (usage, what is added one day) say nothing. */
const Chunk = Schema.Struct({
  choices: Schema.optional(Schema.Array(Schema.Struct({
    delta: Schema.optional(Schema.Struct({ content: Text, refusal: Text })),
    finish_reason: Text
  })))
})

const eventOf = decoding(Schema.Union([Failure, Chunk]))

const ended = (reason: string) => {
  switch (reason) {
    case "content_filter":
      return Effect.fail(refused())
    case "length":
      return Effect.succeed(finished("length"))
    default:
      return Effect.succeed(finished("stop"))
  }
}

const spoken: WireFormat["spoken"] = Effect.fnUntraced(function*(data) {
  // The end is in the last chunk; this only says that nothing follows.
  if (data === "[DONE]") return []
  const event = yield* eventOf(data)
  if ("error" in event) return yield* refusalOf(event.error.code === "rate_limit_exceeded" ? 429 : 500, data)
  const choice = event.choices?.[0]
  if (choice === undefined) return []
  if (choice.delta?.refusal) return yield* refused()
  const text = said(choice.delta?.content ?? "")
  const reason = choice.finish_reason ?? null
  return reason === null ? text : [...text, ...yield* ended(reason)]
})

const bodyOf = (model: string, { format, system, turns }: Asked) => ({
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
 * Chat Completions, streamed. Not the newer Responses API: nothing of what that adds (tools, state kept at the
 * provider) is wanted here, and the servers that call themselves compatible speak this one.
 */
export const openAiLayer = ({ base_url, key, model }: ChosenModel, times: ModelTimes = modelTimes) =>
  Layer.effect(
    LanguageModel.LanguageModel,
    Effect.flatMap(HttpClient.HttpClient, (client) =>
      streamingModel(client, {
        codecTransformer: OpenAiStructuredOutput.toCodecOpenAI,
        spoken,
        request: (asked) =>
          HttpClientRequest.post(`${base_url}/chat/completions`).pipe(
            HttpClientRequest.bodyJsonUnsafe(bodyOf(model, asked)),
            HttpClientRequest.setHeader("accept", "text/event-stream"),
            HttpClientRequest.bearerToken(Redacted.value(key))
          )
      }, times))
  )
