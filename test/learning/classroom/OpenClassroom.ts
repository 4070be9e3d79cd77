import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Events } from "../../../src/events/Events.ts"
import { EventSources } from "../../../src/events/EventSources.ts"
import { Outbox } from "../../../src/events/Outbox.ts"
import { StudentErasers } from "../../../src/identity/erasure/StudentErasers.ts"
import type { ClubId } from "../../../src/identity/ids/ClubId.ts"
import type { StudentId } from "../../../src/identity/ids/StudentId.ts"
import { classroomEraser } from "../../../src/learning/classroom/ClassroomEraser.ts"
import { classroomEvents } from "../../../src/learning/classroom/ClassroomEvents.ts"
import { ClassroomLessons } from "../../../src/learning/classroom/ClassroomLessons.ts"
import { Completions } from "../../../src/learning/classroom/Completions.ts"
import { Positions } from "../../../src/learning/classroom/Positions.ts"
import { QuizAttempts } from "../../../src/learning/classroom/QuizAttempts.ts"
import { Reviews } from "../../../src/learning/classroom/Reviews.ts"
import { Submissions } from "../../../src/learning/classroom/Submissions.ts"
import type { LessonId } from "../../../src/learning/content/Lesson.ts"
import { Gamifications } from "../../../src/learning/gamification/Gamifications.ts"
import { Attachments } from "../../../src/learning/media/Attachments.ts"
import { OwnNotifications } from "../../../src/membership/notifications/OwnNotifications.ts"
import { Removal } from "../../../src/membership/students/Removal.ts"
import { studentEvents } from "../../../src/membership/students/StudentEvents.ts"
import { WebhookErasureLayer } from "../../../src/webhooks/engine/retention/WebhookErasure.ts"
import { outboxOf } from "../../events/EventsLayer.ts"
import {
  makeBlock,
  makeCatalogDelivery,
  makeClub,
  makeCourse,
  makeEnrollment,
  makeItem,
  makeLesson,
  makeModule,
  makeStudent
} from "../../harness/Makers.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"

/** The classroom and the removal of students, on their own database and without media. */
export const ClassroomLayer = Layer.mergeAll(
  ClassroomLessons.layer,
  Completions.layer,
  Positions.layer,
  QuizAttempts.layer,
  Reviews.layer,
  Submissions.layer,
  Gamifications.layer,
  OwnNotifications.layer,
  Removal.layer
).pipe(
  Layer.provideMerge(StudentErasers.layer([classroomEraser])),
  Layer.provideMerge(Layer.merge(Events.layer, Outbox.layer)),
  Layer.provideMerge(EventSources.layer([classroomEvents, studentEvents])),
  Layer.provideMerge(Layer.merge(
    WebhookErasureLayer,
    Layer.mock(Attachments, { check: () => Effect.void, shown: () => Effect.succeed(new Map()) })
  )),
  Layer.provideMerge(PostgresLayer)
)

/** A course of live lessons, two in each module, in its own delivery. */
export const makeTaughtCourse = Effect.fn("makeTaughtCourse")(function*(club: { readonly id: ClubId }, count = 2) {
  const course = yield* makeCourse(club)
  const modules = yield* Effect.forEach(
    Array.from({ length: Math.ceil(count / 2) }, (_, n) => n),
    (n) => makeModule(club, course, { title: `Módulo ${n + 1}`, position: n + 1 })
  )
  const lessons = yield* Effect.forEach(
    modules.flatMap((module) => [module, module]).slice(0, count),
    (module, n) => makeLesson(club, module, { title: `Aula ${n + 1}`, position: n + 1 })
  )
  const delivery = yield* makeCatalogDelivery(club)
  yield* makeItem(club, delivery, { kind: "course", id: course.id })
  return { course, modules, lessons, delivery }
})

/** The fields in the classroom of a course that has a title alone and that the student has. */
export const bareCourse = {
  subtitle: null,
  description: null,
  instructor_name: null,
  cover_media_id: null,
  cover: null,
  locked: null
}

/** A club with its first rules, a course of two lessons, and a student with this course. */
export const openClassroom = Effect.fn("openClassroom")(function*(count = 2) {
  const club = yield* makeClub()
  yield* Gamifications.use((gamifications) => gamifications.open(club.id, "en"))
  const taught = yield* makeTaughtCourse(club, count)
  const student = yield* makeStudent(club)
  yield* makeEnrollment(club, student, taught.delivery)
  return { club, student, ...taught }
})

