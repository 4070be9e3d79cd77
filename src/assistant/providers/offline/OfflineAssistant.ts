import { Effect, Layer, Stream } from "effect"
import type { Citation } from "../../material/search/Citation.ts"
import { Material } from "../../material/search/Material.ts"
import { type AnswerPart, Assistant, type Question } from "../Assistant.ts"
import { isQuestion } from "../isQuestion.ts"
import { noAnswer } from "../NoAnswer.ts"
import { findingIn, type Quote } from "./Answering.ts"

/** How many passages are looked through for sentences. */
const passages = 8

const opening: Record<Question["locale"], string> = {
  "pt-BR": "No material do curso: ",
  "en": "From the course material: "
}

const citationOf = ({ passage, text }: Quote): Citation => ({ ...passage.source, cited_text: text })

// In quotation marks, so that nobody takes what the material says for what the assistant says.
const quoted = ({ text }: Quote, index: number) => `${index === 0 ? "" : " "}“${text}”`

const partsOf = (locale: Question["locale"], quotes: ReadonlyArray<Quote>): ReadonlyArray<AnswerPart> =>
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
 * The assistant without a language model (`AI_PROVIDER=none`): it quotes the sentences of the course material that say
 * most of what is asked, or says that there are none. The same question to the same material has the same answer.
 */
export const OfflineAssistantLayer: Layer.Layer<Assistant, never, Material> = Layer.effect(
  Assistant,
  Effect.gen(function*() {
    const material = yield* Material

    const search = ({ club_id, content, course_id, lesson_id, student_id }: Question) =>
      material.search({ club_id, course_id, lesson_id, student_id, question: content, limit: passages })

    const answer = (question: Question) =>
      Stream.fromIterableEffect(
        Effect.map(search(question), (found) => partsOf(question.locale, findingIn(found).quotes)).pipe(
          Effect.withSpan("OfflineAssistant.answer")
        )
      )

    const reply = Effect.fn("OfflineAssistant.reply")(function*(question: Question) {
      if (!isQuestion(question.content)) return { _tag: "Silence", reason: "not_a_question" } as const
      const found = yield* search(question)
      if (found.length === 0) return { _tag: "Silence", reason: "no_material" } as const
      const { confidence, quotes } = findingIn(found)
      if (quotes.length === 0) return { _tag: "Silence", reason: "low_confidence" } as const
      const content = `${opening[question.locale]}${quotes.map(quoted).join("")}`
      return { _tag: "Answer", content, citations: quotes.map(citationOf), confidence } as const
    })

    return Assistant.of({ answer, reply })
  })
)
