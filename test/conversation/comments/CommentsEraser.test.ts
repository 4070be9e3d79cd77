import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { uuids } from "../../../src/platform/sql/Arrays.ts"
import { AppLayer, at, listAt, outcome, send } from "../../harness/App.ts"
import { untilBlocked, whileHeld } from "../../harness/Waiting.ts"
import { idOf, listed, makeImage, openCommentsClub } from "./CommentsClub.ts"

const secret = "segredo de Ana"

layer(AppLayer)("The removal of a student", (it) => {
  it.effect("leaves tombstones of their comments below which others' replies stay", () =>
    Effect.gen(function*() {
      const { ana, bia, comment, comments, path, token, ...club } = yield* openCommentsClub
      const media_ids = [yield* makeImage(club, ana)]
      const first = idOf(yield* comment(ana, { body: secret, mentions: [bia.id], media_ids }))
      yield* comment(bia, { body: "Resposta", parent_id: first })
      yield* comment(ana, { body: secret, parent_id: first })
      yield* comment(ana, secret)
      assert.strictEqual((yield* send("DELETE", `${path}/students/${ana.id}`, { token })).status, 204)
      const { json, text } = yield* comments(bia)
      assert.notInclude(text, secret)
      const [tombstone, ...others] = listAt(json, "data")
      assert.isEmpty(others)
      const { author, body, deleted, images, mentions, replies_count } = Object(tombstone)
      assert.deepStrictEqual({ author, body, deleted, images, mentions, replies_count }, {
        author: { name: "Anonymized", role: "student", id: ana.id, anonymized: true },
        body: "",
        deleted: true,
        images: [],
        mentions: [],
        replies_count: 1
      })
      assert.deepStrictEqual(listAt(tombstone, "replies").map((reply) => at(reply, "body")), ["Resposta"])
    }))

  it.effect("takes what they gave to others' comments, and where others name them", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { ana, bia, comment, comments, id: club_id, inbox, path, react, report, save, token } =
        yield* openCommentsClub
      const theirs = idOf(yield* comment(bia, { body: "Oi, Ana", mentions: [ana.id] }))
      yield* react(ana, theirs, "👍")
      yield* save(ana, theirs)
      yield* report(ana, theirs, { reason: secret })
      yield* send("DELETE", `${path}/students/${ana.id}`, { token })
      const { json } = yield* comments(bia)
      assert.deepStrictEqual(at(json, "data", 0, "mentions"), [])
      assert.deepStrictEqual(at(json, "data", 0, "reactions"), [])
      assert.deepStrictEqual(listed(yield* inbox("?state=reported"), "id"), [])
      const rows = yield* sql`
        select 1 from comment_reports where club_id = ${club_id}
        union all select 1 from comment_saves where club_id = ${club_id}
        union all select 1 from comment_mentions where club_id = ${club_id}`
      assert.isEmpty(rows)
    }))

  it.effect("empties the kept answer to what they wrote", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { ana, comment, path, token } = yield* openCommentsClub
      yield* comment(ana, secret, { "idempotency-key": "k" })
      const kept = sql`select 1 from idempotency_keys where about @> ${uuids([ana.id])} and answer is not null`
      assert.lengthOf(yield* kept, 1)
      yield* send("DELETE", `${path}/students/${ana.id}`, { token })
      assert.lengthOf(yield* kept, 0)
    }))

  it.effect("empties the kept answers to what names them", () =>
    Effect.gen(function*() {
      const { ana, bia, comment, path, token } = yield* openCommentsClub
      const named = { body: "x", mentions: [ana.id, bia.id] }
      const key = { "idempotency-key": "k" }
      const first = idOf(yield* comment(bia, "x"))
      const written = [
        comment(bia, named, key),
        send("POST", `${path}/comments/${first}/replies`, { token, body: named, headers: key })
      ]
      for (const write of written) assert.strictEqual((yield* write).status, 201)
      yield* send("DELETE", `${path}/students/${ana.id}`, { token })
      for (const again of written) {
        assert.deepStrictEqual(outcome(yield* again), [409, "idempotency_answer_erased"])
      }
    }))

  it.effect("at the same time as they write leaves nothing of theirs", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { ana, bia, comment, id: club_id, path, react, token } = yield* openCommentsClub
      const theirs = idOf(yield* comment(bia, "x"))
      yield* Effect.all([
        ...Array.from({ length: 8 }, (_, index) => comment(ana, `${secret} ${index}`)),
        send("DELETE", `${path}/students/${ana.id}`, { token }),
        ...["👍", "❤️", "😀"].map((emoji) => react(ana, theirs, emoji))
      ], { concurrency: "unbounded" })
      const rows = yield* sql`
        select 1 from comments where club_id = ${club_id} and student_id = ${ana.id} and (body <> '' or deleted_at is null)
        union all select 1 from comment_reactions where club_id = ${club_id} and student_id = ${ana.id}`
      assert.isEmpty(rows)
    }))

  it.effect("at the same time as somebody names them leaves no name", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { ana, bia, comment } = yield* openCommentsClub
      const naming = yield* whileHeld(
        sql`update students set email = ${`${ana.id}@anonymized.invalid`}, removed_at = ${new Date(0)} where id = ${ana.id}`,
        Effect.gen(function*() {
          const naming = yield* Effect.forkChild(comment(bia, { body: "Oi", mentions: [ana.id] }))
          yield* untilBlocked()
          return naming
        })
      )
      assert.deepStrictEqual(outcome(yield* Fiber.join(naming)), [422, "mention_unknown"])
    }))
})
