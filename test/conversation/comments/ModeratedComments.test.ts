import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { AppLayer, at, listAt, outcome, send, tokenAs } from "../../harness/App.ts"
import { SpansLayer, statements } from "../../harness/Statements.ts"
import { openCommunity } from "../community/OpenCommunity.ts"
import { idOf, listed, openCommentsClub } from "./CommentsClub.ts"

layer(AppLayer.pipe(Layer.provideMerge(SpansLayer)))("For moderators, comments", (it) => {
  it.effect("say the lesson that they are on, and who reported them when, and why", () =>
    Effect.gen(function*() {
      const { ana, bia, comment, inbox, learner, lesson, report } = yield* openCommentsClub
      const [plain, reported] = [idOf(yield* comment(ana, "um")), idOf(yield* comment(ana, "dois"))]
      const third = yield* learner
      yield* report(bia, reported, { reason: "Propaganda" })
      yield* TestClock.adjust("1 minute")
      yield* report(third, reported)
      const { json, status, text } = yield* inbox("/moderation")
      assert.strictEqual(status, 200, text)
      const place = { lesson: { id: lesson.id, title: lesson.title }, post: null }
      const [newest, oldest] = listAt(json, "data")
      assert.deepStrictEqual(listAt(json, "data").map((one) => at(one, "comment")), [
        ...listAt((yield* inbox()).json, "data")
      ])
      assert.deepStrictEqual([at(newest, "comment", "id"), at(oldest, "comment", "id")], [reported, plain])
      assert.deepStrictEqual([at(newest, "place"), at(oldest, "place")], [place, place])
      assert.deepStrictEqual([at(newest, "reports_count"), at(oldest, "reports_count")], [2, 0])
      assert.deepStrictEqual(listAt(newest, "reports").map((one) => [at(one, "student", "id"), at(one, "reason")]), [
        [third.id, null],
        [bia.id, "Propaganda"]
      ])
      assert.strictEqual(at(newest, "reports", 0, "created_at"), "1970-01-01T00:01:00.000Z")
      assert.deepStrictEqual(at(oldest, "reports"), [])
    }))

  it.effect("say the post and the space that they are on, and no post that was deleted", () =>
    Effect.gen(function*() {
      const club = yield* openCommunity
      const posted = yield* send("POST", `${club.path}/community/spaces/${club.general}/posts`, {
        token: club.token,
        body: { title: "Oi", body: "Boas-vindas" }
      })
      yield* club.comment(club.ana, idOf(posted), "x")
      const places = Effect.map(
        send("GET", `${club.path}/comments/moderation`, club),
        ({ json }) => listAt(json, "data").map((one) => at(one, "place"))
      )
      const spaces = yield* send("GET", `${club.path}/community`, club)
      const space = listAt(spaces.json, "data", "spaces").find((one) => at(one, "id") === club.general)
      const post = { id: idOf(posted), title: "Oi", space: { id: club.general, name: at(space, "name") } }
      assert.deepStrictEqual(yield* places, [{ lesson: null, post }])
      yield* send("DELETE", `${club.path}/community/posts/${idOf(posted)}`, club)
      assert.deepStrictEqual(yield* places, [{ lesson: null, post: null }])
    }))

  it.effect("tell the newest ten reports, and how many there are", () =>
    Effect.gen(function*() {
      const { ana, answer, comment, inbox, learner, report } = yield* openCommentsClub
      // A comment of the staff stays visible however many students report it.
      const id = idOf(yield* answer(idOf(yield* comment(ana, "um")), "dois"))
      yield* Effect.forEach(Array.from({ length: 12 }, (_, n) => n), (n) =>
        Effect.gen(function*() {
          yield* TestClock.adjust("1 second")
          yield* report(yield* learner, id, { reason: String(n) })
        }))
      const [one] = listAt((yield* inbox("/moderation?state=reported")).json, "data")
      assert.strictEqual(at(one, "reports_count"), 12)
      assert.deepStrictEqual(
        listAt(one, "reports").map((report) => at(report, "reason")),
        Array.from({ length: 10 }, (_, n) => String(11 - n))
      )
    }))

  it.effect("are filtered and paged as the list is, for whoever moderates alone, in a statement more", () =>
    Effect.gen(function*() {
      const club = yield* openCommentsClub
      const { ana, comment, inbox, moderate } = club
      const ids = [idOf(yield* comment(ana, "1")), idOf(yield* comment(ana, "2")), idOf(yield* comment(ana, "3"))]
      yield* moderate(ids[0] ?? "", { spam: true })
      const idsOf = (answer: { readonly json: unknown }) =>
        listed({ status: 200, text: "", json: answer.json }, "comment").map((one) => at(one, "id"))
      assert.deepStrictEqual(idsOf(yield* inbox("/moderation?state=spam")), [ids[0]])
      const first = yield* inbox("/moderation?limit=2")
      assert.deepStrictEqual(idsOf(first), [ids[2], ids[1]])
      const next = yield* inbox(`/moderation?limit=2&cursor=${String(at(first.json, "next_cursor"))}`)
      assert.deepStrictEqual([idsOf(next), at(next.json, "next_cursor")], [[ids[0]], null])
      assert.deepStrictEqual(outcome(yield* inbox("/moderation?cursor=x")), [400, "invalid_cursor"])
      const statuses = yield* Effect.forEach(
        ["editor", "support", "viewer"] as const,
        (role) =>
          Effect.gen(function*() {
            return (yield* inbox("/moderation", { token: yield* tokenAs(club, role) })).status
          })
      )
      // Only members who may moderate see the reports, with their reporters and reasons.
      assert.deepStrictEqual(statuses, [200, 200, 403])
      assert.deepStrictEqual(outcome(yield* inbox("/moderation", ana)), [401, "unauthenticated"])
      assert.lengthOf(yield* statements(inbox("/moderation")), 3)
    }))
})
