import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Duration, Layer } from "effect"
import type { ConfiguredModel } from "../AssistantSettings.ts"
import { anthropicLayer } from "./Anthropic.ts"
import { ModelAssistantLayer } from "./ModelAssistant.ts"
import { type ModelTimes, modelTimes } from "./ModelTimes.ts"
import { openAiLayer } from "./OpenAi.ts"

const providers = { anthropic: anthropicLayer, openai: openAiLayer } as const

const clientLayer = ({ connect }: ModelTimes) =>
  NodeHttpClient.layerUndiciOptions({ connect: { timeout: Duration.toMillis(connect) } })

/** The assistant that asks this model, over HTTP. */
export const modelLayer = (chosen: ConfiguredModel, times: ModelTimes = modelTimes) =>
  ModelAssistantLayer.pipe(
    Layer.provide(providers[chosen.provider](chosen, times)),
    Layer.provide(clientLayer(times))
  )
