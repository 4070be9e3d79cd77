import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, enrolledStudent, foundClub, send } from "../harness/App.ts"
import {
  makeBlock,
  makeCatalogDelivery,
  makeEnrollment,
  makeItem,
  makeMedia,
  makeRepository,
  makeRepositoryFile
} from "../harness/Makers.ts"
import { answer, makeAssignment, makeQuiz } from "../learning/classroom/OpenClassroom.ts"
import { ask, makeVideo, openCourse } from "../learning/classroom/OpenCourse.ts"
import { announce, attendee, open } from "../learning/lives/Live.ts"
import { announced, begin, complete, png, sendFile } from "../learning/media/Files.ts"
import { assertData, assertEach, assertPages } from "./Answers.ts"
import { Media, ShownMedia } from "./Records.ts"
import { anyOf, boolean, integer, listOf, nullOr, oneOf, record, type Shape, string, timestamp, uuid } from "./Shape.ts"

// Contract, Repository and Endpoints 10, and http-surface on the classroom: each field and no other.

const repositoryFields = {
  public_id: string,
  title: string,
  file_count: integer,
  instructor_name: nullOr(string),
  cover_url: nullOr(string)
}
const RepositoryFile = record({
  id: uuid,
  title: string,
  kind: oneOf("video", "image", "audio", "document", "file"),
  mime: nullOr(string),
  size_bytes: nullOr(integer),
  file_name: nullOr(string)
})

const Progress = record({
  lessons_count: integer,
  completed_count: integer,
  percent: integer,
  next_lesson_public_id: nullOr(string),
  completed_at: nullOr(timestamp)
})
const lessonCourse = { id: uuid, public_id: string, title: string, progress: Progress }
const courseFields = {
  ...lessonCourse,
  subtitle: nullOr(string),
  description: nullOr(string),
  instructor_name: nullOr(string),
  cover_media_id: nullOr(uuid),
  cover: nullOr(ShownMedia),
  locked: nullOr(record({ reason: oneOf("ended", "not_included"), since: nullOr(timestamp) }))
}
const locked = nullOr(record({
  reason: oneOf("not_released", "ended", "not_included"),
  opens_at: nullOr(timestamp)
}))
const kinds = anyOf(oneOf("text", "video", "quiz", "assignment", "file"))
const neighbour = nullOr(record({ public_id: string, title: string, locked }))
const completion = { completed: boolean, completed_at: nullOr(timestamp), first_completed_at: nullOr(timestamp) }
const lessonFields = { id: uuid, public_id: string, title: string }
const images = anyOf(record({ media_id: uuid, media: ShownMedia }))
const Outline = record({
  ...courseFields,
  images,
  modules: listOf(record({
    id: uuid,
    title: string,
    lessons: listOf(record({ ...lessonFields, completed: boolean, locked, kinds, duration_seconds: nullOr(integer) }))
  }))
})

const Position = record({ seconds: integer, block_id: nullOr(uuid), updated_at: timestamp })

const homeLesson = { public_id: string, title: string }
const nextLesson = record({ ...homeLesson, module_title: string, position: nullOr(Position) })
const liveFields = {
  id: uuid,
  title: string,
  description: string,
  url: nullOr(string),
  starts_at: timestamp,
  ends_at: nullOr(timestamp),
  status: oneOf("scheduled", "open", "ended"),
  joined_at: nullOr(timestamp)
}
const Notification = record({
  id: uuid,
  kind: oneOf("reply", "mention", "assignment_reviewed", "assistant_answer", "support_answer", "live"),
  title: string,
  excerpt: nullOr(string),
  actor_name: nullOr(string),
  actor_role: nullOr(oneOf("student", "staff", "assistant")),
  target: record({
    lesson_public_id: nullOr(string),
    comment_id: nullOr(uuid),
    post_id: nullOr(uuid),
    conversation_id: nullOr(uuid),
    live_id: nullOr(uuid)
  }),
  created_at: timestamp,
  read_at: nullOr(timestamp)
})
const Home = record({
  courses: listOf(record({ ...courseFields, next_lesson: nullOr(nextLesson) })),
  locked_courses: anyOf(record(courseFields)),
  new_lessons: anyOf(record({
    ...homeLesson,
    course: record({ public_id: string, title: string }),
    published_at: timestamp
  })),
  due: listOf(record({
    kind: oneOf("assignment", "quiz"),
    block_id: uuid,
    lesson: record(homeLesson),
    title: nullOr(string)
  })),
  next_live: nullOr(record(liveFields)),
  notifications: anyOf(Notification)
})

