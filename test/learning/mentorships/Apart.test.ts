import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Role } from "../../../src/identity/people/Role.ts"
import { Attachments } from "../../../src/learning/media/Attachments.ts"
import { MediaPurpose, StudentPurpose } from "../../../src/learning/media/Media.ts"
import { appLayer, at, enrolledStudent, foundClub, listAt, outcome, send, tokenAs } from "../../harness/App.ts"
import { makeBlock, makeEnrollment, makeLiveLesson, makeMedia, makeRepository } from "../../harness/Makers.ts"
import { localFolder } from "../../platform/storage/local/LocalFolder.ts"
import { announced, begin as beginMedia, png, sendFile, uploaded as uploadedMedia } from "../media/Files.ts"
import { begin, complete, idOf, of, sent, uploaded } from "./Files.ts"

const { folder } = localFolder()
const unknownId = "018f0000-0000-7000-8000-000000000001"

type Club = Effect.Success<ReturnType<typeof foundClub>>

const listed = Effect.fnUntraced(function*(club: Pick<Club, "path" | "token">, path: string) {
  const { json } = yield* send("GET", `${club.path}${path}`, club)
  return listAt(json, "data").map((media) => at(media, "id"))
})

const mediaOf = Effect.fnUntraced(function*(club: Club) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`select to_jsonb(m)::text as row from media m where club_id = ${club.id} order by id`
})

/** Every request for a mentorship file. */
const ways = [["GET", ""], ["DELETE", ""], ["POST", "/complete"], ["GET", "/download"]] as const

