import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  beforeItsAnswer,
  eachOnce,
  emojis,
  isShown,
  withDeleted,
  withReaction,
  withReply
} from "../../../../src/classroom/club/discussion/comments.ts"

const written = beforeItsAnswer({
  id: "a",
  body: "Oi",
  parent_id: null,
  author: { id: "b", name: "Ana" },
  created_at: "2027-01-01T00:00:00.000Z"
})

const Emoji = Schema.Literals(emojis)
const Gives = Schema.NonEmptyArray(Schema.Boolean)
const Others = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))

describe("Reactions of a comment that a page shows", () => {
  it.prop("count each reader once, however often they give or take one", [Emoji, Gives, Others], (
    [emoji, gives, others]
  ) => {
    const reactions = others === 0 ? [] : [{ reaction: emoji, count: others, mine: false }]
    const before: typeof written = { ...written, reactions }
    const shown = gives.reduce((one, isGiven) => withReaction(emoji, isGiven)(one), before)
    const isGiven = gives.at(-1) === true
    const count = others + (isGiven ? 1 : 0)
    assert.deepStrictEqual(shown.reactions, count === 0 ? [] : [{ reaction: emoji, count, mine: isGiven }])
  })
})

describe("The comments of a discussion", () => {
  it("stand once, where they stand first", () => {
    const comments = ["1", "0", "2", "1", "0"].map((id, index) => ({ ...written, id, body: `${index}` }))
    assert.deepStrictEqual(eachOnce(comments), comments.slice(0, 3))
  })

  it("stay after they are deleted as long as they have replies", () => {
    const deleted = withDeleted(true)(written)
    assert.deepStrictEqual([deleted, { ...deleted, replies_count: 1 }].map(isShown), [false, true])
  })

  it("have the reply that a link leads to, once", () => {
    const reply = { ...written, id: "reply", parent_id: "a" }
    const thread = withReply(written, reply)
    assert.deepStrictEqual(thread.replies, [reply])
    assert.strictEqual(withReply(thread, reply), thread)
    assert.strictEqual(withReply(null, written), written)
  })
})
