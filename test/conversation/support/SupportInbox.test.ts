import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, listAt, outcome } from "../../harness/App.ts"
import { idOf, listed, openSupportClub, unknownId } from "./SupportClub.ts"

layer(AppLayer)("The staff", (it) => {
  it.effect("sees a conversation with its student, and messages with their authors", () =>
    Effect.gen(function*() {
      const { ana, messages, one, open, owner, reply } = yield* openSupportClub
      const id = idOf(yield* open(ana))
      const replied = yield* reply(id, "Já vejo")
      assert.strictEqual(replied.status, 201)
      const { assignee, last_message_preview, messages_count, status, student } =
        Object(at((yield* one(id)).json, "data"))
      assert.deepStrictEqual({ assignee, last_message_preview, messages_count, status, student }, {
        assignee: null,
        last_message_preview: "Já vejo",
        messages_count: 2,
        status: "open",
        student: { id: ana.id, name: ana.name }
      })
      const authors = listAt((yield* messages(id)).json, "data").map((message) => [
        at(message, "author", "id"),
        at(message, "author", "role"),
        at(message, "mine")
      ])
      assert.deepStrictEqual(authors, [[owner.id, "staff", true], [ana.id, "student", false]])
    }))

  it.effect.each(["owner", "admin", "support"] as const)(
    "who is %s does everything in conversations",
    (role) =>
      Effect.gen(function*() {
        const { ana, change, inbox, member, messages, one, open, read, reply } = yield* openSupportClub
        const id = idOf(yield* open(ana))
        const who = yield* member(role)
        const answers = [
          inbox("", who),
          one(id, who),
          messages(id, "", who),
          reply(id, "A", who),
          change(id, { status: "pending" }, who),
          read(id, who)
        ]
        assert.deepStrictEqual((yield* Effect.all(answers)).map(({ status }) => status), [200, 200, 200, 201, 200, 204])
      })
  )

  it.effect("who is editor may mark as read and nothing else, and a viewer not even that", () =>
    Effect.gen(function*() {
      const { ana, change, inbox, member, messages, one, open, read, reply } = yield* openSupportClub
      const id = idOf(yield* open(ana))
      for (const role of ["editor", "viewer"] as const) {
        const who = yield* member(role)
        const refused = [inbox("", who), one(id, who), messages(id, "", who), reply(id, "A", who), change(id, {}, who)]
        for (const answer of refused) assert.deepStrictEqual(outcome(yield* answer), [403, "forbidden"])
        assert.strictEqual((yield* read(id, who)).status, role === "editor" ? 204 : 403)
      }
    }))

  it.effect("finds no conversation that the club does not have", () =>
    Effect.gen(function*() {
      const { change, messages, one, read, reply } = yield* openSupportClub
      const other = yield* openSupportClub
      const theirs = idOf(yield* other.open(other.ana))
      for (const id of [unknownId, "nope", theirs]) {
        for (const answer of [one(id), messages(id), reply(id), change(id, { status: "closed" }), read(id)]) {
          assert.deepStrictEqual(outcome(yield* answer), [404, "not_found"])
        }
      }
      assert.strictEqual(at((yield* other.one(theirs)).json, "data", "messages_count"), 1)
    }))

  it.effect("finds a conversation before it is told what is wrong with the assignee", () =>
    Effect.gen(function*() {
      const { change } = yield* openSupportClub
      assert.deepStrictEqual(outcome(yield* change(unknownId, { assignee_user_id: unknownId })), [404, "not_found"])
    }))

  it.effect("changes the status, which a reply leaves alone and the student's next message opens", () =>
    Effect.gen(function*() {
      const { ana, change, one, open, ownOne, reply, say } = yield* openSupportClub
      const id = idOf(yield* open(ana))
      const status = Effect.map(one(id), ({ json }) => at(json, "data", "status"))
      for (const next of ["pending", "closed"]) {
        assert.strictEqual(at((yield* change(id, { status: next })).json, "data", "status"), next)
        yield* reply(id)
        assert.strictEqual(yield* status, next)
        assert.strictEqual(at((yield* ownOne(ana, id)).json, "data", "status"), next)
        yield* say(ana, id)
        assert.strictEqual(yield* status, "open")
      }
      assert.deepStrictEqual(outcome(yield* change(id, { status: "solved" })), [422, "validation_failed"])
    }))

  it.effect("says who looks after a conversation, and that nobody does", () =>
    Effect.gen(function*() {
      const { ana, change, member, open } = yield* openSupportClub
      const id = idOf(yield* open(ana))
      const caio = yield* member("support")
      const assignee = (body: unknown) => Effect.map(change(id, body), ({ json }) => at(json, "data", "assignee"))
      const shown = { id: caio.id, name: caio.name }
      assert.deepStrictEqual(yield* assignee({ assignee_user_id: caio.id.toUpperCase() }), shown)
      assert.deepStrictEqual(yield* assignee({ status: "pending" }), shown)
      assert.deepStrictEqual(yield* assignee({}), shown)
      assert.isNull(yield* assignee({ assignee_user_id: null }))
    }))

  it.effect("assigns to no editor, viewer, stranger or student", () =>
    Effect.gen(function*() {
      const { ana, change, member, one, open } = yield* openSupportClub
      const id = idOf(yield* open(ana))
      const stranger = yield* openSupportClub
      const people = [yield* member("editor"), yield* member("viewer"), stranger.owner, ana, { id: unknownId }]
      for (const person of people) {
        const refused = yield* change(id, { status: "closed", assignee_user_id: person.id })
        assert.deepStrictEqual(outcome(refused), [422, "assignee_unknown"])
      }
      assert.deepStrictEqual(outcome(yield* change(id, { assignee_user_id: "nope" })), [422, "validation_failed"])
      assert.strictEqual(at((yield* one(id)).json, "data", "status"), "open")
    }))

  it.effect("looks after nothing any more who left or has another role, and again when they are back", () =>
    Effect.gen(function*() {
      const { ana, change, dismiss, inbox, member, one, open, setRole } = yield* openSupportClub
      const id = idOf(yield* open(ana))
      const caio = yield* member("support")
      yield* change(id, { assignee_user_id: caio.id })
      const assigned = Effect.all([
        Effect.map(one(id), ({ json }) => at(json, "data", "assignee", "id") ?? null),
        Effect.map(inbox(`?assignee_user_id=${caio.id}`), (page) => listed(page, "id"))
      ])
      assert.deepStrictEqual<unknown>(yield* assigned, [caio.id, [id]])
      yield* setRole(caio, "editor")
      assert.deepStrictEqual(yield* assigned, [null, []])
      yield* setRole(caio, "admin")
      assert.deepStrictEqual<unknown>(yield* assigned, [caio.id, [id]])
      yield* dismiss(caio)
      assert.deepStrictEqual(yield* assigned, [null, []])
    }))

  it.effect("lists the latest activity first, by status, assignee and what is unread", () =>
    Effect.gen(function*() {
      const { ana, bia, change, inbox, open, owner, read, say } = yield* openSupportClub
      const [one, two, three] = [idOf(yield* open(ana)), idOf(yield* open(bia)), idOf(yield* open(ana))]
      yield* change(two, { status: "closed", assignee_user_id: owner.id })
      yield* read(two)
      yield* say(ana, one)
      const ids = (query: string) => Effect.map(inbox(query), (page) => listed(page, "id"))
      const expected = {
        "": [one, three, two],
        "?status=open": [one, three],
        "?status=pending": [],
        "?unread=true": [one, three],
        "?unread=false": [two],
        [`?assignee_user_id=${owner.id}`]: [two],
        [`?assignee_user_id=${owner.id}&unread=true`]: [],
        [`?assignee_user_id=${owner.id}&status=closed&unread=false`]: [two],
        [`?assignee_user_id=${unknownId}`]: []
      }
      for (const [query, list] of Object.entries(expected)) assert.deepStrictEqual(yield* ids(query), list, query)
      for (const query of ["?status=x", "?unread=maybe", "?assignee_user_id=x"]) {
        assert.deepStrictEqual(outcome(yield* inbox(query)), [422, "validation_failed"], query)
      }
      assert.deepStrictEqual(outcome(yield* inbox("?cursor=x")), [400, "invalid_cursor"])
    }))
})
