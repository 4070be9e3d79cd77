import { Context, Effect, Layer, Stream } from "effect"
import { RoutesLayer } from "../../../../src/App.ts"
import { Assistant, type Reply } from "../../../../src/assistant/providers/Assistant.ts"
import { Replies } from "../../../../src/assistant/replies/Replies.ts"

/** For each reply that the assistant has thought about the club that it was for, whatever became of it. */
export class ReplyCounter extends Context.Service<ReplyCounter, {
  readonly replies: Array<string>
}>()("test/classroom/crowd/ReplyCounter") {
  static readonly layer = Layer.sync(ReplyCounter, () => ReplyCounter.of({ replies: [] }))
}

const replyTo = (content: string): Reply =>
  content.includes("acorde")
    ? { _tag: "Answer", content: "Tem três dedos.", citations: [], confidence: 1 }
    : { _tag: "Silence", reason: "low_confidence" }

// Whatever becomes of the material meanwhile, it has something to say.
const CountedAssistant = Layer.effect(
  Assistant,
  Effect.map(ReplyCounter, ({ replies }) =>
    Assistant.of({
      answer: () => Stream.empty,
      reply: ({ club_id, content }) =>
        Effect.sync(() => {
          if (!content.includes("?")) return { _tag: "Silence", reason: "not_a_question" }
          replies.push(club_id)
          return replyTo(content)
        })
    }))
).pipe(Layer.provide(ReplyCounter.layer))

/** The routes, with an assistant below comments that counts. */
export const countedRoutes = RoutesLayer
  .pipe(Layer.provide(Layer.fresh(Replies.layer).pipe(Layer.provide(CountedAssistant))))
