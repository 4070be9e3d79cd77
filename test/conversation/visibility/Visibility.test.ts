import { assert, describe, it, layer } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Viewer } from "../../../src/conversation/authors/Viewer.ts"
import { CommentId } from "../../../src/conversation/comments/Comment.ts"
import { VisibleComments } from "../../../src/conversation/comments/VisibleComments.ts"
import {
  isContentWithheld,
  isFirstCommentVisible,
  isHiddenByModeration,
  isReplyVisible
} from "../../../src/conversation/visibility/Visibility.ts"
import { AppLayer } from "../../harness/App.ts"
import { type CommentsClub, idOf, listed, openCommentsClub } from "../comments/CommentsClub.ts"

const State = Schema.Struct({
  pending: Schema.Boolean,
  spam: Schema.Boolean,
  deleted: Schema.Boolean,
  mine: Schema.Boolean
})

describe("What is shown", () => {
  it.prop("to the staff is everything", [State, State, Schema.Boolean], ([comment, first, replies]) => {
    assert.isTrue(isFirstCommentVisible(comment, replies, "staff"))
    assert.isTrue(isReplyVisible(comment, first, "staff"))
  })

  it.prop("to a student is never somebody else's that waits or is spam", [State, State, Schema.Boolean], (
    [comment, first, replies]
  ) => {
    const held = { ...comment, mine: false, pending: true }
    const spam = { ...comment, mine: false, spam: true }
    for (const state of [held, spam]) {
      assert.isFalse(isFirstCommentVisible(state, replies, "student"))
      assert.isFalse(isReplyVisible(state, first, "student"))
      assert.isFalse(isReplyVisible(comment, state, "student"))
    }
  })

  it.prop("to its author waits for nobody", [State], ([comment]) => {
    const mine = { ...comment, mine: true, deleted: false }
    assert.isFalse(isHiddenByModeration(mine))
    assert.isTrue(isFirstCommentVisible(mine, false, "student"))
    assert.isTrue(isReplyVisible(mine, mine, "student"))
  })

  it.prop("of a deleted comment is a tombstone for its replies", [State, Schema.Boolean], ([comment, replies]) => {
    const deleted = { ...comment, deleted: true, pending: false, spam: false }
    assert.strictEqual(isFirstCommentVisible(deleted, replies, "student"), replies)
    assert.isFalse(isReplyVisible(deleted, deleted, "student"))
  })

  it("has no words where it is deleted, nor for students where it is hidden", () => {
    assert.isTrue(isContentWithheld({ deleted: true, hidden: false }, "staff"))
    assert.isTrue(isContentWithheld({ deleted: false, hidden: true }, "student"))
    assert.isFalse(isContentWithheld({ deleted: false, hidden: true }, "staff"))
    assert.isFalse(isContentWithheld({ deleted: false, hidden: false }, "student"))
  })
})

const both = [true, false]
const everyState = both.flatMap((pending) =>
  both.flatMap((spam) => both.flatMap((deleted) => both.map((mine) => ({ pending, spam, deleted, mine }))))
)

/** Two comments in these states, one below the other, and the verdict of the rules about them for a viewer. */
const judged = Effect.fnUntraced(function*(
  { ana, bia, comment, id: club_id }: CommentsClub,
  above: typeof State.Type,
  below: typeof State.Type
) {
  const sql = yield* SqlClient.SqlClient
  const put = Effect.fnUntraced(function*(state: typeof State.Type, parent_id: string | null) {
    const id = idOf(yield* comment(state.mine ? ana : bia, { body: "x", parent_id }))
    return { ...state, id: CommentId.make(id) }
  })
  const first = yield* put(above, null)
  const reply = yield* put(below, first.id)
  const now = DateTime.toDateUtc(yield* DateTime.now)
  for (const { deleted, id, pending, spam } of [first, reply]) {
    yield* sql`
      update comments set pending = ${pending}, spam = ${spam}, deleted_at = ${deleted ? now : null}
      where club_id = ${club_id} and id = ${id}`
  }
  const shownReply = isReplyVisible(below, above, "student")
  const shownFirst = isFirstCommentVisible(
    above,
    isReplyVisible(below, { ...above, pending: false, spam: false }, "student"),
    "student"
  )
  return { first, reply, shownFirst, shownReply, now }
})

layer(AppLayer)("The statements", (it) => {
  it.effect("show exactly what the rules say, in every state of a comment and its reply", () =>
    Effect.gen(function*() {
      const club = yield* openCommentsClub
      const found = yield* VisibleComments
      for (const above of everyState) {
        for (const below of everyState) {
          const { first, now, reply, shownFirst, shownReply } = yield* judged(club, above, below)
          const viewer: Viewer = { role: "student", club_id: club.id, student_id: club.ana.id, now }
          const sees = (id: CommentId) =>
            Effect.map(Effect.exit(found.find(viewer, id)), (exit) => exit._tag === "Success")
          const firsts = listed(yield* club.comments(club.ana, "?limit=1"), "id")
          const replies = listed(yield* club.replies(club.ana, first.id), "id")
          const label = JSON.stringify([above, below])
          assert.deepStrictEqual(firsts.includes(first.id), shownFirst, label)
          assert.deepStrictEqual(replies.includes(reply.id), shownReply, label)
          assert.strictEqual(yield* sees(first.id), shownFirst, label)
          assert.strictEqual(yield* sees(reply.id), shownReply, label)
        }
      }
    }))
})
