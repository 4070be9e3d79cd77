import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { AppLayer, at, listAt, outcome, send } from "../../harness/App.ts"
import { idOf, openCommunity, unknownId } from "./OpenCommunity.ts"

const thumb = encodeURIComponent("👍")

/** The paths of posts for students in the classroom. */
const openRoom = Effect.map(openCommunity, (community) => {
  const room = `${community.path}/classroom/community`
  return { ...community, room, postsOf: `${room}/spaces/${community.general}/posts` }
})

layer(AppLayer)("A student's post", (it) => {
  it.effect("is written, read, changed, commented on and deleted in the classroom", () =>
    Effect.gen(function*() {
      const { ana, bia, postsOf, room } = yield* openRoom
      const made = yield* send("POST", postsOf, { token: ana.token, body: { title: "Oi", body: "Bom dia" } })
      assert.strictEqual(made.status, 201, made.text)
      const one = `${room}/posts/${idOf(made)}`
      const listed = yield* send("GET", postsOf, { token: bia.token })
      assert.deepStrictEqual(listAt(listed.json, "data").map((post) => at(post, "body")), ["Bom dia"])
      const changed = yield* send("PATCH", one, { token: ana.token, body: { body: "Boa noite" } })
      assert.strictEqual(at(changed.json, "data", "body"), "Boa noite")
      const comment = yield* send("POST", `${one}/comments`, { token: bia.token, body: { body: "Até logo" } })
      assert.strictEqual(comment.status, 201, comment.text)
      const comments = yield* send("GET", `${one}/comments`, { token: ana.token })
      assert.strictEqual(at(comments.json, "data", 0, "id"), idOf(comment))
      assert.strictEqual(at((yield* send("GET", one, { token: bia.token })).json, "data", "comments_count"), 1)
      assert.strictEqual((yield* send("DELETE", one, { token: ana.token })).status, 204)
    }))

  it.effect("is nobody else's to change, and hiding and pinning is no student's", () =>
    Effect.gen(function*() {
      const { ana, bia, postsOf, room } = yield* openRoom
      const one = `${room}/posts/${idOf(yield* send("POST", postsOf, { token: ana.token, body: { body: "A" } }))}`
      assert.deepStrictEqual(outcome(yield* send("PATCH", one, { token: bia.token, body: { body: "B" } })), [
        404,
        "not_found"
      ])
      assert.deepStrictEqual(outcome(yield* send("DELETE", one, { token: bia.token })), [404, "not_found"])
      for (const body of [{ pinned: true }, { hidden: true }]) {
        assert.deepStrictEqual(outcome(yield* send("PATCH", one, { token: ana.token, body })), [
          422,
          "validation_failed"
        ])
      }
    }))

  it.effect("is nothing to the staff's sessions under the classroom's path", () =>
    Effect.gen(function*() {
      const { postsOf, token } = yield* openRoom
      assert.deepStrictEqual(outcome(yield* send("GET", postsOf, { token })), [401, "unauthenticated"])
    }))

  it.effect("spends the student's own writes in the classroom and the club's elsewhere, as reactions do", () =>
    Effect.gen(function*() {
      const { ana, bia, general, path, postsOf, room } = yield* openRoom
      const policyOf = ({ headers }: { readonly headers: Record<string, string | undefined> }) =>
        /^"([a-z-]+)"/.exec(headers["ratelimit-policy"] ?? "")?.[1]
      const made = yield* send("POST", postsOf, { token: ana.token, body: { body: "A" } })
      const comments = `/posts/${idOf(made)}/comments`
      const comment = yield* send("POST", `${room}${comments}`, { token: bia.token, body: { body: "B" } })
      const reaction = `${path}/classroom/comments/${idOf(comment)}/reactions/${thumb}`
      const inClassroom = [
        made,
        comment,
        yield* send("PATCH", `${room}/posts/${idOf(made)}`, { token: ana.token, body: { body: "C" } }),
        yield* send("PUT", reaction, { token: ana.token }),
        yield* send("DELETE", `${room}/posts/${unknownId}`, { token: ana.token })
      ]
      assert.deepStrictEqual(inClassroom.map(policyOf), inClassroom.map(() => "student-writes"))
      const elsewhere = [
        yield* send("POST", `${path}/community/spaces/${general}/posts`, { token: ana.token, body: { body: "A" } }),
        yield* send("POST", `${path}/community${comments}`, { token: ana.token, body: { body: "B" } }),
        yield* send("PATCH", `${path}/community/posts/${idOf(made)}`, { token: ana.token, body: { body: "D" } })
      ]
      assert.deepStrictEqual(elsewhere.map(policyOf), elsewhere.map(() => "club-writes"))
    }))
})
