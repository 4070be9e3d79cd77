import { Context, Effect, Layer, Stream } from "effect"
import { RoutesLayer } from "../../../../src/App.ts"
import { Assistant, type Reply } from "../../../../src/assistant/providers/Assistant.ts"
import { Replies } from "../../../../src/assistant/replies/Replies.ts"

/** The club of each reply that the assistant has generated, whatever happened to the reply later. */
export class ReplyCounter extends Context.Service<ReplyCounter, {
  readonly replies: Array<string>
}>()("test/classroom/crowd/ReplyCounter") {
  static readonly layer = Layer.sync(ReplyCounter, () => ReplyCounter.of({ replies: [] }))
}

const replyTo = (content: string): Reply =>
  content.includes("acorde")
    ? { _tag: "Answer", content: "Tem três dedos.", citations: [], confidence: 1 }
    : { _tag: "Silence", reason: "low_confidence" }

// It can reply even if the material changes meanwhile.
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

/** The routes, with an assistant that counts its replies to comments. */
export const countedRoutes = RoutesLayer
  .pipe(Layer.provide(Layer.fresh(Replies.layer).pipe(Layer.provide(CountedAssistant))))
