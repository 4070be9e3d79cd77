import { assert } from "@effect/vitest"
import { Context, Deferred, type Duration, Effect, type Fiber, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { RoutesLayer } from "../../src/App.ts"
import { Answers } from "../../src/assistant/ask/answers/Answers.ts"
import type { StoredCitation } from "../../src/assistant/material/search/Citation.ts"
import {
  AnswerFailed,
  type AnswerPart,
  Assistant,
  type Question,
  type Reply
} from "../../src/assistant/providers/Assistant.ts"
import { Replies } from "../../src/assistant/replies/Replies.ts"
import { LessonId } from "../../src/learning/content/Lesson.ts"
import { appLayer, at, enrolledStudent, foundClub, send } from "../harness/App.ts"
import { eventually } from "../harness/Eventually.ts"
import {
  type MadeLesson,
  makeCatalogDelivery,
  makeCourse,
  makeEnrollment,
  makeItem,
  makeLesson,
  makeModule
} from "../harness/Makers.ts"

type Answer = Stream.Stream<AnswerPart, AnswerFailed>
type Replied = Effect.Effect<Reply, AnswerFailed>

/** The scripted assistant: its answers by the question's content, and the questions that it got. */
export class Script extends Context.Service<Script, {
  readonly asked: Array<Question>
  readonly answers: Map<string, Answer>
  readonly replies: Map<string, Replied>
}>()("test/assistant/Script") {
  static readonly layer = Layer.sync(
    Script,
    () => Script.of({ asked: [], answers: new Map(), replies: new Map() })
  )
}

export const text = (text: string): AnswerPart => ({ _tag: "Text", text })

export const citation: StoredCitation = {
  cited_text: "O acorde de dó maior",
  source_id: "0190a000-0000-7000-8000-000000000001",
  source_kind: "lesson",
  source_title: "O primeiro acorde",
  media_id: null,
  lesson_id: LessonId.make("0190a000-0000-7000-8000-000000000002"),
  page_from: null,
  page_to: null,
  seconds: null
}

/** The same as its student reads it: the club has no such lesson. */
export const shownCitation = { ...citation, lesson_public_id: null }

const usualAnswer: Answer = Stream.make(text("Com três dedos."), { _tag: "Citation", citation })
const usualReply: Replied = Effect.succeed({
  _tag: "Answer",
  content: "Com três dedos.",
  citations: [citation],
  confidence: 0.9
})

const ScriptedAssistant = Layer.effect(
  Assistant,
  Effect.map(Script, ({ answers, asked, replies }) =>
    Assistant.of({
      answer: (question) =>
        Stream.suspend(() => {
          asked.push(question)
          return answers.get(question.content) ?? usualAnswer
        }),
      reply: (question) =>
        Effect.suspend(() => {
          asked.push(question)
          return replies.get(question.content) ?? usualReply
        })
    }))
).pipe(Layer.provide(Script.layer))

/** The answers of a worker, from the scripted assistant. */
const AnswersLayer = Answers.layer.pipe(Layer.provide(ScriptedAssistant))

// A fresh layer, because the one among the services has the services' assistant.
const routes = RoutesLayer.pipe(Layer.provide(Layer.fresh(Replies.layer).pipe(Layer.provide(ScriptedAssistant))))

/** The whole application with the scripted assistant. It has no worker: `work` takes its place. */
export const worldLayer = (variables: Record<string, string> = {}) =>
  AnswersLayer.pipe(Layer.provideMerge(appLayer(variables, { routes })), Layer.provideMerge(Script.layer))

export const WorldLayer = worldLayer()

/** Answers everything that waits, all at once, as a worker does. */
export const work = Effect.gen(function*() {
  const answers = yield* Answers
  const claimed = yield* answers.claim(1000)
  yield* Effect.forEach(claimed, answers.generate, { concurrency: "unbounded", discard: true })
})

/** A live lesson of a course in a delivery of the club. */
export const makeTaughtLesson = Effect.fnUntraced(function*(club: Parameters<typeof makeCourse>[0]) {
  const course = yield* makeCourse(club)
  const lesson = yield* makeLesson(club, yield* makeModule(club, course))
  const delivery = yield* makeCatalogDelivery(club)
  yield* makeItem(club, delivery, { kind: "course", id: course.id })
  return { lesson, delivery, course }
})

/** A student who has the lesson. */
export const makeLearner = Effect.fnUntraced(function*(
  club: Parameters<typeof enrolledStudent>[0],
  delivery: Parameters<typeof makeEnrollment>[2]
) {
  const student = yield* enrolledStudent(club)
  yield* makeEnrollment(club, student, delivery)
  return student
})

/** A club with a lesson and a student who has it. */
export const classroom = Effect.gen(function*() {
  const club = yield* foundClub()
  const { course, delivery, lesson } = yield* makeTaughtLesson(club)
  return { club, course, delivery, lesson, student: yield* makeLearner(club, delivery) }
})
export type Classroom = Effect.Success<typeof classroom>

interface Place {
  readonly club: { readonly path: string }
  readonly lesson: Pick<MadeLesson, "public_id">
  readonly student: { readonly token: string }
}

export const askPath = ({ club, lesson }: Pick<Place, "club" | "lesson">) =>
  `${club.path}/classroom/lessons/${lesson.public_id}/ask`

/** Asks a question, with more fields in the body. */
export const ask = (place: Place, content = "Como toco dó maior?", more = {}, headers = {}) =>
  send("POST", askPath(place), { token: place.student.token, body: { content, ...more }, headers })

export const state = (place: Place) => send("GET", askPath(place), { token: place.student.token })

export const messagePath = ({ club }: Pick<Place, "club">, id: unknown) =>
  `${club.path}/classroom/ask/messages/${String(id)}`

export const message = (place: Pick<Place, "club" | "student">, id: unknown) =>
  send("GET", messagePath(place, id), { token: place.student.token })

export const cancel = (place: Pick<Place, "club" | "student">, id: unknown) =>
  send("POST", `${messagePath(place, id)}/cancel`, { token: place.student.token })

/** Asks a question. Answers the id of the reply. */
export const replyTo = (place: Place, content?: string) =>
  Effect.map(ask(place, content), ({ json }) => String(at(json, "data", "reply", "id")))

/** Changes the club's agent. */
export const patchAgent = Effect.fnUntraced(function*(
  { path, token }: { readonly path: string; readonly token: string },
  patch: object
) {
  const { json } = yield* send("GET", `${path}/agents`, { token })
  return yield* send("PATCH", `${path}/agents/${at(json, "data", 0, "id")}`, { token, body: patch })
})

/** The usage of the student over all days, and of the club over all months. */
export const used = Effect.fnUntraced(function*({ club, student }: {
  readonly club: { readonly id: string }
  readonly student: { readonly id: string }
}) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`
    select
      (select coalesce(sum(used), 0)::int from assistant_days where student_id = ${student.id}) as day,
      (select coalesce(sum(used), 0)::int from assistant_months where club_id = ${club.id}) as month`
  return [row?.["day"], row?.["month"]]
})

