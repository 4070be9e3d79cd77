import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Effect, Layer, Option, Schema, Stream } from "effect"
import { LanguageModel, type Response } from "effect/ai"
import { SecureRandom } from "effect/crypto"
import { waitsOutside } from "../../../platform/http/request/OutsideWaits.ts"
import type { StoredCitation } from "../../material/search/Citation.ts"
import { Material, type Passage } from "../../material/search/Material.ts"
import { type AnswerFailed, type AnswerPart, Assistant, type Question, type Reply } from "../Assistant.ts"
import { isQuestion } from "../isQuestion.ts"
import { noAnswer } from "../NoAnswer.ts"
import { initialReaderState, type ReaderState, readNext, readRest } from "./AnswerReader.ts"
import { answerFailed, brokenOff } from "./ModelFailure.ts"
import { answerPrompt, replyPrompt } from "./ModelPrompt.ts"
import { citationOf, isSameCitation } from "./Quote.ts"
import type { AnswerPiece } from "./QuoteMarkers.ts"

/** Number of passages that a model reads. */
const mostPassages = 8

const ModelReply = Schema.Struct({
  answer: Schema.String,
  confidence: Schema.Finite,
  quotes: Schema.Array(Schema.Struct({ passage: Schema.Int, text: Schema.String }))
})

const textPart = (text: string): AnswerPart => ({ _tag: "Text", text })

/** The read part of an answer, and its text so far. */
interface AnswerProgress {
  readonly reader: ReaderState
  readonly citations: ReadonlyArray<StoredCitation>
  readonly has_text: boolean
}

const initialProgress: AnswerProgress = { reader: initialReaderState, citations: [], has_text: false }

/** Adds these pieces: their texts, and the new citations that their passage contains. */
const withPieces = (
  passages: ReadonlyArray<Passage>,
  progress: AnswerProgress,
  reader: ReaderState,
  pieces: ReadonlyArray<AnswerPiece>
): readonly [AnswerProgress, ReadonlyArray<AnswerPart>] => {
  const citations = [...progress.citations]
  const parts = pieces.flatMap((piece): ReadonlyArray<AnswerPart> => {
    if (piece._tag === "Text") return [textPart(piece.text)]
    const citation = Option.getOrUndefined(citationOf(passages, piece.quote))
    if (citation === undefined || citations.some((other) => isSameCitation(citation, other))) return []
    citations.push(citation)
    return [{ _tag: "Citation", citation }]
  })
  const has_text = progress.has_text || parts.some((part) => part._tag === "Text" && part.text.trim() !== "")
  return [{ reader, citations, has_text }, parts]
}

/** The stream of a model as parts of an answer: sanitized, its markers turned into checked citations. */
const answerParts = (passages: ReadonlyArray<Passage>) => (progress: AnswerProgress, part: Response.StreamPart<{}>) =>
  Effect.gen(function*() {
    if (part.type === "text-delta") {
      const [reader, pieces] = readNext(progress.reader, part.delta)
      return withPieces(passages, progress, reader, pieces)
    }
    if (part.type !== "finish") return [progress, []] as const
    const [last, parts] = withPieces(passages, progress, initialReaderState, readRest(progress.reader))
    if (!last.has_text) return yield* brokenOff()
    // The model reached its limit of tokens: an ellipsis marks the missing end.
    return [last, part.reason === "length" ? [...parts, textPart("…")] : parts] as const
  })

const silence = (reason: Extract<Reply, { readonly _tag: "Silence" }>["reason"]): Reply => ({ _tag: "Silence", reason })

const replyOf = (passages: ReadonlyArray<Passage>, reply: typeof ModelReply.Type): Reply => {
  const quotes = reply.quotes.map((quote): AnswerPiece => ({ _tag: "Quote", quote }))
  const [reader, first] = readNext(initialReaderState, reply.answer)
  const [{ citations }, parts] = withPieces(passages, initialProgress, initialReaderState, [
    ...quotes,
    ...first,
    ...readRest(reader)
  ])
  const content = parts.map((part) => part._tag === "Text" ? part.text : "").join("").trim()
  if (content === "" || citations.length === 0) return silence("low_confidence")
  return { _tag: "Answer", content, citations, confidence: Math.min(Math.max(reply.confidence, 0), 1) }
}

/**
 * Answers with a language model that reads the passages found for the question and nothing else. Material, question and
 * history are handed over as data; the model has no tools. A citation is a quote that was found word for word in the
 * passage that the model named.
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

    // A question like "And the second one?" only finds something together with the question before it.
    const passagesFor = Effect.fn("ModelAssistant.passagesFor")(function*(question: Question) {
      const found = yield* search(question)
      const before = question.history.findLast(({ role }) => role === "user")
      return found.length > 0 || before === undefined ? found : yield* search(question, before.content)
    })

    const answer = (question: Question): Stream.Stream<AnswerPart, AnswerFailed> =>
      Stream.unwrap(Effect.gen(function*() {
        const passages = yield* passagesFor(question)
        // Without passages the model is not asked.
        if (passages.length === 0) return Stream.succeed(textPart(noAnswer[question.locale]))
        const prompt = answerPrompt({ question, passages, boundary: yield* boundary })
        return model.streamText({ prompt }).pipe(
          Stream.mapAccumEffect(() => initialProgress, answerParts(passages)),
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

/** The assistant that asks a language model. The random numbers make the boundaries around the data of a prompt. */
export const ModelAssistantLayer = layerNoDeps.pipe(Layer.provide(NodeCrypto.layerSecureRandom))
