import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, listAt, outcome, tokenAs } from "../../harness/App.ts"
import { deleteLesson, idOf, listed, makeImage, openCommentsClub, unknownId } from "./CommentsClub.ts"

layer(AppLayer)("The staff", (it) => {
  it.effect("looks through first comments and replies alike, by their state", () =>
    Effect.gen(function*() {
      const { ana, answer, bia, comment, inbox, lesson, moderate, report } = yield* openCommentsClub
      const put = (body: string, parent_id: string | null = null) => Effect.map(comment(ana, { body, parent_id }), idOf)
      const answered = yield* put("answered")
      const reply = idOf(yield* answer(answered, "reply"))
      const [plain, pending, spam, hidden] = [yield* put("plain"), yield* put("p"), yield* put("s"), yield* put("h")]
      yield* moderate(pending, { pending: true })
      yield* moderate(spam, { spam: true })
      yield* moderate(hidden, { hidden: true })
      yield* report(bia, plain)
      const inState = (state: string) => Effect.map(inbox(`?state=${state}`), (answer) => listed(answer, "id"))
      assert.deepStrictEqual(yield* inState("all"), [hidden, spam, pending, plain, reply, answered])
      assert.deepStrictEqual(yield* inState("pending"), [pending])
      assert.deepStrictEqual(yield* inState("spam"), [spam])
      assert.deepStrictEqual(yield* inState("hidden"), [hidden])
      assert.deepStrictEqual(yield* inState("reported"), [plain])
      assert.deepStrictEqual(yield* inState("unanswered"), [hidden, pending, plain])
      assert.deepStrictEqual(listed(yield* inbox("?limit=2"), "id"), [hidden, spam])
      assert.deepStrictEqual(listed(yield* inbox(`?lesson_id=${lesson.id}&state=spam`), "id"), [spam])
      assert.deepStrictEqual(listed(yield* inbox(`?lesson_id=${unknownId}`), "id"), [])
      assert.deepStrictEqual(listed(yield* inbox(`?post_id=${unknownId}`), "id"), [])
      assert.deepStrictEqual(outcome(yield* inbox("?state=other")), [422, "validation_failed"])
      assert.deepStrictEqual(outcome(yield* inbox("?lesson_id=x")), [422, "validation_failed"])
    }))

  it.effect("sees all words but those that were deleted", () =>
    Effect.gen(function*() {
      const { ana, comment, inbox, moderate, read, remove } = yield* openCommentsClub
      const hidden = idOf(yield* comment(ana, "oculto"))
      const deleted = idOf(yield* comment(ana, "apagado"))
      yield* moderate(hidden, { hidden: true })
      yield* remove(ana, deleted)
      assert.deepStrictEqual(listed(yield* inbox(), "body"), ["", "oculto"])
      assert.deepStrictEqual(listed(yield* inbox("?state=unanswered"), "id"), [hidden])
      assert.isTrue(at((yield* read(deleted)).json, "data", "deleted"))
    }))

  it.effect("hides the words of a comment from students, who still see that it is there", () =>
    Effect.gen(function*() {
      const club = yield* openCommentsClub
      const { ana, bia, comment, comments, moderate } = club
      const media_ids = [yield* makeImage(club, ana)]
      const id = idOf(yield* comment(ana, { body: "x", mentions: [bia.id], media_ids }))
      assert.strictEqual((yield* moderate(id, { hidden: true })).status, 200)
      for (const student of [ana, bia]) {
        const { body, hidden, images, mentions } = Object(at((yield* comments(student)).json, "data", 0))
        assert.deepStrictEqual({ body, hidden, images, mentions }, { body: "", hidden: true, images: [], mentions: [] })
      }
    }))

  it.effect("answers, which marks what was asked and its thread", () =>
    Effect.gen(function*() {
      const { ana, answer, answers, bia, comment, owner, read } = yield* openCommentsClub
      const first = idOf(yield* comment(ana, "Pergunta"))
      const followUp = idOf(yield* comment(bia, { body: "E eu?", parent_id: first }))
      const { json, status } = yield* answer(followUp, { body: "Assim", mentions: [bia.id] })
      assert.strictEqual(status, 201)
      const { author, mine, parent_id } = Object(at(json, "data"))
      assert.deepStrictEqual({ author, mine, parent_id }, {
        author: { name: owner.name, role: "staff", id: owner.id, anonymized: false },
        mine: true,
        parent_id: first
      })
      for (const id of [first, followUp]) assert.isTrue(at((yield* read(id)).json, "data", "answered"))
      assert.deepStrictEqual(listed(yield* answers(first), "body"), ["E eu?", "Assim"])
    }))

  it.effect("sets each mark alone and leaves the others", () =>
    Effect.gen(function*() {
      const { ana, comment, moderate } = yield* openCommentsClub
      const id = idOf(yield* comment(ana, "x"))
      const marks = ["hidden", "pinned", "answered", "spam", "pending"]
      const standing = (json: unknown) => marks.filter((mark) => at(json, "data", mark) === true)
      for (const mark of marks) {
        assert.deepStrictEqual(standing((yield* moderate(id, { [mark]: true })).json), [mark])
        assert.deepStrictEqual(standing((yield* moderate(id, { [mark]: false })).json), [])
      }
    }))

  it.effect("changes its own words and nobody else's", () =>
    Effect.gen(function*() {
      const club = yield* openCommentsClub
      const asked = idOf(yield* club.comment(club.ana, "x"))
      const answer = idOf(yield* club.answer(asked, "y"))
      const editor = { token: yield* tokenAs(club, "editor") }
      const { json } = yield* club.moderate(answer, { body: "z" })
      assert.strictEqual(at(json, "data", "body"), "z")
      assert.isString(at(json, "data", "edited_at"))
      for (const [id, member] of [[asked, club], [answer, editor]] as const) {
        assert.deepStrictEqual(outcome(yield* club.moderate(id, { body: "w" }, member)), [403, "not_the_author"])
      }
      assert.isNull(at((yield* club.moderate(asked, { pinned: true })).json, "data", "edited_at"))
    }))

  it.effect("deletes a comment, of which a tombstone stays, and does nothing more with it", () =>
    Effect.gen(function*() {
      const { ana, answer, bia, bury, comment, comments, moderate } = yield* openCommentsClub
      const id = idOf(yield* comment(ana, "x"))
      yield* comment(bia, { body: "y", parent_id: id })
      for (const _ of [1, 2]) assert.strictEqual((yield* bury(id)).status, 204)
      const { json } = yield* comments(bia)
      assert.deepStrictEqual([at(json, "data", 0, "body"), at(json, "data", 0, "deleted")], ["", true])
      assert.deepStrictEqual(outcome(yield* moderate(id, { pinned: true })), [404, "not_found"])
      assert.deepStrictEqual(outcome(yield* answer(id, "z")), [404, "not_found"])
    }))

  it.effect("that is of editor or support answers and moderates; viewers read", () =>
    Effect.gen(function*() {
      const club = yield* openCommentsClub
      const id = idOf(yield* club.comment(club.ana, "x"))
      for (const role of ["admin", "editor", "support"] as const) {
        const member = { token: yield* tokenAs(club, role) }
        assert.strictEqual((yield* club.answer(id, "y", member)).status, 201, role)
        assert.strictEqual((yield* club.moderate(id, { pinned: true }, member)).status, 200, role)
      }
      const viewer = { token: yield* tokenAs(club, "viewer") }
      assert.strictEqual((yield* club.read(id, viewer)).status, 200)
      assert.strictEqual((yield* club.inbox("", viewer)).status, 200)
      const writes = [club.answer(id, "y", viewer), club.moderate(id, { pinned: true }, viewer), club.bury(id, viewer)]
      for (const write of writes) assert.deepStrictEqual(outcome(yield* write), [403, "forbidden"])
    }))

  it.effect("finds no comment of another club, nor of a lesson that was deleted", () =>
    Effect.gen(function*() {
      const club = yield* openCommentsClub
      const foreign = yield* openCommentsClub
      const id = idOf(yield* club.comment(club.ana, "x"))
      const theirs = idOf(yield* foreign.comment(foreign.ana, "x"))
      yield* deleteLesson(club)
      for (const target of [id, theirs, unknownId]) {
        const calls = [
          club.read(target),
          club.answers(target),
          club.answer(target, "y"),
          club.moderate(target, { hidden: true }),
          club.bury(target)
        ]
        for (const call of calls) assert.deepStrictEqual(outcome(yield* call), [404, "not_found"])
      }
      assert.isEmpty(listAt((yield* club.inbox()).json, "data"))
      assert.strictEqual(at((yield* foreign.read(theirs)).json, "data", "body"), "x")
    }))
})
