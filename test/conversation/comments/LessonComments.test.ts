import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, enrolledStudent, foundClub, listAt, outcome, send } from "../../harness/App.ts"
import { makeMember, makeStudent } from "../../harness/Makers.ts"
import { countComments, idOf, listed, makeImage, openCommentsClub, unknownId, withdraw } from "./CommentsClub.ts"

layer(AppLayer)("Comments on a lesson", (it) => {
  it.effect("are written and shown with every field of the contract", () =>
    Effect.gen(function*() {
      const { ana, bia, comment, comments, owner } = yield* openCommentsClub
      const first = yield* comment(ana, { body: "Que acorde é esse?", mentions: [bia.id, owner.id] })
      assert.strictEqual(first.status, 201)
      const created_at = String(at(first.json, "data", "created_at"))
      assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      const expected = {
        id: idOf(first),
        body: "Que acorde é esse?",
        author: { name: "Bia Lima", role: "student", id: ana.id, anonymized: false },
        reactions: [],
        replies_count: 0,
        created_at,
        hidden: false,
        pinned: false,
        deleted: false,
        mine: true,
        answered: false,
        pending: false,
        spam: false,
        saved: false,
        parent_id: null,
        mentions: [
          { id: bia.id, name: "Bia Lima", role: "student" },
          { id: owner.id, name: "Ana Souza", role: "staff" }
        ],
        images: [],
        replies: [],
        edited_at: null
      }
      assert.deepStrictEqual(at(first.json, "data"), expected)
      assert.deepStrictEqual(listAt((yield* comments(ana)).json, "data"), [expected])
      assert.deepStrictEqual(listAt((yield* comments(bia)).json, "data"), [{ ...expected, mine: false }])
    }))

  it.effect("come newest first, page by page, whatever is written meanwhile", () =>
    Effect.gen(function*() {
      const { ana, comment, comments } = yield* openCommentsClub
      for (const body of ["1", "2", "3", "4"]) yield* comment(ana, body)
      const first = yield* comments(ana, "?limit=2")
      assert.deepStrictEqual(listed(first, "body"), ["4", "3"])
      yield* comment(ana, "5")
      const second = yield* comments(ana, `?limit=2&cursor=${String(at(first.json, "next_cursor"))}`)
      assert.deepStrictEqual(listed(second, "body"), ["2", "1"])
      assert.isNull(at(second.json, "next_cursor"))
    }))

  it.effect("are listed alone if the staff pinned them", () =>
    Effect.gen(function*() {
      const { ana, comment, comments, moderate } = yield* openCommentsClub
      const ids: Array<string> = []
      for (const body of ["1", "2", "3"]) ids.push(idOf(yield* comment(ana, body)))
      for (const id of ids.slice(0, 2)) yield* moderate(id, { pinned: true })
      const first = yield* comments(ana, "?pinned=true&limit=1")
      assert.deepStrictEqual(listed(first, "body"), ["2"])
      const second = yield* comments(ana, `?pinned=true&cursor=${String(at(first.json, "next_cursor"))}`)
      assert.deepStrictEqual(listed(second, "body"), ["1"])
      assert.deepStrictEqual(listed(yield* comments(ana), "body"), ["3", "2", "1"])
    }))

  it.effect("are found by a link, with the beginning of their thread and their lesson", () =>
    Effect.gen(function*() {
      const { ana, bia, comment, comments, find, lesson } = yield* openCommentsClub
      const parent_id = idOf(yield* comment(ana, "Pergunta"))
      for (const body of ["1", "2", "3", "4"]) yield* comment(bia, { body, parent_id })
      const last = idOf(yield* comment(bia, { body: "5", parent_id }))
      const place = { lesson_public_id: lesson.public_id, post_id: null }
      const [thread] = listAt((yield* comments(ana)).json, "data")
      assert.deepStrictEqual<unknown>(at((yield* find(ana, parent_id)).json, "data"), {
        comment: thread,
        thread: null,
        ...place
      })
      const found = at((yield* find(ana, last)).json, "data")
      assert.deepInclude(found, { thread, ...place })
      assert.deepInclude(at(found, "comment"), { id: last, body: "5", parent_id })
    }))

  it.effect("are found by a link only by those to whom lists show them", () =>
    Effect.gen(function*() {
      const club = yield* openCommentsClub
      const { ana, bia, comment, find, moderate, remove } = club
      const spam = idOf(yield* comment(ana, "Compre já"))
      const below = idOf(yield* comment(ana, { body: "Aqui", parent_id: spam }))
      const gone = idOf(yield* comment(ana, "Engano"))
      yield* moderate(spam, { spam: true })
      yield* remove(ana, gone)
      const outcomes = (student: typeof ana) =>
        Effect.forEach([spam, below, gone, unknownId], (id) => Effect.map(find(student, id), ({ status }) => status))
      assert.deepStrictEqual(yield* outcomes(ana), [200, 200, 404, 404])
      assert.deepStrictEqual(yield* outcomes(bia), [404, 404, 404, 404])
      yield* withdraw(club)
      assert.deepStrictEqual(yield* outcomes(ana), [404, 404, 404, 404])
    }))

  it.effect("refuse a cursor that is not theirs", () =>
    Effect.gen(function*() {
      const { ana, comments } = yield* openCommentsClub
      assert.deepStrictEqual(outcome(yield* comments(ana, "?cursor=x")), [400, "invalid_cursor"])
    }))

  it.effect("carry their first three replies, oldest first, and count all", () =>
    Effect.gen(function*() {
      const { ana, bia, comment, comments, replies } = yield* openCommentsClub
      const parent_id = idOf(yield* comment(ana, "Pergunta"))
      for (const body of ["1", "2", "3", "4", "5"]) yield* comment(bia, { body, parent_id })
      const { json } = yield* comments(ana)
      assert.lengthOf(listAt(json, "data"), 1)
      assert.strictEqual(at(json, "data", 0, "replies_count"), 5)
      assert.deepStrictEqual(listAt(json, "data", 0, "replies").map((reply) => at(reply, "body")), ["1", "2", "3"])
      assert.deepStrictEqual(at(json, "data", 0, "replies", 0, "replies"), [])
      assert.strictEqual(at(json, "data", 0, "replies", 0, "parent_id"), parent_id)
      const rest = yield* replies(ana, parent_id, "?limit=3")
      assert.deepStrictEqual(listed(rest, "body"), ["1", "2", "3"])
      const last = yield* replies(ana, parent_id, `?cursor=${String(at(rest.json, "next_cursor"))}`)
      assert.deepStrictEqual(listed(last, "body"), ["4", "5"])
    }))

  it.effect("keep a reply to a reply below the same first comment", () =>
    Effect.gen(function*() {
      const { ana, bia, comment } = yield* openCommentsClub
      const first = idOf(yield* comment(ana, "Pergunta"))
      const reply = idOf(yield* comment(bia, { body: "Resposta", parent_id: first }))
      const { json } = yield* comment(ana, { body: "Obrigada", parent_id: reply })
      assert.strictEqual(at(json, "data", "parent_id"), first)
    }))

  it.effect("are 404 where the lesson is not live, not held, unknown or of another club", () =>
    Effect.gen(function*() {
      const club = yield* openCommentsClub
      const foreign = yield* openCommentsClub
      const stranger = yield* enrolledStudent(club)
      const at404 = (student: { readonly token: string }, lesson: string) =>
        Effect.gen(function*() {
          const path = `${club.path}/classroom/lessons/${lesson}/comments`
          assert.deepStrictEqual(outcome(yield* send("GET", path, { token: student.token })), [404, "not_found"])
          const written = yield* send("POST", path, { token: student.token, body: { body: "x" } })
          assert.deepStrictEqual(outcome(written), [404, "not_found"])
        })
      yield* at404(stranger, club.lesson.public_id)
      yield* at404(club.ana, "nothing")
      yield* at404(club.ana, foreign.lesson.public_id)
      yield* withdraw(club)
      yield* at404(club.ana, club.lesson.public_id)
      assert.strictEqual(yield* countComments(club), 0)
    }))

  it.effect.each([
    [{ body: "" }, "validation_failed"],
    [{ body: "x".repeat(5001) }, "validation_failed"],
    [
      { body: "x", mentions: Array.from({ length: 21 }, (_, index) => `${unknownId.slice(0, -2)}${10 + index}`) },
      "validation_failed"
    ],
    [
      { body: "x", media_ids: Array.from({ length: 6 }, (_, index) => `${unknownId.slice(0, -1)}${index}`) },
      "validation_failed"
    ],
    [{ body: "x", mentions: [unknownId] }, "mention_unknown"],
    [{ body: "x", media_ids: [unknownId] }, "media_unknown"],
    [{ body: "x", parent_id: unknownId }, "parent_unknown"]
  ])("refuse %j and keep nothing of it", ([body, code]) =>
    Effect.gen(function*() {
      const club = yield* openCommentsClub
      assert.deepStrictEqual(outcome(yield* club.comment(club.ana, body)), [422, code])
      assert.strictEqual(yield* countComments(club), 0)
    }))

  it.effect("take 5000 characters and 20 mentions", () =>
    Effect.gen(function*() {
      const club = yield* openCommentsClub
      const people = yield* Effect.forEach(Array.from({ length: 20 }), () => makeStudent(club))
      const { json, status } = yield* club.comment(club.ana, {
        body: "é".repeat(5000),
        mentions: people.map(({ id }) => id)
      })
      assert.strictEqual(status, 201)
      assert.lengthOf(listAt(json, "data", "mentions"), 20)
    }))

  it.effect("name nobody who was removed, or of another club", () =>
    Effect.gen(function*() {
      const club = yield* openCommentsClub
      const foreign = yield* foundClub()
      const removed = yield* makeStudent(club)
      yield* send("DELETE", `${club.path}/students/${removed.id}`, { token: club.token })
      const others = [removed, yield* makeStudent(foreign), yield* makeMember(foreign, "editor")]
      for (const { id } of others) {
        const refused = yield* club.comment(club.ana, { body: "x", mentions: [club.bia.id, id] })
        assert.deepStrictEqual(outcome(refused), [422, "mention_unknown"])
      }
      assert.strictEqual(yield* countComments(club), 0)
    }))

  it.effect("reply to no comment of another lesson, and to none that is deleted", () =>
    Effect.gen(function*() {
      const club = yield* openCommentsClub
      const elsewhere = yield* openCommentsClub
      const foreign = idOf(yield* elsewhere.comment(elsewhere.ana, "x"))
      const deleted = idOf(yield* club.comment(club.ana, "x"))
      yield* club.comment(club.bia, { body: "y", parent_id: deleted })
      yield* club.remove(club.ana, deleted)
      for (const parent_id of [foreign, deleted]) {
        const refused = yield* club.comment(club.bia, { body: "x", parent_id })
        assert.deepStrictEqual(outcome(refused), [422, "parent_unknown"])
      }
    }))

  it.effect("are written once for one Idempotency-Key", () =>
    Effect.gen(function*() {
      const club = yield* openCommentsClub
      const headers = { "idempotency-key": "once" }
      const first = yield* club.comment(club.ana, "x", headers)
      const again = yield* club.comment(club.ana, "x", headers)
      assert.strictEqual(again.text, first.text)
      assert.strictEqual(yield* countComments(club), 1)
    }))

  it.effect("show images of the student's own uploads for comments, in their order", () =>
    Effect.gen(function*() {
      const club = yield* openCommentsClub
      const media_ids = [yield* makeImage(club, club.ana), yield* makeImage(club, club.ana)].toReversed()
      const { json } = yield* club.comment(club.ana, { body: "x", media_ids })
      const images = listAt(json, "data", "images")
      assert.lengthOf(images, 2)
      assert.hasAllKeys(images[0], [
        "kind",
        "provider",
        "url",
        "expires_at",
        "signed",
        "thumbnail_url",
        "duration_seconds",
        "mime",
        "size_bytes",
        "width",
        "height",
        "title"
      ])
      const shown = listAt((yield* club.comments(club.bia)).json, "data", 0, "images")
      assert.deepStrictEqual(shown.map((image) => at(image, "kind")), ["image", "image"])
    }))

  it.effect("take no image of somebody else, of the library, for something else, or that is not one", () =>
    Effect.gen(function*() {
      const club = yield* openCommentsClub
      const refused = [
        yield* makeImage(club, club.bia),
        yield* makeImage(club, null),
        yield* makeImage(club, club.ana, { purpose: "submission" }),
        yield* makeImage(club, club.ana, { kind: "document" }),
        yield* makeImage(club, club.ana, { status: "uploading" })
      ]
      for (const id of refused) {
        const answer = yield* club.comment(club.ana, { body: "x", media_ids: [id] })
        assert.deepStrictEqual(outcome(answer), [422, "media_unknown"])
      }
      assert.strictEqual(yield* countComments(club), 0)
    }))
})
