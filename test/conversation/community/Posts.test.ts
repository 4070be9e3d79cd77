import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AppLayer, at, listAt, outcome, send, tokenAs } from "../../harness/App.ts"
import { idOf, openCommunity, paid, unknownId } from "./OpenCommunity.ts"

const bodies = ({ json }: { readonly json: unknown }) => listAt(json, "data").map((post) => at(post, "body"))

layer(AppLayer)("A post", (it) => {
  it.effect("is written by a student and shown with every field", () =>
    Effect.gen(function*() {
      const { ana, bia, general, post, read } = yield* openCommunity
      const written = yield* post(ana, general, { title: "Oi", body: "Cheguei" })
      assert.strictEqual(written.status, 201)
      const expected = {
        id: idOf(written),
        space_id: general,
        title: "Oi",
        body: "Cheguei",
        author: { name: ana.name, role: "student", id: ana.id, anonymized: false },
        created_at: at(written.json, "data", "created_at"),
        edited_at: null,
        hidden: false,
        pinned: false,
        deleted: false,
        mine: true,
        mentions: [],
        comments_count: 0
      }
      assert.deepStrictEqual(at(written.json, "data"), expected)
      assert.deepStrictEqual(at((yield* read(bia, idOf(written))).json, "data"), { ...expected, mine: false })
      assert.deepStrictEqual(yield* paid(ana), [["post_published", idOf(written)]])
    }))

  it.effect("of the staff names its author and pays nobody", () =>
    Effect.gen(function*() {
      const club = yield* openCommunity
      const { json } = yield* club.post(club, club.announcements, "Aviso")
      assert.deepStrictEqual(at(json, "data", "author"), {
        name: club.owner.name,
        role: "staff",
        id: club.owner.id,
        anonymized: false
      })
      assert.isNull(at(json, "data", "title"))
    }))

  it.effect("comes newest first, page by page, and pinned ones alone if asked", () =>
    Effect.gen(function*() {
      const club = yield* openCommunity
      const ids: Array<string> = []
      for (const body of ["1", "2", "3"]) ids.push(idOf(yield* club.post(club.ana, club.general, body)))
      yield* club.patch(club, ids[0] ?? "", { pinned: true })
      const first = yield* club.posts(club.bia, club.general, "?limit=2")
      assert.deepStrictEqual(bodies(first), ["3", "2"])
      const cursor = String(at(first.json, "next_cursor"))
      assert.deepStrictEqual(bodies(yield* club.posts(club.bia, club.general, `?cursor=${cursor}`)), ["1"])
      assert.deepStrictEqual(bodies(yield* club.posts(club.bia, club.general, "?pinned=true")), ["1"])
      assert.deepStrictEqual(bodies(yield* club.posts(club.bia, club.announcements)), [])
      assert.deepStrictEqual(outcome(yield* club.posts(club.bia, club.general, "?cursor=x")), [400, "invalid_cursor"])
    }))

  it.effect("in a space of the staff is refused to students", () =>
    Effect.gen(function*() {
      const { ana, announcements, post, posts } = yield* openCommunity
      assert.deepStrictEqual(outcome(yield* post(ana, announcements, "x")), [403, "posting_not_allowed"])
      assert.deepStrictEqual(bodies(yield* posts(ana, announcements)), [])
    }))

  it.effect("in an archived space is refused to the staff, who reads on", () =>
    Effect.gen(function*() {
      const club = yield* openCommunity
      yield* club.post(club, club.general, "x")
      yield* club.archive(club.general)
      assert.deepStrictEqual(outcome(yield* club.post(club, club.general, "y")), [409, "space_archived"])
      assert.deepStrictEqual(bodies(yield* club.posts(club, club.general)), ["x"])
    }))

  it.effect("is a student's own to change and delete, and nobody else's", () =>
    Effect.gen(function*() {
      const { ana, bia, general, patch, post, posts, remove } = yield* openCommunity
      const id = idOf(yield* post(ana, general, { title: "Oi", body: "a" }))
      const changed = yield* patch(ana, id, { title: null, body: "b" })
      const { body, edited_at, title } = Object(at(changed.json, "data"))
      assert.deepStrictEqual([title, body, typeof edited_at], [null, "b", "string"])
      assert.deepStrictEqual(outcome(yield* patch(bia, id, { body: "c" })), [404, "not_found"])
      assert.deepStrictEqual(outcome(yield* remove(bia, id)), [404, "not_found"])
      for (const flags of [{ hidden: true }, { pinned: true }]) {
        const refused = yield* patch(ana, id, flags)
        assert.deepStrictEqual(outcome(refused), [403, "forbidden"])
        assert.strictEqual(
          at(refused.json, "error", "message"),
          "A student may not hide or pin a post: only the staff does"
        )
      }
      assert.strictEqual((yield* remove(ana, id)).status, 204)
      assert.deepStrictEqual(bodies(yield* posts(ana, general)), [])
      assert.deepStrictEqual(outcome(yield* patch(ana, id, { body: "d" })), [404, "not_found"])
    }))

  it.effect("is hidden, pinned and deleted by the content's staff, whose words it is not", () =>
    Effect.gen(function*() {
      const club = yield* openCommunity
      const id = idOf(yield* club.post(club.ana, club.general, { title: "Oi", body: "a" }))
      const editor = { token: yield* tokenAs(club, "editor") }
      assert.deepStrictEqual(outcome(yield* club.patch(editor, id, { body: "b" })), [403, "not_the_author"])
      const pinned = yield* club.patch(editor, id, { pinned: true })
      assert.deepStrictEqual([at(pinned.json, "data", "pinned"), at(pinned.json, "data", "edited_at")], [true, null])
      yield* club.patch(editor, id, { hidden: true })
      for (const [viewer, title, body] of [[club, "Oi", "a"], [club.ana, null, ""], [club.bia, null, ""]] as const) {
        const { json } = yield* club.read(viewer, id)
        assert.deepStrictEqual([at(json, "data", "title"), at(json, "data", "body")], [title, body])
      }
      assert.strictEqual((yield* club.remove(editor, id)).status, 204)
      assert.deepStrictEqual(outcome(yield* club.read(club, id)), [404, "not_found"])
    }))

  it.effect("is not written by support and viewers", () =>
    Effect.gen(function*() {
      const club = yield* openCommunity
      const id = idOf(yield* club.post(club.ana, club.general, "a"))
      for (const role of ["support", "viewer"] as const) {
        const member = { token: yield* tokenAs(club, role) }
        const writes = [
          club.post(member, club.general, "x"),
          club.patch(member, id, { hidden: true }),
          club.remove(member, id)
        ]
        for (const write of writes) assert.deepStrictEqual(outcome(yield* write), [403, "forbidden"])
        assert.strictEqual((yield* club.read(member, id)).status, 200)
      }
    }))

  it.effect("that is deleted stays as a tombstone while there are comments", () =>
    Effect.gen(function*() {
      const { ana, bia, comment, comments, general, post, posts, read, remove } = yield* openCommunity
      const id = idOf(yield* post(ana, general, { title: "Oi", body: "a" }))
      yield* comment(bia, id, "Resposta")
      yield* remove(ana, id)
      const { body, comments_count, deleted, title } = Object(at((yield* read(bia, id)).json, "data"))
      assert.deepStrictEqual({ body, comments_count, deleted, title }, {
        body: "",
        comments_count: 1,
        deleted: true,
        title: null
      })
      assert.deepStrictEqual(bodies(yield* posts(bia, general)), [""])
      assert.deepStrictEqual(bodies(yield* comments(bia, id)), ["Resposta"])
      assert.deepStrictEqual(outcome(yield* comment(bia, id, "Mais")), [404, "not_found"])
    }))

  it.effect.each([
    {},
    { body: "" },
    { body: "x".repeat(20_001) },
    { body: "x", title: "" },
    { body: "x", title: "x".repeat(201) }
  ])("is refused as %j", (body) =>
    Effect.gen(function*() {
      const { ana, general, post } = yield* openCommunity
      assert.deepStrictEqual(outcome(yield* post(ana, general, body)), [422, "validation_failed"])
    }))

  it.effect("of another club is found by nobody, nor is its space", () =>
    Effect.gen(function*() {
      const club = yield* openCommunity
      const foreign = yield* openCommunity
      const theirs = idOf(yield* foreign.post(foreign.ana, foreign.general, "x"))
      for (const person of [club, club.ana]) {
        for (const [space, id] of [[foreign.general, theirs], [unknownId, unknownId]] as const) {
          const calls = [
            club.posts(person, space),
            club.post(person, space, "x"),
            club.read(person, id),
            club.patch(person, id, { body: "y" }),
            club.remove(person, id),
            club.comments(person, id),
            club.comment(person, id, "x")
          ]
          for (const call of calls) assert.deepStrictEqual(outcome(yield* call), [404, "not_found"])
        }
      }
      assert.strictEqual(at((yield* foreign.read(foreign.ana, theirs)).json, "data", "body"), "x")
    }))

  it.effect("is written once for one Idempotency-Key, and paid five times a day", () =>
    Effect.gen(function*() {
      const { ana, general, post, posts } = yield* openCommunity
      const headers = { "idempotency-key": "once" }
      for (const _ of [1, 2]) yield* post(ana, general, "x", headers)
      assert.deepStrictEqual(bodies(yield* posts(ana, general)), ["x"])
      for (let count = 0; count < 6; count++) yield* post(ana, general, "y")
      assert.lengthOf(yield* paid(ana), 5)
    }))

  it.effect("of a removed student becomes a tombstone", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const club = yield* openCommunity
      const id = idOf(yield* club.post(club.ana, club.general, { title: "segredo", body: "segredo" }))
      yield* club.comment(club.bia, id, "Resposta")
      yield* send("DELETE", `${club.path}/students/${club.ana.id}`, { token: club.token })
      const { json, text } = yield* club.read(club.bia, id)
      assert.notInclude(text, "segredo")
      assert.deepStrictEqual(at(json, "data", "author"), {
        name: "Anonymized",
        role: "student",
        id: club.ana.id,
        anonymized: true
      })
      assert
        .isEmpty(yield* sql`select 1 from posts where student_id = ${club.ana.id} and (title is not null or body <> '')`)
    }))
})
