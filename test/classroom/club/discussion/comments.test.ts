import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  beforeItsAnswer,
  emojis,
  isShown,
  pinnedFirst,
  withDeleted,
  withReaction
} from "../../../../src/classroom/club/discussion/comments.ts"
import { threadsToOpen } from "../../../../src/classroom/club/discussion/sought.ts"

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
  it("stand in their order, with pinned ones first", () => {
    const comments = [false, true, false, true].map((pinned, index) => ({ ...written, id: `${index}`, pinned }))
    assert.deepStrictEqual(pinnedFirst(comments).map(({ id }) => id), ["1", "3", "0", "2"])
  })

  it("stay after they are deleted as long as they have replies", () => {
    const deleted = withDeleted(true)(written)
    assert.deepStrictEqual([deleted, { ...deleted, replies_count: 1 }].map(isShown), [false, true])
  })

  it("open their further replies for a comment that the page does not have, and for no other", () => {
    const short = { ...written, id: "short", replies: [{ ...written, id: "reply" }], replies_count: 1 }
    const long = { ...short, id: "long", replies_count: 9 }
    assert.deepStrictEqual([...threadsToOpen([short, long], "elsewhere")], ["long"])
    for (const sought of ["reply", "short", null]) assert.strictEqual(threadsToOpen([short, long], sought).size, 0)
  })
})
