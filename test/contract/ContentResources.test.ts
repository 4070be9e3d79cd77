import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, send } from "../harness/App.ts"
import { makeMedia } from "../harness/Makers.ts"
import { idOf, openContent } from "../learning/content/OpenContent.ts"
import { announce, announced as announcedLive, attendee, join } from "../learning/lives/Live.ts"
import { announced, begin, complete, png, sendFile } from "../learning/media/Files.ts"
import { assertData, assertEach, assertPages } from "./Answers.ts"
import { Media } from "./Records.ts"
import { boolean, integer, listOf, nullOr, oneOf, record, string, timestamp, uuid } from "./Shape.ts"

// Contract, Media, and http-surface on content, lives and repositories: each field and no other.

const courseFields = {
  id: uuid,
  public_id: string,
  title: string,
  subtitle: nullOr(string),
  description: nullOr(string),
  instructor_name: nullOr(string),
  cover_media_id: nullOr(uuid),
  listed: boolean,
  position: integer,
  live_lessons: integer,
  created_at: timestamp
}
const Course = record(courseFields)
const opening = { opens_after_days: nullOr(integer), opens_at: nullOr(timestamp) }
const Module = record({
  id: uuid,
  course_id: uuid,
  title: string,
  position: integer,
  ...opening,
  created_at: timestamp
})
const Lesson = record({
  id: uuid,
  course_id: uuid,
  module_id: uuid,
  public_id: string,
  title: string,
  position: integer,
  published_at: nullOr(timestamp),
  ...opening,
  created_at: timestamp
})
const Question = record({
  id: uuid,
  text: string,
  options: listOf(record({ id: uuid, text: string, correct: boolean }))
})
const Block = record({
  id: uuid,
  lesson_id: uuid,
  kind: oneOf("text", "video", "quiz", "assignment", "file"),
  title: nullOr(string),
  position: integer,
  body: nullOr(string),
  media_id: nullOr(uuid),
  questions: nullOr(listOf(Question)),
  pass_percent: nullOr(integer),
  created_at: timestamp
})
const ManagedRepository = record({
  id: uuid,
  public_id: string,
  title: string,
  file_count: integer,
  instructor_name: nullOr(string),
  cover_url: nullOr(string),
  published_at: nullOr(timestamp),
  created_at: timestamp
})
const ManagedFile = record({
  id: uuid,
  title: string,
  kind: oneOf("video", "image", "audio", "document", "file"),
  mime: nullOr(string),
  size_bytes: nullOr(integer),
  file_name: nullOr(string),
  media_id: uuid,
  position: integer,
  created_at: timestamp
})
const Live = record({
  id: uuid,
  title: string,
  description: string,
  url: nullOr(string),
  starts_at: timestamp,
  ends_at: nullOr(timestamp),
  status: oneOf("scheduled", "open", "ended"),
  opened_at: nullOr(timestamp),
  ended_at: nullOr(timestamp),
  created_at: timestamp
})
const upload = record({
  method: oneOf("PUT"),
  url: string,
  headers: record({ "content-type": string }),
  expires_at: timestamp
})

layer(AppLayer)("The fields of the contract", (it) => {
  it.effect("are those of Media, uploaded or a provider's, changed and listed", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const begun = yield* begin(club, announced(png))
      assertData(begun, record({ media: Media, upload }))
      assert.strictEqual(at(begun.json, "data", "media", "status"), "uploading")
      yield* sendFile(begun, png)
      const done = yield* complete(club, begun)
      assertData(done, Media)
      assert.deepStrictEqual([at(done.json, "data", "status"), at(done.json, "data", "kind")], ["ready", "image"])
      const hosted = { provider: "youtube", external_id: "dQw4w9WgXcQ", kind: "video", title: "Lá" }
      assertData(yield* club.create("/media", hosted), record({ media: Media, upload: nullOr(upload) }))
      const one = `${club.path}/media/${idOf(done)}`
      yield* assertEach(club.token, Media, [["GET", one], ["PATCH", one, { title: "Dó" }]])
      yield* assertPages(club.token, listOf(Media), [["GET", `${club.path}/media`]])
      yield* assertEach(club.token, record({ url: string, expires_at: timestamp, signed: boolean }), [
        ["GET", `${one}/download`]
      ])
    }))
})