const submissionFields = {
  id: uuid,
  block_id: uuid,
  body: string,
  status: oneOf("pending", "approved", "rejected"),
  feedback: nullOr(string),
  reviewed_at: nullOr(timestamp),
  created_at: timestamp,
  media: anyOf(ShownMedia)
}
const Submission = record(submissionFields)
const ReviewedSubmission = record({
  ...submissionFields,
  student: record({ id: uuid, name: string, anonymized: boolean }),
  block_title: nullOr(string),
  lesson: record(lessonFields),
  reviewer_user_id: nullOr(uuid)
})
const Attempt = record({
  id: uuid,
  percent: integer,
  passed: boolean,
  correct_count: integer,
  questions_count: integer,
  results: listOf(record({ question_id: uuid, correct: boolean })),
  points_awarded: integer,
  created_at: timestamp
})

const block = (kind: string, fields: Record<string, Shape>) =>
  record({ kind: oneOf(kind), id: uuid, title: nullOr(string), ...fields })
const blocks: Record<string, Shape> = {
  text: block("text", { body: string, images }),
  video: block("video", { media_id: uuid, media: ShownMedia, embed_url: nullOr(string) }),
  file: block("file", { media_id: uuid, media: ShownMedia, embed_url: nullOr(string) }),
  quiz: block("quiz", {
    pass_percent: integer,
    // Students do not see which options are right.
    questions: listOf(record({ id: uuid, text: string, options: listOf(record({ id: uuid, text: string })) })),
    last_attempt: record({ id: uuid, percent: integer, passed: boolean, created_at: timestamp })
  }),
  assignment: block("assignment", { body: string, images, last_submission: Submission })
}
const Block: Shape = (value, path) => (blocks[String(at(value, "kind"))] ?? string)(value, path)
const Lesson = record({
  ...lessonFields,
  module: record({ id: uuid, title: string }),
  course: record(lessonCourse),
  blocks: listOf(Block),
  ...completion,
  previous: neighbour,
  next: neighbour,
  position: nullOr(Position),
  previous_lesson_public_id: nullOr(string),
  next_lesson_public_id: nullOr(string)
})

layer(AppLayer)("The fields of the contract", (it) => {
  it.effect("are those of Repository, and with its files those of the one that is opened", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { token, ...student } = yield* enrolledStudent(club)
      const delivery = yield* makeCatalogDelivery(club)
      const repository = yield* makeRepository(club)
      yield* makeItem(club, delivery, { kind: "repository", id: repository.id })
      yield* makeEnrollment(club, student, delivery)
      yield* makeRepositoryFile(club, repository, yield* makeMedia(club))
      const all = `${club.path}/classroom/repositories`
      yield* assertEach(token, listOf(record(repositoryFields)), [["GET", all]])
      yield* assertEach(token, record({ ...repositoryFields, files: listOf(RepositoryFile) }), [
        ["GET", `${all}/${repository.public_id}`]
      ])
    }))

  it.effect("are those of Media to the student who uploads", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { token } = yield* enrolledStudent(club)
      const student = { path: club.path, token }
      const begun = yield* begin(student, announced(png, { purpose: "comment" }))
      assert.deepStrictEqual(Media(at(begun.json, "data", "media")), [], begun.text)
      yield* sendFile(begun, png)
      assertData(yield* complete(student, begun, "student"), Media)
    }))
})

