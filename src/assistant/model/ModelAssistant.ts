import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Effect, Layer, Option, Schema, Stream } from "effect"
import { LanguageModel, type Response } from "effect/ai"
import { SecureRandom } from "effect/crypto"
import { waitsOutside } from "../../platform/http/request/OutsideWaits.ts"
import { type AnswerFailed, type AnswerPart, Assistant, type Question, type Reply } from "../Assistant.ts"
import type { Citation } from "../Citation.ts"
import { Material, type Passage } from "../material/Material.ts"
import { noAnswer } from "../NoAnswer.ts"
import { isQuestion } from "../offline/Asking.ts"
import { nothingRead, type Reading, readOn, readOut } from "./AnswerReader.ts"
import type { Piece } from "./Markers.ts"
import { answerFailed, broken } from "./ModelFailure.ts"
import { answerPrompt, replyPrompt } from "./ModelPrompt.ts"
import { citationOf, isSameCitation } from "./Quote.ts"

/** Passages that a model gets to read. */
const mostPassages = 8

const ModelReply = Schema.Struct({
  answer: Schema.String,
  confidence: Schema.Finite,
  quotes: Schema.Array(Schema.Struct({ passage: Schema.Int, text: Schema.String }))
})

const textPart = (text: string): AnswerPart => ({ _tag: "Text", text })

/** What of an answer was read, and what it said so far. */
interface Telling {
  readonly reading: Reading
  readonly citations: ReadonlyArray<Citation>
  readonly has_text: boolean
}

const untold: Telling = { reading: nothingRead, citations: [], has_text: false }

/** Goes on with these pieces: their texts, and the citations that were not there yet and are true. */
const tell = (
  passages: ReadonlyArray<Passage>,
  told: Telling,
  reading: Reading,
  pieces: ReadonlyArray<Piece>
): readonly [Telling, ReadonlyArray<AnswerPart>] => {
  const citations = [...told.citations]
  const parts = pieces.flatMap((piece): ReadonlyArray<AnswerPart> => {
    if (piece._tag === "Text") return [textPart(piece.text)]
    const citation = Option.getOrUndefined(citationOf(passages, piece.quote))
    if (citation === undefined || citations.some((other) => isSameCitation(citation, other))) return []
    citations.push(citation)
    return [{ _tag: "Citation", citation }]
  })
  const has_text = told.has_text || parts.some((part) => part._tag === "Text" && part.text.trim() !== "")
  return [{ reading, citations, has_text }, parts]
}

/** What a model says, as it comes, as an answer: sanitised, its markers turned into citations that were checked. */
const told = (passages: ReadonlyArray<Passage>) => (telling: Telling, part: Response.StreamPart<{}>) =>
  Effect.gen(function*() {
    if (part.type === "text-delta") {
      const [reading, pieces] = readOn(telling.reading, part.delta)
      return tell(passages, telling, reading, pieces)
    }
    if (part.type !== "finish") return [telling, []] as const
    const [last, parts] = tell(passages, telling, nothingRead, readOut(telling.reading))
    if (!last.has_text) return yield* broken()
    // The model had no room left: what is missing is marked.
    return [last, part.reason === "length" ? [...parts, textPart("…")] : parts] as const
  })

const silence = (reason: Extract<Reply, { readonly _tag: "Silence" }>["reason"]): Reply => ({ _tag: "Silence", reason })

const replyOf = (passages: ReadonlyArray<Passage>, said: typeof ModelReply.Type): Reply => {
  const quotes = said.quotes.map((quote): Piece => ({ _tag: "Quote", quote }))
  const [reading, first] = readOn(nothingRead, said.answer)
  const [{ citations }, parts] = tell(passages, untold, nothingRead, [...quotes, ...first, ...readOut(reading)])
  const content = parts.map((part) => part._tag === "Text" ? part.text : "").join("").trim()
  if (content === "" || citations.length === 0) return silence("low_confidence")
  return { _tag: "Answer", content, citations, confidence: Math.min(Math.max(said.confidence, 0), 1) }
}

/**
 * Answers with a language model that reads what the course has on the question, and only that. What is in the
 * material, the question and the history is handed over as data; the model has no tools. A citation is a quote that
 * was found word for word in the passage that the model named.
 */
const layerNoDeps = Layer.effect(
  Assistant,
  Effect.gen(function*() {
    const material = yield* Material
    const model = yield* LanguageModel.LanguageModel
    const random = yield* SecureRandom.SecureRandom

    const boundary = Effect.map(random.randomBytes(12), (bytes) => `~${Buffer.from(bytes).toString("hex")}~`)

    const search = ({ club_id, content, course_id, lesson_id, student_id }: Question, before = "") =>
      material.search({
        club_id,
        course_id,
        lesson_id,
        student_id,
        question: `${before} ${content}`.trim(),
        limit: mostPassages
      })

    // "And the second one?" is only found together with what was asked before it.
    const passagesFor = Effect.fn("ModelAssistant.passagesFor")(function*(question: Question) {
      const found = yield* search(question)
      const before = question.history.findLast(({ role }) => role === "user")
      return found.length > 0 || before === undefined ? found : yield* search(question, before.content)
    })

    const answer = (question: Question): Stream.Stream<AnswerPart, AnswerFailed> =>
      Stream.unwrap(Effect.gen(function*() {
        const passages = yield* passagesFor(question)
        // With nothing to read, the model is not asked.
        if (passages.length === 0) return Stream.succeed(textPart(noAnswer[question.locale]))
        const prompt = answerPrompt({ question, passages, boundary: yield* boundary })
        return model.streamText({ prompt }).pipe(
          Stream.mapAccumEffect(() => untold, told(passages)),
          Stream.catch((error) => Stream.fromEffect(answerFailed(error)))
        )
      })).pipe(Stream.withSpan("ModelAssistant.answer"))

    const reply = Effect.fn("ModelAssistant.reply")(function*(question: Question) {
      if (!isQuestion(question.content)) return silence("not_a_question")
      const passages = yield* passagesFor(question)
      if (passages.length === 0) return silence("no_material")
      const prompt = replyPrompt({ question, passages, boundary: yield* boundary })
      const { value } = yield* Effect.catch(
        waitsOutside(model.generateObject({ prompt, schema: ModelReply, objectName: "reply" })),
        answerFailed
      )
      return replyOf(passages, value)
    })

    return Assistant.of({ answer, reply })
  })
)

/** With random boundaries around the data. */
export const modelAssistantLayer = layerNoDeps.pipe(Layer.provide(NodeCrypto.layerSecureRandom))
