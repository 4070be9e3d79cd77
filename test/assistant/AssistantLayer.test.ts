import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Queue } from "effect"
import { AssistantLayer } from "../../src/assistant/AssistantLayer.ts"
import { loadedModules } from "../harness/LoadedModules.ts"
import { answering, anthropicWire, openAiWire, startModelServer } from "../harness/ModelServer.ts"
import { heard, material, passages } from "./providers/model/Questions.ts"

const asked = (variables: Record<string, string>, found: typeof passages = passages) =>
  heard().pipe(Effect.provide(AssistantLayer.pipe(Layer.provide([
    material(() => found),
    ConfigProvider.layer(ConfigProvider.fromUnknown(variables))
  ]))))

describe("the assistant", () => {
  it.effect("is offline where no provider is named", () =>
    Effect.gen(function*() {
      const { code, text } = yield* asked({}, [])
      assert.deepStrictEqual({ code, text }, {
        code: null,
        text: "O material deste curso não responde a essa pergunta."
      })
    }))

  it.effect("is Anthropic's model where that is the provider", () =>
    Effect.gen(function*() {
      const server = yield* startModelServer(answering(anthropicWire, "Sim."))
      const variables = { AI_PROVIDER: "anthropic", ANTHROPIC_API_KEY: "key", AI_BASE_URL: server.base_url }
      assert.strictEqual((yield* asked(variables)).text, "Sim.")
      assert.include((yield* Queue.take(server.asked)).body, `"model":"claude-sonnet-5"`)
    }))

  it.effect("is OpenAI's model where that is the provider, or another of the name given", () =>
    Effect.gen(function*() {
      const server = yield* startModelServer(answering(openAiWire, "Sim."))
      const variables = { AI_PROVIDER: "openai", OPENAI_API_KEY: "key", AI_BASE_URL: `${server.base_url}/v1` }
      assert.strictEqual((yield* asked(variables)).text, "Sim.")
      assert.strictEqual((yield* asked({ ...variables, AI_MODEL: "model-2" })).text, "Sim.")
      const [one, other] = yield* Queue.takeN(server.asked, 2)
      assert.strictEqual(one?.path, "/v1/chat/completions")
      assert.include(one?.body, `"model":"gpt-6-luna"`)
      assert.include(other?.body, `"model":"model-2"`)
    }))

  it.effect("does not start without the key of its provider", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(asked({ AI_PROVIDER: "anthropic", OPENAI_API_KEY: "key" }))
      assert.match(error.message, /^ANTHROPIC_API_KEY: expected a key of anthropic/)
    }))

  it("does not load what speaks with models before one is wanted", () => {
    const loaded = loadedModules(new URL("../../src/assistant/AssistantLayer.ts", import.meta.url))
    assert.include(loaded, "/src/assistant/providers/offline/OfflineAssistant.ts")
    assert.notInclude(loaded, "/src/assistant/providers/model/")
  })
})
