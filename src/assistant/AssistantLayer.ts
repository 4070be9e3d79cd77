import { Effect, Layer, Option } from "effect"
import { chosenModel } from "./providers/AssistantSettings.ts"
import { OfflineAssistantLayer } from "./providers/offline/OfflineAssistant.ts"

// Read only where it is wanted: without a model, nothing of this costs time at the start.
const modelsLayer = Effect.promise(() => import("./providers/model/ModelLayer.ts"))

/** Who answers, as `AI_PROVIDER` says: a language model, or the course material itself. */
export const AssistantLayer = Layer.unwrap(Effect.map(
  chosenModel,
  Option.match({
    onNone: () => OfflineAssistantLayer,
    onSome: (chosen) => Layer.unwrap(Effect.map(modelsLayer, ({ modelLayer }) => modelLayer(chosen)))
  })
))
