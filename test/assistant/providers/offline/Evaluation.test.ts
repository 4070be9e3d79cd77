import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { Assistant } from "../../../../src/assistant/providers/Assistant.ts"
import { OfflineAssistantLayer } from "../../../../src/assistant/providers/offline/OfflineAssistant.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { MaterialLayer } from "../../material/MaterialLayer.ts"
import { guitar } from "./evaluation/Guitar.ts"
import { guitarQuestions, offGuitar } from "./evaluation/GuitarQuestions.ts"
import { laterGuitarQuestions, laterPhotographyQuestions } from "./evaluation/LaterQuestions.ts"
import { photography } from "./evaluation/Photography.ts"
import { offPhotography, photographyQuestions } from "./evaluation/PhotographyQuestions.ts"
import type { Asked, TaughtLesson } from "./evaluation/Taught.ts"
import { teach } from "./evaluation/Teaching.ts"

const spaced = (text: string) => text.replaceAll(/\s+/g, " ")

/** The result of a question: true if answered, and true if the right sentence answers it. */
const ask = Effect.fnUntraced(function*(
  club: Effect.Success<ReturnType<typeof makeClub>>,
  lessons: Effect.Success<ReturnType<typeof teach>>,
  asked: Asked
) {
  const assistant = yield* Assistant
  // Asks in another lesson than the one with the answer.
  const lesson = lessons.find(({ key }) => key !== asked.answer?.lesson) ?? assert.fail("No lessons")
  const parts = yield* Stream.runCollect(assistant.answer({
    club_id: club.id,
    course_id: lesson.course_id,
    lesson_id: lesson.id,
    lesson_title: lesson.title,
    student_id: null,
    agent_name: "Assistente",
    locale: "pt-BR",
    content: asked.question,
    history: []
  }))
  const cited = parts.flatMap((part) => part._tag === "Citation" ? [part.citation] : [])
  const expected = asked.answer
  const right = expected !== null &&
    cited.some(({ cited_text, lesson_id }) =>
      spaced(cited_text).includes(expected.says) &&
      lessons.some(({ id, key }) => id === lesson_id && key === expected.lesson)
    )
  return { asked, cited, answered: cited.length > 0, right }
})

type Outcome = Effect.Success<ReturnType<typeof ask>>

const share = (part: ReadonlyArray<unknown>, whole: ReadonlyArray<unknown>) => part.length / whole.length

const figuresOf = (outcomes: ReadonlyArray<Outcome>) => {
  const answered = outcomes.filter(({ answered }) => answered)
  const right = outcomes.filter(({ right }) => right)
  const off = outcomes.filter(({ asked }) => asked.answer === null)
  return {
    questions: outcomes.length,
    precision: share(right, answered),
    recall: share(right, outcomes.filter(({ asked }) => asked.answer !== null)),
    off_topic_answered: share(off.filter(({ answered }) => answered), off)
  }
}

/** Each question of this part with a wrong result, and the citations of its answer. */
const wrong = (outcomes: ReadonlyArray<Outcome>, part: string | undefined) =>
  outcomes.filter(({ answered, asked, right }) => asked.part === part && (asked.answer === null ? answered : !right))
    .map(({ asked, cited }) =>
      [asked.answer === null ? "OFF " : "MISS", asked.question, ...cited.map(({ cited_text }) => cited_text)]
        .join(" | ")
    )

const print = (lines: ReadonlyArray<string>) => lines.forEach((line) => process.stdout.write(`${line}\n`))

const EvaluationLayer = OfflineAssistantLayer.pipe(Layer.provideMerge(MaterialLayer))

const evaluate = Effect.fnUntraced(function*(
  lessons: ReadonlyArray<TaughtLesson>,
  questions: ReadonlyArray<Asked>
) {
  const club = yield* makeClub()
  const made = yield* teach(club, lessons)
  return yield* Effect.forEach(questions, (asked) => ask(club, made, asked))
})

layer(EvaluationLayer)("Of questions about two courses", (it) => {
  it.effect("most are answered by the right sentence, and of those off the topic hardly any", () =>
    Effect.gen(function*() {
      const portuguese = yield* evaluate(guitar, [...guitarQuestions, ...offGuitar, ...laterGuitarQuestions])
      const english = yield* evaluate(photography, [
        ...photographyQuestions,
        ...offPhotography,
        ...laterPhotographyQuestions
      ])
      const outcomes = [...portuguese, ...english]
      print(wrong(outcomes, process.env["SHOW_PART"]))
      const figures = {
        tuned: figuresOf(outcomes.filter(({ asked }) => asked.part === "tuned")),
        held: figuresOf(outcomes.filter(({ asked }) => asked.part === "held")),
        later: figuresOf(outcomes.filter(({ asked }) => asked.part === "later")),
        all: figuresOf(outcomes)
      }
      print([`The offline assistant: ${JSON.stringify(figures)}`])
      assert.isAtLeast(figures.all.questions, 40)
      assert.isAtLeast(outcomes.filter(({ asked }) => asked.answer === null).length, 20)
      for (const { off_topic_answered, precision, recall } of Object.values(figures)) {
        assert.isAtLeast(precision, 0.9)
        assert.isAtLeast(recall, 0.8)
        assert.isAtMost(off_topic_answered, 0.05)
      }
    }))
})