layer(AppLayer)("The fields beside the contract", (it) => {
  it.effect("are those of a student's courses, lessons and blocks of each kind", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(3)
      const { club, course, lesson, student } = room
      const media_id = yield* makeVideo(club)
      yield* makeBlock(club, lesson)
      const video = yield* makeBlock(club, lesson, { kind: "video", media_id })
      yield* makeBlock(club, lesson, { kind: "file", media_id })
      const quiz = yield* makeQuiz(club, lesson)
      const assignment = yield* makeAssignment(club, lesson)
      yield* ask(room, "POST", `/quizzes/${quiz.id}/attempts`, { answers: [answer(0, 0), answer(1, 0)] })
      yield* ask(room, "POST", `/assignments/${assignment.id}/submissions`, { body: "Aqui" })
      const classroom = `${club.path}/classroom`
      yield* assertPages(student.token, listOf(record(courseFields)), [["GET", classroom]])
      yield* assertEach(student.token, Outline, [["GET", `${classroom}/courses/${course.public_id}`]])
      yield* assertEach(student.token, Lesson, [["GET", `${classroom}/lessons/${lesson.public_id}`]])
      const Completed = record({
        lesson: record(lessonFields),
        ...completion,
        course: record(lessonCourse),
        points_awarded: integer
      })
      yield* assertEach(student.token, Completed, [
        ["PUT", `${classroom}/lessons/${lesson.public_id}/completion`],
        ["PUT", `${classroom}/lessons/${lesson.public_id}/completion`]
      ])
      yield* assertEach(student.token, Position, [
        ["PUT", `${classroom}/lessons/${lesson.public_id}/position`, { seconds: 9, block_id: video.id }],
        ["PUT", `${classroom}/lessons/${lesson.public_id}/position`, { seconds: 9 }]
      ])
      yield* assertEach(student.token, Lesson, [["GET", `${classroom}/lessons/${lesson.public_id}`]])
    }))

  it.effect("are those of a student's home", () =>
    Effect.gen(function*() {
      const { club, lesson, student } = yield* openCourse()
      const quiz = yield* makeQuiz(club, lesson)
      const answers = [answer(0, 1), answer(1, 1)]
      yield* send("POST", `${club.path}/classroom/quizzes/${quiz.id}/attempts`, {
        token: student.token,
        body: { answers }
      })
      yield* assertEach(student.token, Home, [["GET", `${club.path}/classroom/home`]])
    }))

  it.effect("are those of an attempt at a quiz", () =>
    Effect.gen(function*() {
      const { club, lesson, student } = yield* openCourse()
      const quiz = yield* makeQuiz(club, lesson)
      yield* assertEach(student.token, Attempt, [
        ["POST", `${club.path}/classroom/quizzes/${quiz.id}/attempts`, { answers: [answer(0, 1), answer(1, 1)] }],
        ["POST", `${club.path}/classroom/quizzes/${quiz.id}/attempts`, { answers: [answer(0, 0), answer(1, 0)] }]
      ])
    }))

  it.effect("are those of a submission, to its student and to the staff, decided or not", () =>
    Effect.gen(function*() {
      const { club, lesson, student } = yield* openCourse()
      const assignment = yield* makeAssignment(club, lesson)
      const own = `${club.path}/classroom/assignments/${assignment.id}/submissions`
      const media_ids = [yield* makeVideo(club, student)]
      yield* assertEach(student.token, Submission, [["POST", own, { body: "Aqui", media_ids }]])
      const all = `${club.path}/assignments/submissions`
      yield* assertPages(student.token, listOf(Submission), [["GET", own]])
      yield* assertPages(club.token, listOf(ReviewedSubmission), [["GET", all]])
      const { json } = yield* ask({ club, student }, "GET", `/assignments/${assignment.id}/submissions`)
      const one = `${all}/${String(at(json, "data", 0, "id"))}`
      yield* assertEach(club.token, ReviewedSubmission, [
        ["GET", one],
        ["POST", `${one}/reject`, { feedback: "Mais alto" }],
        ["GET", one]
      ])
      yield* assertPages(student.token, listOf(Submission), [["GET", own]])
    }))

  it.effect("are those of a live as students see and join it", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const id = yield* announce(club)
      const { token } = yield* attendee(club, id)
      const Live = record(liveFields)
      yield* open(club, id)
      yield* assertPages(token, listOf(Live), [["GET", `${club.path}/classroom/lives`]])
      yield* assertEach(token, record({ live: Live, joined_at: timestamp, points_awarded: integer }), [
        ["POST", `${club.path}/classroom/lives/${id}/join`]
      ])
      yield* assertPages(token, listOf(Live), [["GET", `${club.path}/classroom/lives`]])
    }))
})
