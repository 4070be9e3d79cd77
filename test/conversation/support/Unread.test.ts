import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at } from "../../harness/App.ts"
import { idOf, listed, openSupportClub } from "./SupportClub.ts"

layer(AppLayer)("What is unread", (it) => {
  it.effect("is what the student wrote, for each member by themselves", () =>
    Effect.gen(function*() {
      const { ana, inbox, member, open, read, say, unread } = yield* openSupportClub
      const caio = yield* member("support")
      const id = idOf(yield* open(ana))
      yield* say(ana, id)
      assert.deepStrictEqual([yield* unread(id), yield* unread(id, caio)], [2, 2])
      const answer = yield* read(id)
      assert.deepStrictEqual([answer.status, answer.text], [204, ""])
      assert.deepStrictEqual([yield* unread(id), yield* unread(id, caio)], [0, 2])
      assert.deepStrictEqual(listed(yield* inbox("?unread=true"), "id"), [])
      assert.deepStrictEqual(listed(yield* inbox("?unread=true", caio), "id"), [id])
      assert.deepStrictEqual(listed(yield* inbox("", caio), "unread_count"), [2])
    }))

  it.effect("is not what another member wrote, and is nothing to whoever writes", () =>
    Effect.gen(function*() {
      const { ana, member, one, open, reply, unread } = yield* openSupportClub
      const caio = yield* member("support")
      const id = idOf(yield* open(ana))
      yield* reply(id, "Já vejo", caio)
      assert.deepStrictEqual([yield* unread(id), yield* unread(id, caio)], [1, 0])
      const readNumber = (person?: typeof caio) =>
        Effect.map(one(id, person), ({ json }) => at(json, "data", "read_number"))
      assert.deepStrictEqual([yield* readNumber(), yield* readNumber(caio)], [0, 2])
    }))

  it.effect("stays read when it is read again, and a new message is unread again", () =>
    Effect.gen(function*() {
      const { ana, one, open, read, say } = yield* openSupportClub
      const id = idOf(yield* open(ana))
      const marker = Effect.map(one(id), ({ json }) => [
        at(json, "data", "unread_count"),
        at(json, "data", "read_number")
      ])
      yield* say(ana, id)
      yield* read(id)
      yield* read(id)
      assert.deepStrictEqual(yield* marker, [0, 2])
      yield* say(ana, id)
      assert.deepStrictEqual(yield* marker, [1, 2])
    }))

  it.effect("is not what was written before somebody came", () =>
    Effect.gen(function*() {
      const { ana, inbox, member, one, open, say, unread } = yield* openSupportClub
      const [id, other] = [idOf(yield* open(ana)), idOf(yield* open(ana))]
      const caio = yield* member("support")
      assert.deepStrictEqual(listed(yield* inbox("?unread=false", caio), "id"), [other, id])
      yield* say(ana, id)
      assert.deepStrictEqual([yield* unread(id), yield* unread(id, caio), yield* unread(other, caio)], [2, 1, 0])
      assert.strictEqual(at((yield* one(id, caio)).json, "data", "read_number"), 1)
      assert.deepStrictEqual(listed(yield* inbox("?unread=true", caio), "id"), [id])
      assert.deepStrictEqual(listed(yield* inbox("?unread=false", caio), "id"), [other])
    }))

  it.effect("begins anew for whoever was away while something was written", () =>
    Effect.gen(function*() {
      const { ana, inbox, member, open, say, setRole, unread } = yield* openSupportClub
      const caio = yield* member("support")
      const [id, other] = [idOf(yield* open(ana)), idOf(yield* open(ana))]
      yield* setRole(caio, "viewer")
      yield* say(ana, id)
      yield* setRole(caio, "support")
      assert.deepStrictEqual(listed(yield* inbox("?unread=false", caio), "id"), [id, other])
      yield* say(ana, id)
      assert.deepStrictEqual([yield* unread(id, caio), yield* unread(other, caio)], [1, 0])
      assert.deepStrictEqual(listed(yield* inbox("?unread=true", caio), "id"), [id])
      assert.strictEqual(yield* unread(id), 3)
    }))

  it.effect("is nothing to whoever became the staff since, even if they read it before", () =>
    Effect.gen(function*() {
      const { ana, member, open, read, say, setRole, unread } = yield* openSupportClub
      const dora = yield* member("editor")
      const id = idOf(yield* open(ana))
      yield* read(id, dora)
      yield* say(ana, id)
      yield* setRole(dora, "support")
      assert.strictEqual(yield* unread(id, dora), 0)
      yield* say(ana, id)
      assert.strictEqual(yield* unread(id, dora), 1)
    }))
})
