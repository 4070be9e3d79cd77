import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, enrolledStudent, listAt, outcome } from "../../harness/App.ts"
import { idOf, listed, openCommentsClub, unknownId, withdraw } from "./CommentsClub.ts"

layer(AppLayer)("A student's own comment", (it) => {
  it.effect("gets other words and says when", () =>
    Effect.gen(function*() {
      const { ana, comment, edit } = yield* openCommentsClub
      const id = idOf(yield* comment(ana, "Antes"))
      const { json, status } = yield* edit(ana, id, "Depois")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual([at(json, "data", "id"), at(json, "data", "body")], [id, "Depois"])
      assert.isString(at(json, "data", "edited_at"))
    }))

  it.effect("that is deleted leaves a tombstone without words, and its replies", () =>
    Effect.gen(function*() {
      const { ana, bia, comment, comments, remove } = yield* openCommentsClub
      const id = idOf(yield* comment(ana, { body: "Antes", mentions: [bia.id] }))
      yield* comment(bia, { body: "Resposta", parent_id: id })
      assert.strictEqual((yield* remove(ana, id)).status, 204)
      const { json } = yield* comments(bia)
      const { body, deleted, mentions, replies_count } = Object(at(json, "data", 0))
      assert.deepStrictEqual({ body, deleted, mentions, replies_count }, {
        body: "",
        deleted: true,
        mentions: [],
        replies_count: 1
      })
      assert.deepStrictEqual(listAt(json, "data", 0, "replies").map((reply) => at(reply, "body")), ["Resposta"])
      assert.strictEqual((yield* remove(ana, id)).status, 204)
    }))

  it.effect("that is deleted without replies is gone", () =>
    Effect.gen(function*() {
      const { ana, comment, comments, edit, remove } = yield* openCommentsClub
      const id = idOf(yield* comment(ana, "x"))
      yield* remove(ana, id)
      assert.deepStrictEqual(listed(yield* comments(ana), "id"), [])
      assert.deepStrictEqual(outcome(yield* edit(ana, id, "y")), [404, "not_found"])
    }))

  it.effect("is nobody else's to change or delete", () =>
    Effect.gen(function*() {
      const club = yield* openCommentsClub
      const foreign = yield* openCommentsClub
      const id = idOf(yield* club.comment(club.ana, "x"))
      const theirs = idOf(yield* foreign.comment(foreign.ana, "x"))
      for (const [student, target] of [[club.bia, id], [club.ana, theirs], [club.ana, unknownId]] as const) {
        assert.deepStrictEqual(outcome(yield* club.edit(student, target, "y")), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* club.remove(student, target)), [404, "not_found"])
      }
      assert.deepStrictEqual(listed(yield* club.comments(club.ana), "body"), ["x"])
    }))

  it.effect("with more than three links waits for the staff, where its author alone sees it", () =>
    Effect.gen(function*() {
      const { ana, bia, comment, comments, edit, moderate } = yield* openCommentsClub
      const links = "http://a.example http://b.example http://c.example http://d.example"
      const written = yield* comment(ana, links)
      assert.isTrue(at(written.json, "data", "pending"))
      assert.deepStrictEqual(listed(yield* comments(bia), "id"), [])
      assert.deepStrictEqual(listed(yield* comments(ana), "body"), [links])
      yield* edit(ana, idOf(written), "Sem links")
      assert.deepStrictEqual(listed(yield* comments(bia), "id"), [])
      yield* moderate(idOf(written), { pending: false })
      assert.deepStrictEqual(listed(yield* comments(bia), "body"), ["Sem links"])
      assert.isTrue(at((yield* edit(ana, idOf(written), links)).json, "data", "pending"))
    }))
})

layer(AppLayer)("A saved comment", (it) => {
  it.effect("is the student's own mark, in a list of its own", () =>
    Effect.gen(function*() {
      const { ana, bia, comment, comments, save, saved, unsave } = yield* openCommentsClub
      const [first, second] = [idOf(yield* comment(bia, "1")), idOf(yield* comment(bia, "2"))]
      for (const id of [second, first, first]) assert.strictEqual((yield* save(ana, id)).status, 204)
      const kept = yield* saved(ana, "?limit=1")
      assert.deepStrictEqual(listed(kept, "body"), ["2"])
      assert.deepStrictEqual(listed(kept, "saved"), [true])
      const more = yield* saved(ana, `?cursor=${String(at(kept.json, "next_cursor"))}`)
      assert.deepStrictEqual(listed(more, "body"), ["1"])
      assert.deepStrictEqual(listed(yield* comments(bia), "saved"), [false, false])
      for (const _ of [1, 2]) assert.strictEqual((yield* unsave(ana, second)).status, 204)
      assert.deepStrictEqual(listed(yield* saved(ana), "body"), ["1"])
    }))

  it.effect("is not shown where its lesson is not any more", () =>
    Effect.gen(function*() {
      const club = yield* openCommentsClub
      yield* club.save(club.ana, idOf(yield* club.comment(club.bia, "1")))
      yield* withdraw(club)
      assert.deepStrictEqual(listed(yield* club.saved(club.ana), "id"), [])
    }))

  it.effect("cannot be one that the student does not see", () =>
    Effect.gen(function*() {
      const club = yield* openCommentsClub
      const foreign = yield* openCommentsClub
      const stranger = yield* enrolledStudent(club)
      const seen = idOf(yield* club.comment(club.bia, "1"))
      const pending = idOf(yield* club.comment(club.bia, "2"))
      yield* club.moderate(pending, { pending: true })
      const theirs = idOf(yield* foreign.comment(foreign.ana, "x"))
      const unseen = [[stranger, seen], [club.ana, pending], [club.ana, theirs], [club.ana, unknownId]] as const
      for (const [student, id] of unseen) {
        for (const call of [club.save(student, id), club.unsave(student, id), club.report(student, id)]) {
          assert.deepStrictEqual(outcome(yield* call), [404, "not_found"])
        }
        assert.deepStrictEqual(outcome(yield* club.react(student, id, "👍")), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* club.unreact(student, id, "👍")), [404, "not_found"])
        assert.deepStrictEqual(outcome(yield* club.replies(student, id)), [404, "not_found"])
      }
    }))
})