layer(appLayer({ DATA_DIR: folder }))("A mentorship file", (it) => {
  it.effect.each(Role.literals)(
    "is read by every member, and written by all but viewers: %s",
    (role) =>
      Effect.gen(function*() {
        const club = yield* foundClub()
        const token = yield* tokenAs(club, role)
        const writes = role !== "viewer"
        const [kept, gone] = [yield* uploaded(club, png), yield* uploaded(club, png)]
        const coming = yield* sent(club, png)
        const member = { path: club.path, token }
        const forbidden = [403, "forbidden"]
        const begun = yield* begin(member, announced(png))
        assert.deepStrictEqual(outcome(begun), writes ? [201, undefined] : forbidden)
        assert.deepStrictEqual(outcome(yield* complete(member, coming)), writes ? [200, undefined] : forbidden)
        assert.deepStrictEqual(outcome(yield* of(member, "DELETE", gone)), writes ? [204, undefined] : forbidden)
        for (const below of ["", "/download"]) {
          assert.strictEqual((yield* of(member, "GET", kept, below)).status, 200)
        }
        const mine = writes ? [idOf(begun), idOf(coming), kept] : [idOf(coming), gone, kept]
        assert.deepStrictEqual(yield* listed(member, "/mentorship-files"), mine)
      })
  )

  it.effect("is no student's: they are answered 401 on every route", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const student = { path: club.path, token: (yield* enrolledStudent(club)).token }
      const id = yield* uploaded(club, png)
      const answers = [
        yield* begin(student, announced(png)),
        yield* send("GET", `${club.path}/mentorship-files`, student),
        ...(yield* Effect.forEach(ways, ([method, below]) => of(student, method, id, below)))
      ]
      for (const answer of answers) assert.deepStrictEqual(outcome(answer), [401, "unauthenticated"])
    }))

  it.effect("is of its club alone, and what was never one, or is malformed, is answered alike", () =>
    Effect.gen(function*() {
      const [club, foreign] = [yield* foundClub(), yield* foundClub()]
      const student = { path: club.path, token: (yield* enrolledStudent(club)).token }
      const theirs = yield* uploaded(foreign, png)
      const coming = idOf(yield* sent(foreign, png))
      const library = yield* uploadedMedia(club, png)
      const beginning = idOf(yield* beginMedia(club, announced(png)))
      const students = yield* uploadedMedia(student, png, { purpose: "comment" })
      const hosted = yield* makeMedia(club, { provider: "youtube", kind: "video" })
      const before = [yield* mediaOf(club), yield* mediaOf(foreign)]
      const hostile = ["malformed", "%00", "..%2f..%2fx", "' or true--", `${theirs}x`, "a".repeat(3000)].map(encodeURI)
      const ids = [theirs, coming, library, beginning, students, hosted.id, theirs.toUpperCase(), ...hostile]
      for (const [method, below] of ways) {
        const unknown = yield* of(club, method, unknownId, below)
        assert.deepStrictEqual(outcome(unknown), [404, "not_found"])
        for (const id of ids) assert.strictEqual((yield* of(club, method, id, below)).text, unknown.text, id)
      }
      assert.deepStrictEqual(yield* listed(club, "/mentorship-files"), [])
      assert.deepStrictEqual([yield* mediaOf(club), yield* mediaOf(foreign)], before)
    }))

  it.effect("is known by its id in capitals too, as every id", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const id = yield* uploaded(club, png)
      assert.strictEqual(at((yield* of(club, "GET", id.toUpperCase())).json, "data", "id"), id)
    }))

  it.effect("is not in the library: no route of media knows it", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const student = { path: club.path, token: (yield* enrolledStudent(club)).token }
      const [id, begun] = [yield* uploaded(club, png), yield* begin(club, announced(png))]
      yield* sendFile(begun, png)
      const before = yield* mediaOf(club)
      for (const query of ["", "?kind=image", "?archived=true", "?favorite=false", "?favorite=true"]) {
        assert.deepStrictEqual(yield* listed(club, `/media${query}`), [])
      }
      for (const path of [`/media/${id}`, `/media/${idOf(begun)}`]) {
        const { token } = club
        for (
          const answer of [
            yield* send("GET", `${club.path}${path}`, club),
            yield* send("PATCH", `${club.path}${path}`, { token, body: { title: "B", archived: true } }),
            yield* send("DELETE", `${club.path}${path}`, club),
            yield* send("POST", `${club.path}${path}/complete`, club),
            yield* send("GET", `${club.path}${path}/download`, club),
            yield* send("GET", `${club.path}${path}/transcript`, club),
            yield* send("PUT", `${club.path}${path}/transcript`, { token, body: { text: "B" } }),
            yield* send("POST", `${club.path}/classroom${path}/complete`, student)
          ]
        ) assert.deepStrictEqual(outcome(answer), [404, "not_found"])
      }
      assert.deepStrictEqual(yield* mediaOf(club), before)
    }))

  it.effect("is shown by nothing: no lesson, repository, comment, question or submission refers to it", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { path, token } = club
      const made = yield* makeLiveLesson(club)
      const student = yield* enrolledStudent(club)
      yield* makeEnrollment(club, student, made.delivery)
      const assignment = yield* makeBlock(club, made.lesson, { kind: "assignment", body: "A" })
      const block = yield* makeBlock(club, made.lesson, { kind: "file", media_id: (yield* makeMedia(club)).id })
      const repository = yield* makeRepository(club)
      yield* send("PATCH", `${path}/community`, { token, body: { published_at: "1970-01-01T00:00:00.000Z" } })
      const space = yield* send("POST", `${path}/community/spaces`, { token, body: { name: "A" } })
      const posts = `${path}/community/spaces/${String(at(space.json, "data", "id"))}/posts`
      const post = String(at((yield* send("POST", posts, { token, body: { body: "A" } })).json, "data", "id"))
      const lesson = `${path}/classroom/lessons/${made.lesson.public_id}`
      const asked = yield* send("POST", `${lesson}/comments`, { token: student.token, body: { body: "A" } })
      const comment = String(at(asked.json, "data", "id"))
      const media_id = yield* uploaded(club, png)
      const media_ids = [media_id]
      const answers = [
        yield* send("POST", `${path}/lessons/${made.lesson.id}/blocks`, { token, body: { kind: "file", media_id } }),
        yield* send("POST", `${path}/lessons/${made.lesson.id}/blocks`, { token, body: { kind: "video", media_id } }),
        yield* send("PATCH", `${path}/blocks/${block.id}`, { token, body: { media_id } }),
        yield* send("POST", `${path}/repositories/${repository.id}/files`, { token, body: { media_id } }),
        yield* send("POST", `${path}/comments/${comment}/replies`, { token, body: { body: "B", media_ids } }),
        yield* send("POST", `${path}/community/posts/${post}/comments`, { token, body: { body: "B", media_ids } }),
        ...(yield* Effect.forEach(
          [
            [`${lesson}/comments`, { body: "B", media_ids }],
            [`${path}/community/posts/${post}/comments`, { body: "B", media_ids }],
            [`${lesson}/ask`, { content: "B?", media_ids }],
            [`${path}/classroom/assignments/${assignment.id}/submissions`, { body: "B", media_ids }]
          ] as const,
          ([route, body]) => send("POST", route, { token: student.token, body })
        ))
      ]
      for (const answer of answers) assert.deepStrictEqual(outcome(answer), [422, "media_unknown"], answer.text)
      assert.strictEqual((yield* of(club, "DELETE", media_id)).status, 204)
    }))

  it.effect("is attached by nobody, whatever purpose is named", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const attachments = yield* Attachments
      const student = yield* enrolledStudent(club)
      const { id } = yield* makeMedia(club, { kind: "image", purpose: "mentorship" })
      for (const purpose of MediaPurpose.literals) {
        for (const student_id of [null, student.id]) {
          const asked = { purpose, student_id, ids: [id], images: false }
          assert.strictEqual((yield* Effect.flip(attachments.check(club.id, asked)))._tag, "MediaUnknown")
        }
      }
    }))

  it.effect("is begun by no other route, and is the purpose of no upload of a student", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const student = { path: club.path, token: (yield* enrolledStudent(club)).token }
      const asked = announced(png, { purpose: "mentorship" })
      assert.deepStrictEqual(outcome(yield* beginMedia(student, asked)), [422, "validation_failed"])
      const inLibrary = yield* send("POST", `${club.path}/media`, { token: club.token, body: asked })
      assert.deepStrictEqual(outcome(inLibrary), [422, "validation_failed"])
      assert.notInclude(StudentPurpose.literals.join(), "mentorship")
    }))

  it.effect("stays when a student is removed", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const student = yield* enrolledStudent(club)
      const id = yield* uploaded(club, png)
      assert.strictEqual((yield* send("DELETE", `${club.path}/students/${student.id}`, club)).status, 204)
      assert.strictEqual((yield* of(club, "GET", id)).status, 200)
    }))
})
