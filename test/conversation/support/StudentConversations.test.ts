import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { AppLayer, at, listAt, outcome, send } from "../../harness/App.ts"
import { momentOf } from "../../learning/gamification/Classroom.ts"
import { idOf, listed, openSupportClub, unknownId } from "./SupportClub.ts"

layer(AppLayer)("A student", (it) => {
  it.effect("opens a conversation with a subject and a first message", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(momentOf("2026-05-10T18:00:00Z"))
      const { ana, open, ownMessages } = yield* openSupportClub
      const opened = yield* open(ana, "Boleto", "Não chegou")
      assert.strictEqual(opened.status, 201)
      const id = idOf(opened)
      assert.deepStrictEqual<unknown>(at(opened.json, "data"), {
        id,
        subject: "Boleto",
        status: "open",
        created_at: "2026-05-10T18:00:00.000Z",
        last_message_at: "2026-05-10T18:00:00.000Z",
        last_message_preview: "Não chegou",
        messages_count: 1,
        unread_count: 0,
        read_number: 1
      })
      const [message, ...others] = listAt((yield* ownMessages(ana, id)).json, "data")
      assert.isEmpty(others)
      const { author, body, mine, number } = Object(message)
      assert.deepStrictEqual({ author, body, mine, number }, {
        author: { id: ana.id, name: ana.name, role: "student", anonymized: false },
        body: "Não chegou",
        mine: true,
        number: 1
      })
    }))

  it.effect("lists their own conversations, the latest activity first, over pages", () =>
    Effect.gen(function*() {
      const { ana, bia, open, own, reply, say } = yield* openSupportClub
      const [one, two, three] = [idOf(yield* open(ana)), idOf(yield* open(ana)), idOf(yield* open(ana))]
      yield* open(bia)
      yield* say(ana, one)
      yield* reply(two)
      const first = yield* own(ana, "?limit=2")
      const second = yield* own(ana, `?limit=2&cursor=${at(first.json, "next_cursor")}`)
      assert.deepStrictEqual([listed(first, "id"), listed(second, "id")], [[two, one], [three]])
      assert.isNull(at(second.json, "next_cursor"))
      for (const cursor of ["x", Buffer.from("{\"activity\":3e9}").toString("base64url")]) {
        assert.deepStrictEqual(outcome(yield* own(ana, `?cursor=${cursor}`)), [400, "invalid_cursor"])
      }
    }))

  it.effect("reads messages, the newest first, over pages", () =>
    Effect.gen(function*() {
      const { ana, messages, open, ownMessages, reply, say } = yield* openSupportClub
      const id = idOf(yield* open(ana, "A", "um"))
      yield* reply(id, "dois")
      yield* say(ana, id, "três")
      const first = yield* ownMessages(ana, id, "?limit=2")
      const second = yield* ownMessages(ana, id, `?limit=2&cursor=${at(first.json, "next_cursor")}`)
      assert.deepStrictEqual([listed(first, "body"), listed(second, "body")], [["três", "dois"], ["um"]])
      assert.isNull(at(second.json, "next_cursor"))
      assert.deepStrictEqual(listed(yield* messages(id), "number"), [3, 2, 1])
      const bad = Buffer.from("{\"number\":3e9}").toString("base64url")
      assert.deepStrictEqual(outcome(yield* ownMessages(ana, id, `?cursor=${bad}`)), [400, "invalid_cursor"])
    }))

  it.effect("has not read what the staff wrote until they read or write", () =>
    Effect.gen(function*() {
      const { ana, open, ownOne, ownRead, reply, say } = yield* openSupportClub
      const id = idOf(yield* open(ana))
      const marker = Effect.map(ownOne(ana, id), ({ json }) => {
        const { read_number, unread_count } = Object(at(json, "data"))
        return [unread_count, read_number]
      })
      yield* reply(id)
      yield* reply(id)
      assert.deepStrictEqual(yield* marker, [2, 1])
      assert.strictEqual((yield* ownRead(ana, id)).status, 204)
      assert.deepStrictEqual(yield* marker, [0, 3])
      yield* reply(id)
      assert.deepStrictEqual(yield* marker, [1, 3])
      yield* say(ana, id)
      assert.deepStrictEqual(yield* marker, [0, 5])
    }))

  it.effect("has nothing to do with another student's conversation", () =>
    Effect.gen(function*() {
      const { ana, bia, messages, open, own, ownMessages, ownOne, ownRead, say } = yield* openSupportClub
      const id = idOf(yield* open(ana))
      for (const other of [id, unknownId, "nope"]) {
        for (const answer of [ownOne(bia, other), ownMessages(bia, other), say(bia, other), ownRead(bia, other)]) {
          assert.deepStrictEqual(outcome(yield* answer), [404, "not_found"])
        }
      }
      assert.deepStrictEqual(listed(yield* own(bia), "id"), [])
      assert.deepStrictEqual(listed(yield* messages(id), "number"), [1])
    }))

  it.effect("writes subjects of 1 to 200 and messages of 1 to 5000 characters", () =>
    Effect.gen(function*() {
      const { ana, open, say } = yield* openSupportClub
      const id = idOf(yield* open(ana, "á".repeat(200), "á".repeat(5000)))
      const wrong = [open(ana, ""), open(ana, "a".repeat(201)), open(ana, "A", ""), say(ana, id, "a".repeat(5001))]
      for (const answer of [...wrong, say(ana, id, "\u0000")]) {
        assert.deepStrictEqual(outcome(yield* answer), [422, "validation_failed"])
      }
    }))

  it.effect("writes once with one Idempotency-Key", () =>
    Effect.gen(function*() {
      const { ana, messages, open, own, reply, say, ...club } = yield* openSupportClub
      const key = { "idempotency-key": "k" }
      const id = idOf(yield* open(ana, "A", "um", key))
      assert.strictEqual(idOf(yield* open(ana, "A", "um", key)), id)
      assert.lengthOf(listed(yield* own(ana), "id"), 1)
      const said = [yield* say(ana, id, "dois", key), yield* say(ana, id, "dois", key)]
      const replied = [yield* reply(id, "três", club, key), yield* reply(id, "três", club, key)]
      assert.strictEqual(said[0]?.text, said[1]?.text)
      assert.strictEqual(replied[0]?.text, replied[1]?.text)
      assert.deepStrictEqual(listed(yield* messages(id), "number"), [3, 2, 1])
    }))

  it.effect("is shown how the last message begins", () =>
    Effect.gen(function*() {
      const { ana, open, own } = yield* openSupportClub
      yield* open(ana, "A", `${"á".repeat(200)}b`)
      assert.deepStrictEqual(listed(yield* own(ana), "last_message_preview"), ["á".repeat(200)])
    }))

  it.effect("has no place in the staff's inbox, nor the staff in theirs", () =>
    Effect.gen(function*() {
      const { ana, own, path, token } = yield* openSupportClub
      const inbox = yield* send("GET", `${path}/support/conversations`, { token: ana.token })
      assert.deepStrictEqual(outcome(inbox), [401, "unauthenticated"])
      assert.deepStrictEqual(outcome(yield* own({ token })), [401, "unauthenticated"])
    }))
})
