import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { AppLayer, at, enrolledStudent, listAt, send } from "../../harness/App.ts"
import { makeBlock, makeEnrollment, makeMedia } from "../../harness/Makers.ts"
import { SpansLayer, statements } from "../../harness/Statements.ts"
import { answer, makeAssignment, makeQuiz } from "./OpenClassroom.ts"
import { ask, makeVideo, openCourse } from "./OpenCourse.ts"

layer(AppLayer)("A lesson", (it) => {
  it.effect("is read with where it is, what is beside it, and whether it is completed", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(3)
      const [first, second, third] = room.lessons
      yield* ask(room, "PUT", `/lessons/${second?.public_id}/completion`)
      const { json, status } = yield* ask(room, "GET", `/lessons/${second?.public_id}`)
      assert.strictEqual(status, 200)
      assert.deepStrictEqual<unknown>(json, {
        data: {
          id: second?.id,
          public_id: second?.public_id,
          title: "Aula 2",
          module: { id: room.modules[0]?.id, title: "Módulo 1" },
          course: {
            id: room.course.id,
            public_id: room.course.public_id,
            title: room.course.title,
            progress: {
              lessons_count: 3,
              completed_count: 1,
              percent: 33,
              next_lesson_public_id: first?.public_id,
              completed_at: null
            }
          },
          blocks: [],
          completed: true,
          completed_at: "1970-01-01T00:00:00.000Z",
          first_completed_at: "1970-01-01T00:00:00.000Z",
          previous: { public_id: first?.public_id, title: "Aula 1", locked: null },
          next: { public_id: third?.public_id, title: "Aula 3", locked: null },
          position: null,
          previous_lesson_public_id: first?.public_id,
          next_lesson_public_id: third?.public_id
        }
      })
    }))

  it.effect("shows its blocks in order, and never which options are right", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(1)
      const { club, lesson } = room
      const video = yield* makeBlock(club, lesson, { kind: "video", media_id: yield* makeVideo(club) }, { position: 3 })
      const words = yield* makeBlock(club, lesson, { kind: "text", body: "Leia." }, { position: 2, title: "Antes" })
      const quiz = yield* makeQuiz(club, lesson)
      yield* makeBlock(club, lesson, { kind: "text", body: "x" }, { deleted_at: yield* DateTime.now })
      const { json, text } = yield* ask(room, "GET", `/lessons/${lesson.public_id}`)
      assert.notInclude(text, "correct")
      assert.deepStrictEqual<unknown>(at(json, "data", "blocks"), [
        {
          kind: "quiz",
          id: quiz.id,
          title: null,
          pass_percent: 50,
          questions: [0, 1].map((n) => ({
            id: answer(n, 0).question_id,
            text: `Pergunta ${n + 1}`,
            options: [0, 1].map((m) => ({ id: answer(n, m).option_id, text: `Opção ${m + 1}` }))
          })),
          last_attempt: null
        },
        { kind: "text", id: words.id, title: "Antes", body: "Leia.", images: [] },
        {
          kind: "video",
          id: video.id,
          title: null,
          media_id: at(json, "data", "blocks", 2, "media_id"),
          media: {
            kind: "video",
            provider: "youtube",
            url: at(json, "data", "blocks", 2, "media", "url"),
            expires_at: null,
            signed: false,
            thumbnail_url: null,
            duration_seconds: null,
            mime: null,
            size_bytes: null,
            width: null,
            height: null,
            title: "Acorde de Lá"
          },
          embed_url: "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"
        }
      ])
      assert.match(String(at(json, "data", "blocks", 2, "media", "url")), /^https:/)
    }))

  it.effect("shows the images that its texts name", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(1)
      const { club, lesson } = room
      const image = yield* makeMedia(club, { kind: "image", title: "Flauta" })
      const path = `${club.path}/lessons/${lesson.id}/blocks`
      const body = `Veja: ![Uma flauta](media:${image.id})`
      for (const kind of ["text", "assignment"]) yield* send("POST", path, { token: club.token, body: { kind, body } })
      const { json } = yield* ask(room, "GET", `/lessons/${lesson.public_id}`)
      for (const block of listAt(json, "data", "blocks")) {
        assert.strictEqual(at(block, "body"), body)
        assert.strictEqual(at(block, "images", 0, "media_id"), image.id)
        assert.deepInclude(at(block, "images", 0, "media"), { kind: "image", title: "Flauta", signed: true })
      }
    }))

  it.effect("shows what the student last did in it, and nobody else's", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(1)
      const { club, lesson } = room
      const [quiz, assignment] = [yield* makeQuiz(club, lesson), yield* makeAssignment(club, lesson)]
      const other = { ...room, student: yield* enrolledStudent(club) }
      yield* makeEnrollment(club, other.student, room.delivery)
      for (const m of [0, 1]) {
        yield* ask(room, "POST", `/quizzes/${quiz.id}/attempts`, { answers: [answer(0, m), answer(1, m)] })
      }
      const submitted = yield* ask(room, "POST", `/assignments/${assignment.id}/submissions`, { body: "Pronto" })
      const path = `/lessons/${lesson.public_id}`
      const byKind = ({ json }: { readonly json: unknown }, kind: string) =>
        listAt(json, "data", "blocks").find((block) => at(block, "kind") === kind)
      const mine = yield* ask(room, "GET", path)
      assert.deepInclude(at(byKind(mine, "quiz"), "last_attempt"), { percent: 0, passed: false })
      assert.deepStrictEqual(at(byKind(mine, "assignment"), "last_submission"), at(submitted.json, "data"))
      const theirs = yield* ask(other, "GET", path)
      assert.isNull(at(byKind(theirs, "quiz"), "last_attempt"))
      assert.isNull(at(byKind(theirs, "assignment"), "last_submission"))
    }))
})

layer(AppLayer.pipe(Layer.provideMerge(SpansLayer)))("Reading the classroom", (it) => {
  it.effect("takes at most three statements, the session's included", () =>
    Effect.gen(function*() {
      const room = yield* openCourse(4)
      const { club, lesson } = room
      yield* makeBlock(club, lesson, { kind: "video", media_id: yield* makeVideo(club) })
      const { id } = yield* makeAssignment(club, lesson)
      const media_ids = [yield* makeVideo(club, room.student)]
      yield* ask(room, "POST", `/assignments/${id}/submissions`, { body: "Pronto", media_ids })
      const counted = (path: string) => Effect.map(statements(ask(room, "GET", path)), (run) => run.length)
      assert.strictEqual(yield* counted(""), 2)
      assert.strictEqual(yield* counted(`/courses/${room.course.public_id}`), 2)
      assert.strictEqual(yield* counted(`/lessons/${lesson.public_id}`), 3)
      assert.strictEqual(yield* counted(`/assignments/${id}/submissions`), 3)
      const staff = send("GET", `${club.path}/assignments/submissions?status=pending`, { token: club.token })
      assert.strictEqual((yield* statements(staff)).length, 3)
    }))
})
