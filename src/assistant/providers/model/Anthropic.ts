import { Effect, Layer, Option, Redacted, Schema } from "effect"
import { AnthropicStructuredOutput, LanguageModel } from "effect/ai"
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

const TextDelta = Schema.Struct({ type: Schema.tag("text_delta"), text: Schema.String })

const OtherDelta = Schema.Struct({
  type: Schema.String.check(Schema.makeFilter((type) => type !== "text_delta"))
})

const known = new Set(["content_block_delta", "message_delta", "error"])

/** The events that matter, by `type`. Pings, starts, stops and types added later are ignored. */
const Event = Schema.Union([
  Schema.Struct({ type: Schema.tag("content_block_delta"), delta: Schema.Union([TextDelta, OtherDelta]) }),
  Schema.Struct({
    type: Schema.tag("message_delta"),
    delta: Schema.Struct({ stop_reason: Schema.optional(Schema.NullOr(Schema.String)) })
  }),
  Schema.Struct({ type: Schema.tag("error"), error: Schema.Struct({ type: Schema.String }) }),
  Schema.Struct({ type: Schema.String.check(Schema.makeFilter((type) => !known.has(type))) })
])

const eventOf = jsonDecoder(Event)

// An error within a stream has no status, only a name; the provider documents the status for each name.
const statuses: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529
}

const finishOf = (reason: string) => {
  switch (reason) {
    case "refusal":
      return Effect.fail(contentRefused())
    case "max_tokens":
    case "model_context_window_exceeded":
      return Effect.succeed(finishParts("length"))
    default:
      return Effect.succeed(finishParts("stop"))
  }
}

const partsOf: WireFormat["partsOf"] = Effect.fnUntraced(function*(data) {
  const event = yield* eventOf(data)
  if ("error" in event) return yield* statusError(statuses[event.error.type] ?? 500, "")
  if (!("delta" in event)) return []
  const { delta } = event
  if ("text" in delta) return textParts(delta.text)
  const reason = "stop_reason" in delta ? delta.stop_reason : undefined
  return reason === undefined || reason === null ? [] : yield* finishOf(reason)
})

const bodyOf = (model: string, { format, system, turns }: ModelRequest) => ({
  model,
  max_tokens: longestAnswer,
  stream: true,
  system,
  messages: turns,
  ...(Option.isSome(format) && { output_config: { format: { type: "json_schema", schema: format.value.schema } } })
})

/** The Messages API of Anthropic, version 2023-06-01, streamed. */
export const anthropicLayer = ({ base_url, key, model }: ConfiguredModel, times: ModelTimes = modelTimes) =>
  Layer.effect(
    LanguageModel.LanguageModel,
    Effect.flatMap(HttpClient.HttpClient, (client) =>
      streamingModel(client, {
        codecTransformer: AnthropicStructuredOutput.toCodecAnthropic,
        partsOf,
        request: (request) =>
          HttpClientRequest.post(`${base_url}/v1/messages`).pipe(
            HttpClientRequest.bodyJsonUnsafe(bodyOf(model, request)),
            HttpClientRequest.setHeaders({
              accept: "text/event-stream",
              "anthropic-version": "2023-06-01",
              "x-api-key": Redacted.value(key)
            })
          )
      }, times))
  )