/** Status, content and error of a message. */
export const seen = (place: Pick<Place, "club" | "student">, id: string) =>
  Effect.map(
    message(place, id),
    ({ json }) => ["status", "content", "error_code"].map((field) => at(json, "data", field))
  )

/** Makes the assistant give this answer to this content. */
export const say = (content: string, answer: Answer) =>
  Effect.map(Script, ({ answers }) => void answers.set(content, answer))

/** Makes the assistant begin an answer to this content, and say nothing. Answers an effect that waits for its start. */
export const sayNothing = Effect.fnUntraced(function*(content: string) {
  const begun = yield* Deferred.make<void>()
  yield* say(content, Stream.fromEffect(Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)))
  return Deferred.await(begun)
})

/** Waits until this work ends. The clock moves by `pass` at each look. */
export const untilEnded = <A, E>(work: Fiber.Fiber<A, E>, pass: Duration.Input) =>
  eventually(
    Effect.andThen(TestClock.adjust(pass), Effect.sync(() => work.pollUnsafe())),
    (exit) => exit !== undefined
  )

export const fails = (code: AnswerFailed["code"]) => Stream.fail(new AnswerFailed({ code }))

/** Claims everything that waits, without working on it. */
export const claimAll = Effect.flatMap(Answers, (answers) => answers.claim(1000))

export const claimOf = (id: string) =>
  Effect.map(claimAll, (claimed) => claimed.find((one) => one.id === id) ?? assert.fail("Nothing was claimed"))

export const generate = (claimed: Effect.Success<ReturnType<typeof claimOf>>) =>
  Effect.flatMap(Answers, (answers) => answers.generate(claimed))
