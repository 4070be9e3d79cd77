import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, listAt, outcome, send, tokenAs } from "../../harness/App.ts"
import { openCommunity, paid } from "../community/OpenCommunity.ts"
import { idOf, listed } from "./CommentsClub.ts"

const discussed = Effect.gen(function*() {
  const club = yield* openCommunity
  const post = idOf(yield* club.post(club, club.general, "Bem-vindos"))
  const marks = (id: string) => `${club.path}/classroom/comments/${id}`
  return { ...club, welcome: post, marks }
})

layer(AppLayer)("Comments on a post", (it) => {
  it.effect("are written by students and staff, in threads, and counted", () =>
    Effect.gen(function*() {
      const club = yield* discussed
      const first = idOf(yield* club.comment(club.ana, club.welcome, "Oi"))
      const reply = yield* club.comment(club, club.welcome, { body: "Olá", parent_id: first })
      assert.strictEqual(reply.status, 201)
      assert.strictEqual(at(reply.json, "data", "author", "role"), "staff")
      const { json } = yield* club.comments(club.bia, club.welcome)
      assert.deepStrictEqual(listed({ status: 200, text: "", json }, "body"), ["Oi"])
      assert.deepStrictEqual(listAt(json, "data", 0, "replies").map((item) => at(item, "body")), ["Olá"])
      assert.isTrue(at(json, "data", 0, "answered"))
      assert.strictEqual(at((yield* club.read(club.bia, club.welcome)).json, "data", "comments_count"), 2)
    }))

  it.effect("are reacted to where every comment is", () =>
    Effect.gen(function*() {
      const club = yield* discussed
      const id = idOf(yield* club.comment(club.ana, club.welcome, "Oi"))
      const reaction = `${club.marks(id)}/reactions/${encodeURIComponent("🎸")}`
      const reactions = Effect.map(
        club.comments(club.bia, club.welcome),
        ({ json }) => listAt(json, "data", 0, "reactions")
      )
      assert.strictEqual((yield* send("PUT", reaction, { token: club.bia.token })).status, 204)
      assert.deepStrictEqual(yield* reactions, [{ reaction: "🎸", count: 1, mine: true }])
      assert.strictEqual((yield* send("DELETE", reaction, { token: club.bia.token })).status, 204)
      assert.deepStrictEqual(yield* reactions, [])
    }))

  it.effect("pay nobody", () =>
    Effect.gen(function*() {
      const club = yield* discussed
      yield* club.comment(club.ana, club.welcome, "Oi")
      assert.isEmpty(yield* paid(club.ana))
    }))

  it.effect("of editor and support are taken, of viewers not", () =>
    Effect.gen(function*() {
      const club = yield* discussed
      for (const [role, status] of [["editor", 201], ["support", 201], ["viewer", 403]] as const) {
        const member = { token: yield* tokenAs(club, role) }
        assert.strictEqual((yield* club.comment(member, club.welcome, "x")).status, status, role)
        assert.strictEqual((yield* club.comments(member, club.welcome)).status, 200, role)
      }
    }))

  it.effect("are not seen by students where the space is not, nor done anything with", () =>
    Effect.gen(function*() {
      const club = yield* discussed
      const id = idOf(yield* club.comment(club.ana, club.welcome, "Oi"))
      yield* club.change(club.general, { visibility: "hidden" })
      const calls = [
        club.comments(club.ana, club.welcome),
        club.comment(club.ana, club.welcome, "x"),
        send("PATCH", club.marks(id), { token: club.ana.token, body: { body: "x" } }),
        send("PUT", `${club.marks(id)}/saved`, { token: club.bia.token }),
        send("GET", `${club.marks(id)}/replies`, { token: club.bia.token })
      ]
      for (const call of calls) assert.deepStrictEqual(outcome(yield* call), [404, "not_found"])
      assert.deepStrictEqual(listed(yield* club.comments(club, club.welcome), "body"), ["Oi"])
    }))

  it.effect("do not count for a student what waits for the staff", () =>
    Effect.gen(function*() {
      const club = yield* discussed
      const links = Array.from({ length: 4 }, (_, index) => `https://a.example/${index}`).join(" ")
      yield* club.comment(club.ana, club.welcome, links)
      const countFor = (person: { readonly token: string }) =>
        Effect.map(club.read(person, club.welcome), ({ json }) => at(json, "data", "comments_count"))
      assert.deepStrictEqual(yield* Effect.all([club, club.ana, club.bia].map(countFor)), [1, 1, 0])
    }))

  it.effect("are among what the staff looks through", () =>
    Effect.gen(function*() {
      const club = yield* discussed
      const id = idOf(yield* club.comment(club.ana, club.welcome, "Oi"))
      const inbox = yield* send("GET", `${club.path}/comments?post_id=${club.welcome}&state=unanswered`, {
        token: club.token
      })
      assert.deepStrictEqual(listed(inbox, "id"), [id])
    }))
})