layer(AppLayer)("The fields beside the contract", (it) => {
  it.effect("are those of courses, modules and lessons", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const { path, token } = club
      const [course, module, lesson] = ["/courses", "/modules", "/lessons"].map((kind) => `${path}${kind}`)
      const courseId = idOf(yield* club.create("/courses", { title: "Violão" }))
      const moduleId = idOf(yield* club.create(`/courses/${courseId}/modules`, { title: "Acordes" }))
      const lessonId = idOf(yield* club.create(`/modules/${moduleId}/lessons`, { title: "Dó" }))
      const { id: cover_media_id } = yield* makeMedia(club, { kind: "image" })
      yield* assertEach(token, Course, [
        ["POST", `${course}`, { title: "Canto" }],
        ["PATCH", `${course}/${courseId}`, { title: "Viola", cover_media_id }],
        ["GET", `${course}/${courseId}`]
      ])
      yield* assertPages(token, listOf(Course), [["GET", `${course}`]])
      yield* assertEach(token, Module, [
        ["POST", `${course}/${courseId}/modules`, { title: "Escalas" }],
        ["GET", `${module}/${moduleId}`],
        ["PATCH", `${module}/${moduleId}`, { title: "Notas" }]
      ])
      yield* assertPages(token, listOf(Module), [["GET", `${course}/${courseId}/modules`]])
      yield* assertEach(token, Lesson, [
        ["POST", `${module}/${moduleId}/lessons`, { title: "Ré" }],
        ["GET", `${lesson}/${lessonId}`],
        ["PATCH", `${lesson}/${lessonId}`, { title: "Mi" }],
        ["PUT", `${lesson}/${lessonId}/publication`, { published_at: "2026-01-31T12:00:00Z" }],
        ["PUT", `${lesson}/${lessonId}/publication`, { published_at: null }]
      ])
      yield* assertPages(token, listOf(Lesson), [["GET", `${module}/${moduleId}/lessons`]])
    }))

  it.effect("are those of a block of each kind", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const course = idOf(yield* club.create("/courses", { title: "Violão" }))
      const module = idOf(yield* club.create(`/courses/${course}/modules`, { title: "Acordes" }))
      const lesson = idOf(yield* club.create(`/modules/${module}/lessons`, { title: "Dó" }))
      const [video, file] = [yield* makeMedia(club, { kind: "video" }), yield* makeMedia(club)]
      const questions = [{ text: "Qual?", options: [{ text: "Dó", correct: true }, { text: "Ré", correct: false }] }]
      const blocks = `${club.path}/lessons/${lesson}/blocks`
      yield* assertEach(club.token, Block, [
        ["POST", blocks, { kind: "text", body: "A" }],
        ["POST", blocks, { kind: "assignment", body: "A" }],
        ["POST", blocks, { kind: "video", media_id: video.id }],
        ["POST", blocks, { kind: "file", media_id: file.id }],
        ["POST", blocks, { kind: "quiz", questions, pass_percent: 50 }]
      ])
      yield* assertPages(club.token, listOf(Block), [["GET", blocks]])
      const text = idOf(yield* club.create(`/lessons/${lesson}/blocks`, { kind: "text", body: "A" }))
      const one = `${club.path}/blocks/${text}`
      yield* assertEach(club.token, Block, [["GET", one], ["PATCH", one, { title: "B" }]])
    }))

  it.effect("are those of a folder of media and of a transcript", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const Folder = record({ id: uuid, name: string, created_at: timestamp })
      const folder = `${club.path}/media-folders`
      const made = idOf(yield* club.create("/media-folders", { name: "A" }))
      yield* assertEach(club.token, Folder, [
        ["POST", folder, { name: "B" }],
        ["GET", `${folder}/${made}`],
        ["PATCH", `${folder}/${made}`, { name: "C" }]
      ])
      yield* assertPages(club.token, listOf(Folder), [["GET", folder]])
      const { id } = yield* makeMedia(club, { kind: "video" })
      const transcript = `${club.path}/media/${id}/transcript`
      yield* assertEach(club.token, record({ media_id: uuid, text: string }), [
        ["PUT", transcript, { text: "Com três dedos." }],
        ["GET", transcript]
      ])
    }))

  it.effect("are that of the reading of a document", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const { id } = yield* makeMedia(club)
      const Reading = record({
        media_id: uuid,
        status: oneOf("waiting", "reading", "read", "unreadable"),
        reason: nullOr(oneOf("broken", "missing", "too_large", "memory", "time")),
        started_at: nullOr(timestamp)
      })
      yield* assertEach(club.token, Reading, [["GET", `${club.path}/media/${id}/reading`]])
    }))

  it.effect("are those of a repository and its files, as the staff keeps them", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const { id: media_id } = yield* makeMedia(club)
      const all = `${club.path}/repositories`
      const id = idOf(yield* club.create("/repositories", { title: "Partituras" }))
      yield* assertEach(club.token, ManagedRepository, [
        ["POST", all, { title: "A", instructor_name: "Ana", cover_url: "https://cdn.example/a.png" }],
        ["GET", `${all}/${id}`],
        ["PATCH", `${all}/${id}`, { title: "B" }],
        ["PUT", `${all}/${id}/publication`, { published_at: "2026-01-31T12:00:00Z" }]
      ])
      yield* assertPages(club.token, listOf(ManagedRepository), [["GET", all]])
      yield* assertEach(club.token, ManagedFile, [["POST", `${all}/${id}/files`, { media_id }]])
      yield* assertPages(club.token, listOf(ManagedFile), [["GET", `${all}/${id}/files`]])
    }))

  it.effect("are those of a live and of who joined", () =>
    Effect.gen(function*() {
      const club = yield* openContent()
      const id = yield* announce(club)
      const student = yield* attendee(club, id)
      const one = `${club.path}/lives/${id}`
      yield* assertEach(club.token, Live, [
        ["POST", `${club.path}/lives`, announcedLive],
        ["GET", one],
        ["PATCH", one, { title: "A" }],
        ["POST", `${one}/open`]
      ])
      yield* join(club, student, id)
      yield* assertPages(
        club.token,
        listOf(record({ student: record({ id: uuid, name: string }), joined_at: timestamp })),
        [
          ["GET", `${one}/attendances`]
        ]
      )
      yield* assertEach(club.token, Live, [["POST", `${one}/close`]])
      yield* assertPages(club.token, listOf(Live), [["GET", `${club.path}/lives`]])
      assert.strictEqual((yield* send("DELETE", one, club)).status, 204)
    }))
})