/** Sets the moment from which a lesson is live; null makes it a draft. */
export const publish = Effect.fnUntraced(function*(
  club: { readonly id: ClubId },
  { id }: { readonly id: LessonId },
  published_at: DateTime.Utc | null
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    update lessons set published_at = ${published_at && DateTime.toDateUtc(published_at)}
    where club_id = ${club.id} and id = ${id}`
})

/** Ends every access of the student. */
export const endAccess = Effect.fnUntraced(function*(
  club: { readonly id: ClubId },
  { id }: { readonly id: StudentId }
) {
  const sql = yield* SqlClient.SqlClient
  const now = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`
    update enrollments set revoked_at = ${now}, revoke_reason = 'manual'
    where club_id = ${club.id} and student_id = ${id}`
})

/** A student, and lessons of their course. */
interface OpenedClassroom {
  readonly club: { readonly id: ClubId }
  readonly student: { readonly id: StudentId }
  readonly lessons: ReadonlyArray<{ readonly id: LessonId; readonly public_id: string }>
}

/** The student completes lesson `n`. */
export const complete = ({ club, lessons, student }: OpenedClassroom, n: number) =>
  Completions.use((completions) => completions.complete(club.id, student.id, lessons[n]?.public_id ?? ""))

/** The student undoes the completion of lesson `n`. */
export const undo = ({ club, lessons, student }: OpenedClassroom, n: number) =>
  Completions.use((completions) => completions.undo(club.id, student.id, lessons[n]?.public_id ?? ""))

/** The club or the student to use in the request, if it is another one. */
type Instead = Partial<Pick<OpenedClassroom, "club" | "student">>

const publishAll = ({ club, lessons }: OpenedClassroom, at: DateTime.Utc | null) =>
  Effect.orDie(Effect.as(Effect.forEach(lessons, (lesson) => publish(club, lesson, at)), {}))

/** The reasons for which a student cannot reach a lesson and its content. */
export const inaccessible: ReadonlyArray<
  readonly [string, (room: OpenedClassroom) => Effect.Effect<Instead, never, SqlClient.SqlClient>]
> = [
  ["another club's", () => Effect.orDie(Effect.map(makeClub(), (club) => ({ club })))],
  [
    "of a course that the student does not have",
    ({ club }) => Effect.orDie(Effect.map(makeStudent(club), (student) => ({ student })))
  ],
  ["of a course that the student had", ({ club, student }) => Effect.orDie(Effect.as(endAccess(club, student), {}))],
  ["a draft's", (room) => publishAll(room, null)],
  [
    "of a lesson that is scheduled",
    (room) => Effect.flatMap(DateTime.now, (now) => publishAll(room, DateTime.add(now, { seconds: 1 })))
  ]
]

const Entry = Schema.Struct({ action: Schema.String, origin_id: Schema.String, points: Schema.Int })
const decodeEntries = Schema.decodeUnknownEffect(Schema.Array(Entry))

/** The points that the student earned, oldest first. */
export const paidTo = Effect.fnUntraced(function*(club: { readonly id: ClubId }, { id }: { readonly id: StudentId }) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select action, origin_id, points from point_entries where club_id = ${club.id} and student_id = ${id} order by id`
  return (yield* decodeEntries(rows)).map(({ action, origin_id, points }) => [action, origin_id, points] as const)
})

/** The recorded events of the club in order: their types, and the lesson or course of each. */
export const recordedEvents = Effect.fnUntraced(function*(club: { readonly id: ClubId }) {
  const ids = Schema.decodeUnknownSync(Schema.Struct({
    lesson_id: Schema.optionalKey(Schema.String),
    course_id: Schema.optionalKey(Schema.String)
  }))
  return (yield* outboxOf(club)).map(({ subject, type }) => {
    const { course_id, lesson_id } = ids(subject)
    return [type, lesson_id ?? course_id] as const
  })
})

const questionId = (n: number) => `0190a000-0000-7000-8000-a${String(n).padStart(11, "0")}`
const optionId = (n: number, m: number) => `0190a000-0000-7000-8000-b${String(n * 10 + m).padStart(11, "0")}`

/** The answer to question `n` with option `m` of a quiz of `makeQuiz`. */
export const answer = (n: number, m: number) => ({ question_id: questionId(n), option_id: optionId(n, m) })

/** A quiz of two questions with two options each. The first option is correct, and one right answer passes. */
export const makeQuiz = (club: { readonly id: ClubId }, lesson: { readonly id: LessonId }, pass_percent = 50) =>
  makeBlock(club, lesson, {
    kind: "quiz",
    pass_percent,
    questions: [0, 1].map((n) => ({
      id: questionId(n),
      text: `Pergunta ${n + 1}`,
      options: [0, 1].map((m) => ({ id: optionId(n, m), text: `Opção ${m + 1}`, correct: m === 0 }))
    }))
  })

/** An assignment. */
export const makeAssignment = (club: { readonly id: ClubId }, lesson: { readonly id: LessonId }) =>
  makeBlock(club, lesson, { kind: "assignment", body: "Grave um acorde." }, { title: "Seu acorde" })
