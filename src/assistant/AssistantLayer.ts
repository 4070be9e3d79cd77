import { Effect, Layer, Option } from "effect"
import { configuredModel } from "./providers/AssistantSettings.ts"
import { OfflineAssistantLayer } from "./providers/offline/OfflineAssistant.ts"

// Imported only with a configured model, because loading it costs time at the start.
const importModelLayer = Effect.promise(() => import("./providers/model/ModelLayer.ts"))

/** The assistant that `AI_PROVIDER` names: a language model, or quotes from the course material. */
export const AssistantLayer = Layer.unwrap(Effect.map(
  configuredModel,
  Option.match({
    onNone: () => OfflineAssistantLayer,
    onSome: (chosen) => Layer.unwrap(Effect.map(importModelLayer, ({ modelLayer }) => modelLayer(chosen)))
  })
))
