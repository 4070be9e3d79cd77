import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AppLayer, at, listAt, outcome } from "../../harness/App.ts"
import { type CommentsClub, idOf, listed, openCommentsClub } from "./CommentsClub.ts"

const emojis = [
  ..."😀😁😂😃😄😅😆😇😈😉😊😋😌😍😎😏😐😑😒😓😔😕😖😗😘😙😚😛😜😝😞😟😠😡😢😣😤😥😦😧😨😩😪😫😬😭😮😯😰😱😲"
]
const emoji = (index: number) => emojis[index] ?? "😳"

const reactionsOf = (answer: { readonly json: unknown }) => listAt(answer.json, "data", 0, "reactions")

const rowsIn = Effect.fnUntraced(function*({ id }: CommentsClub, table: "comment_reactions" | "comment_reports") {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`select 1 from ${sql(table)} where club_id = ${id}`).length
})

layer(AppLayer)("A reaction", (it) => {
  it.effect("is counted by emoji, and says whether it is one's own", () =>
    Effect.gen(function*() {
      const { ana, bia, comment, comments, react, unreact } = yield* openCommentsClub
      const id = idOf(yield* comment(ana, "x"))
      for (const [student, given] of [[ana, "👍"], [bia, "👍"], [bia, "👍"], [bia, "❤️"]] as const) {
        assert.strictEqual((yield* react(student, id, given)).status, 204)
      }
      assert.deepStrictEqual(reactionsOf(yield* comments(ana)), [
        { reaction: "👍", count: 2, mine: true },
        { reaction: "❤️", count: 1, mine: false }
      ])
      for (const _ of [1, 2]) assert.strictEqual((yield* unreact(bia, id, "❤️")).status, 204)
      assert.deepStrictEqual(reactionsOf(yield* comments(bia)), [{ reaction: "👍", count: 2, mine: true }])
    }))

  it.effect("is one emoji and nothing else", () =>
    Effect.gen(function*() {
      const { ana, comment, react, unreact } = yield* openCommentsClub
      const id = idOf(yield* comment(ana, "x"))
      for (const text of ["a", "👍👍", "1", "ok", " "]) {
        assert.deepStrictEqual(outcome(yield* react(ana, id, text)), [422, "reaction_invalid"])
        assert.deepStrictEqual(outcome(yield* unreact(ana, id, text)), [422, "reaction_invalid"])
      }
    }))

  it.effect("of one person has at most ten kinds, however many come at once", () =>
    Effect.gen(function*() {
      const club = yield* openCommentsClub
      const id = idOf(yield* club.comment(club.ana, "x"))
      const answers = yield* Effect.all(
        Array.from({ length: 14 }, (_, index) => club.react(club.bia, id, emoji(index))),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(answers.filter(({ status }) => status === 204), 10)
      const refused = answers.filter(({ status }) => status !== 204).map(outcome)
      assert.deepStrictEqual(refused, Array.from({ length: 4 }, () => [409, "reaction_limit_reached"]))
      assert.strictEqual(yield* rowsIn(club, "comment_reactions"), 10)
    }))

  it.effect("has at most fifty kinds on one comment, and a kind that is there can be given on", () =>
    Effect.gen(function*() {
      const club = yield* openCommentsClub
      const id = idOf(yield* club.comment(club.ana, "x"))
      const people = yield* Effect.replicateEffect(club.learner, 6)
      const given = people.slice(0, 5).flatMap((person, row) =>
        Array.from({ length: 10 }, (_, column) => club.react(person, id, emoji(row * 10 + column)))
      )
      for (const { status } of yield* Effect.all(given, { concurrency: 5 })) assert.strictEqual(status, 204)
      const last = people[5] ?? club.bia
      const [beyond, there] = yield* Effect.all([
        club.react(last, id, emoji(50)),
        club.react(last, id, emoji(0))
      ])
      assert.deepStrictEqual(outcome(beyond), [409, "reaction_limit_reached"])
      assert.strictEqual(there.status, 204)
      assert.lengthOf(reactionsOf(yield* club.comments(club.ana)), 50)
    }))

  it.effect("given many times at once is one", () =>
    Effect.gen(function*() {
      const club = yield* openCommentsClub
      const id = idOf(yield* club.comment(club.ana, "x"))
      const answers = yield* Effect.all(Array.from({ length: 10 }, () => club.react(club.bia, id, "👍")), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [204])
      assert.strictEqual(yield* rowsIn(club, "comment_reactions"), 1)
    }))

  it.effect("is not on a tombstone", () =>
    Effect.gen(function*() {
      const { ana, bia, comment, comments, react, remove } = yield* openCommentsClub
      const id = idOf(yield* comment(ana, "x"))
      yield* comment(bia, { body: "y", parent_id: id })
      yield* react(bia, id, "👍")
      yield* remove(ana, id)
      assert.deepStrictEqual(outcome(yield* react(bia, id, "❤️")), [404, "not_found"])
      assert.deepStrictEqual(reactionsOf(yield* comments(bia)), [])
    }))
})

layer(AppLayer)("A report", (it) => {
  it.effect("counts once for a student, however many come at once", () =>
    Effect.gen(function*() {
      const club = yield* openCommentsClub
      const id = idOf(yield* club.comment(club.ana, "x"))
      const answers = yield* Effect.all(
        Array.from({ length: 10 }, () => club.report(club.bia, id, { reason: "Ofensivo" })),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [204])
      assert.strictEqual(yield* rowsIn(club, "comment_reports"), 1)
      assert.deepStrictEqual(listed(yield* club.comments(club.bia), "pending"), [false])
    }))

  it.effect("with two others at the same time makes the comment wait for the staff", () =>
    Effect.gen(function*() {
      const club = yield* openCommentsClub
      const ids = yield* Effect.replicateEffect(Effect.map(club.comment(club.ana, "x"), idOf), 8)
      const people = yield* Effect.replicateEffect(club.learner, 3)
      const reports = ids.flatMap((id) => people.map((person) => club.report(person, id)))
      yield* Effect.all(reports, { concurrency: "unbounded" })
      assert.deepStrictEqual(listed(yield* club.comments(club.bia), "id"), [])
      assert.deepStrictEqual(listed(yield* club.comments(club.ana), "pending"), ids.map(() => true))
      assert.deepStrictEqual(listed(yield* club.inbox("?state=pending"), "id"), ids.toReversed())
    }))

  it.effect("after the staff has let the comment stand changes nothing", () =>
    Effect.gen(function*() {
      const club = yield* openCommentsClub
      const id = idOf(yield* club.comment(club.ana, "x"))
      for (const person of yield* Effect.replicateEffect(club.learner, 3)) yield* club.report(person, id)
      yield* club.moderate(id, { pending: false })
      yield* club.report(club.bia, id)
      assert.deepStrictEqual(listed(yield* club.comments(club.bia), "pending"), [false])
    }))

  it.effect("does not make the staff's own answer wait", () =>
    Effect.gen(function*() {
      const club = yield* openCommentsClub
      const id = idOf(yield* club.comment(club.ana, "x"))
      const answer = idOf(yield* club.answer(id, "y"))
      for (const person of yield* Effect.replicateEffect(club.learner, 3)) yield* club.report(person, answer)
      assert.isFalse(at((yield* club.read(answer)).json, "data", "pending"))
    }))

  it.effect("has a reason of at most 500 characters", () =>
    Effect.gen(function*() {
      const club = yield* openCommentsClub
      const id = idOf(yield* club.comment(club.ana, "x"))
      const refused = yield* club.report(club.bia, id, { reason: "x".repeat(501) })
      assert.deepStrictEqual(outcome(refused), [422, "validation_failed"])
    }))
})
