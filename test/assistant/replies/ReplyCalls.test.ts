import { assert, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Logger, Queue } from "effect"
import { MaterialIndex } from "../../../src/assistant/material/MaterialIndex.ts"
import { appLayer, at, send } from "../../harness/App.ts"
import { startModelServer } from "../../harness/ModelServer.ts"
import { indexAll } from "../material/MaterialLayer.ts"
import { type Classroom, classroom, patchAgent, used } from "../World.ts"

type Server = Effect.Success<ReturnType<typeof startModelServer>>

/** A provider that never answers. */
class Provider extends Context.Service<Provider, Server>()("test/assistant/Provider") {
  static readonly layer = Layer.effect(Provider, startModelServer({ end: "silent" }))
}

const app = (base_url: string) =>
  appLayer({ AI_PROVIDER: "openai", OPENAI_API_KEY: "not-a-real-key", AI_BASE_URL: base_url })

/** The whole application, with a model at that provider. */
const ModelLayer = MaterialIndex.layer.pipe(
  Layer.provideMerge(Layer.unwrap(Effect.map(Provider, ({ base_url }) => app(base_url)))),
  Layer.provideMerge(Provider.layer),
  Layer.provide(Logger.layer([]))
)

/** A student's question that the lesson answers. */
const makeQuestion = Effect.fnUntraced(function*({ club, lesson, student }: Classroom) {
  const body = { body: "Como se toca o acorde de dó maior?" }
  const path = `${club.path}/classroom/lessons/${lesson.public_id}/comments`
  const { json } = yield* send("POST", path, { token: student.token, body })
  return String(at(json, "data", "id"))
})

layer(ModelLayer, { excludeTestServices: true })(
  "A reply that nobody waits for any more",
  (it) => {
    it.effect("is given up, and paid each time: the model is called as often as the club has units", () =>
      Effect.gen(function*() {
        const place = yield* classroom
        const { path, token } = place.club
        const text = { kind: "text", body: "O acorde de dó maior se toca com três dedos." }
        yield* send("POST", `${path}/lessons/${place.lesson.id}/blocks`, { token, body: text })
        yield* indexAll
        yield* patchAgent(place.club, { monthly_budget: 3 })
        const provider = yield* Provider
        const ask = send("POST", `${path}/comments/${yield* makeQuestion(place)}/assistant-reply`, { token })
        for (let n = 1; n <= 3; n++) {
          const asking = yield* Effect.forkChild(ask)
          yield* Queue.take(provider.asked)
          assert.deepStrictEqual(yield* used(place), [0, n])
          yield* Fiber.interrupt(asking)
          yield* Queue.take(provider.hungUp)
        }
        const answer = yield* ask
        assert.deepStrictEqual([answer.status, at(answer.json, "data", "reason")], [200, "budget_exhausted"])
        assert.deepStrictEqual(yield* used(place), [0, 3])
        assert.strictEqual(yield* provider.count, 3)
      }))
  }
)
