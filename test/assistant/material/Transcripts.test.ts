import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import type { ClubId } from "../../../src/identity/ids/ClubId.ts"
import { AppLayer, at, enrolledStudent, foundClub, outcome, send, tokenAs } from "../../harness/App.ts"
import { makeBlock, makeLiveLesson } from "../../harness/Makers.ts"
import { Files, makeMedia } from "./MaterialLayer.ts"

const opened = Effect.gen(function*() {
  const club = yield* foundClub()
  const media = yield* makeMedia(club)
  return { club, media, path: `${club.path}/media/${media.id}/transcript` }
}).pipe(Effect.provide(Files.layer))

const Queue = Schema.Array(Schema.Struct({ lesson_id: Schema.String }))
const queued = Effect.fnUntraced(function*(club: { readonly id: ClubId }) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`delete from material_queue where club_id = ${club.id} returning lesson_id`
  return (yield* Schema.decodeUnknownEffect(Queue)(rows)).map(({ lesson_id }) => lesson_id)
})

layer(AppLayer)("The transcript of a media record", (it) => {
  it.effect("is written, replaced, read and deleted", () =>
    Effect.gen(function*() {
      const { club: { token }, media, path } = yield* opened
      assert.deepStrictEqual(outcome(yield* send("GET", path, { token })), [404, "not_found"])
      const put = yield* send("PUT", path, { token, body: { text: "First." } })
      assert.deepStrictEqual([put.status, put.json], [200, { data: { media_id: media.id, text: "First." } }])
      yield* send("PUT", path, { token, body: { text: "Olá, 🎸.\nSecond." } })
      const got = yield* send("GET", path, { token })
      assert.strictEqual(at(got.json, "data", "text"), "Olá, 🎸.\nSecond.")
      assert.strictEqual((yield* send("DELETE", path, { token })).status, 204)
      assert.deepStrictEqual(outcome(yield* send("GET", path, { token })), [404, "not_found"])
      assert.deepStrictEqual(outcome(yield* send("DELETE", path, { token })), [404, "not_found"])
    }))

  it.effect("has the lessons that show the record read anew", () =>
    Effect.gen(function*() {
      const { club, media, path } = yield* opened
      const { lesson } = yield* makeLiveLesson(club)
      yield* makeBlock(club, lesson, { kind: "video", media_id: media.id })
      yield* send("PUT", path, { token: club.token, body: { text: "Text." } })
      assert.deepStrictEqual(yield* queued(club), [lesson.id])
      yield* send("DELETE", path, { token: club.token })
      assert.deepStrictEqual(yield* queued(club), [lesson.id])
    }))

  it.effect("has 1 to 500,000 characters", () =>
    Effect.gen(function*() {
      const { club: { token }, path } = yield* opened
      const put = (text: unknown) => send("PUT", path, { token, body: { text } })
      assert.deepStrictEqual(outcome(yield* put("")), [422, "validation_failed"])
      assert.strictEqual((yield* put("ã".repeat(500_000))).status, 200)
      assert.deepStrictEqual(outcome(yield* put("a".repeat(500_001))), [422, "validation_failed"])
      assert.deepStrictEqual(outcome(yield* put("a\u0000b")), [422, "validation_failed"])
      assert.deepStrictEqual(outcome(yield* send("PUT", path, { token, body: {} })), [422, "validation_failed"])
    }))

  it.effect.each(["GET", "PUT", "DELETE"] as const)(
    "is not there for %s of a record that the library does not have",
    (method) =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { club, media, path } = yield* opened
        const student = yield* enrolledStudent(club)
        const other = yield* opened
        yield* send("PUT", path, { token: club.token, body: { text: "Text." } })
        yield* send("PUT", other.path, { token: other.club.token, body: { text: "Theirs." } })
        const sent = { token: club.token, ...(method === "PUT" ? { body: { text: "Mine." } } : {}) }
        const ask = (id: string) => Effect.map(send(method, `${club.path}/media/${id}/transcript`, sent), outcome)
        for (const id of [randomUUID(), "x", other.media.id]) assert.deepStrictEqual(yield* ask(id), [404, "not_found"])
        yield* sql`update media set removed_at = ${DateTime.toDateUtc(yield* DateTime.now)} where id = ${media.id}`
        assert.deepStrictEqual(yield* ask(media.id), [404, "not_found"])
        yield* sql`update media set removed_at = null, purpose = 'ask', student_id = ${student.id} where id = ${media.id}`
        assert.deepStrictEqual(yield* ask(media.id), [404, "not_found"])
        const theirs = yield* send("GET", other.path, { token: other.club.token })
        assert.strictEqual(at(theirs.json, "data", "text"), "Theirs.")
      })
  )

  it.effect("is the content staff's", () =>
    Effect.gen(function*() {
      const { club, path } = yield* opened
      const body = { text: "Text." }
      const statusFor = (token: string) =>
        Effect.all([
          Effect.map(send("PUT", path, { token, body }), ({ status }) => status),
          Effect.map(send("GET", path, { token }), ({ status }) => status),
          Effect.map(send("DELETE", path, { token }), ({ status }) => status)
        ])
      assert.deepStrictEqual(yield* statusFor(yield* tokenAs(club, "editor")), [200, 200, 204])
      assert.deepStrictEqual(yield* statusFor(yield* tokenAs(club, "support")), [403, 403, 403])
      assert.deepStrictEqual(yield* statusFor(yield* tokenAs(club, "viewer")), [403, 403, 403])
      assert.deepStrictEqual(yield* statusFor((yield* foundClub()).token), [403, 403, 403])
      assert.deepStrictEqual(yield* statusFor((yield* enrolledStudent(club)).token), [401, 401, 401])
    }))
})
