import { Effect, Layer, Stream } from "effect"
import { citing, Material } from "../../material/search/Material.ts"
import { type AnswerPart, Assistant, type Question } from "../Assistant.ts"
import { isQuestion } from "../isQuestion.ts"
import { noAnswer } from "../NoAnswer.ts"
import { bestQuotes, type SentenceQuote } from "./BestQuotes.ts"

/** Number of passages searched for sentences. */
const mostPassages = 8

const opening: Record<Question["locale"], string> = {
  "pt-BR": "No material do curso: ",
  "en": "From the course material: "
}

const citationOf = ({ passage, text }: SentenceQuote) => citing(passage, text)

// In quotation marks, so that nobody takes the material's words for the assistant's own.
const quoted = ({ text }: SentenceQuote, index: number) => `${index === 0 ? "" : " "}“${text}”`

const partsOf = (locale: Question["locale"], quotes: ReadonlyArray<SentenceQuote>): ReadonlyArray<AnswerPart> =>
  quotes.length === 0
    ? [{ _tag: "Text", text: noAnswer[locale] }]
    : [
      { _tag: "Text", text: opening[locale] },
      ...quotes.flatMap((quote, index): ReadonlyArray<AnswerPart> => [
        { _tag: "Text", text: quoted(quote, index) },
        { _tag: "Citation", citation: citationOf(quote) }
      ])
    ]

/**
 * The assistant without a language model (`AI_PROVIDER=none`). It quotes the sentences of the course material that
 * match the question best, or says that no sentence does. The same question to the same material has the same answer.
 */
export const OfflineAssistantLayer: Layer.Layer<Assistant, never, Material> = Layer.effect(
  Assistant,
  Effect.gen(function*() {
    const material = yield* Material

    const search = ({ club_id, content, course_id, lesson_id, student_id }: Question) =>
      material.search({ club_id, course_id, lesson_id, student_id, question: content, limit: mostPassages })

    const answer = (question: Question) =>
      Stream.fromIterableEffect(Effect.map(search(question), (passages) =>
        partsOf(question.locale, bestQuotes(passages).quotes)).pipe(Effect.withSpan("OfflineAssistant.answer")))

    const reply = Effect.fn("OfflineAssistant.reply")(function*(question: Question) {
      if (!isQuestion(question.content)) return { _tag: "Silence", reason: "not_a_question" } as const
      const passages = yield* search(question)
      if (passages.length === 0) return { _tag: "Silence", reason: "no_material" } as const
      const { confidence, quotes } = bestQuotes(passages)
      if (quotes.length === 0) return { _tag: "Silence", reason: "low_confidence" } as const
      const content = `${opening[question.locale]}${quotes.map(quoted).join("")}`
      return { _tag: "Answer", content, citations: quotes.map(citationOf), confidence } as const
    })

    return Assistant.of({ answer, reply })
  })
)
