import { assert, describe, it } from "@effect/vitest"
import { viewersOf, viewersOfAll } from "../../../../src/console/views/community/seen.ts"
import { isAwaited } from "../../../../src/console/views/content/opening.ts"
import { countsOf, publicationOf } from "../../../../src/console/views/content/publication.ts"
import { newQuestion, problemOf } from "../../../../src/console/views/content/quiz.ts"

const at = Date.parse("2027-03-01T12:00:00Z")

describe("What students see", () => {
  it("is live from its time on, and a draft without one", () => {
    assert.strictEqual(publicationOf({ published_at: null }, at), "draft")
    assert.strictEqual(publicationOf({ published_at: "2027-03-01T12:00:00.000Z" }, at), "live")
    assert.strictEqual(publicationOf({ published_at: "2027-03-01T12:00:00.001Z" }, at), "scheduled")
  })

  it("is awaited until its moment, or for every student from the second day on", () => {
    const opening = { opens_after_days: null, opens_at: null }
    assert.isFalse(isAwaited(opening, at))
    assert.isFalse(isAwaited({ ...opening, opens_after_days: 0 }, at))
    assert.isTrue(isAwaited({ ...opening, opens_after_days: 1 }, at))
    assert.isFalse(isAwaited({ ...opening, opens_at: "2027-03-01T12:00:00.000Z" }, at))
    assert.isTrue(isAwaited({ ...opening, opens_at: "2027-03-01T12:00:00.001Z" }, at))
  })

  it("is counted by its state", () => {
    const all = [null, "2027-01-01T00:00:00Z", "2028-01-01T00:00:00Z", null].map((published_at) => ({ published_at }))
    assert.deepStrictEqual(countsOf(all, at), { draft: 2, scheduled: 1, live: 1 })
  })

  it("of a space is told by its access, unless it is hidden or archived", () => {
    const space = { access: "community", archived: false, visibility: "members" } as const
    assert.strictEqual(viewersOf(space), "everybody")
    assert.strictEqual(viewersOf({ ...space, visibility: "public" }), "everybody")
    assert.strictEqual(viewersOf({ ...space, access: "delivery" }), "granted")
    assert.strictEqual(viewersOf({ ...space, visibility: "hidden" }), "nobody")
    assert.strictEqual(viewersOf({ ...space, archived: true }), "nobody")
    assert.deepStrictEqual(viewersOfAll([space, { ...space, access: "delivery" }, space]), {
      everybody: 2,
      granted: 1,
      nobody: 0
    })
  })
})

describe("A quiz", () => {
  const question = { text: "?", options: [{ text: "a", correct: true }, { text: "b", correct: false }] }

  it("is saved with words everywhere and an answer that is correct", () => {
    assert.isUndefined(problemOf([question]))
    assert.deepStrictEqual(problemOf([]), { problem: "no_questions", place: 0 })
    assert.deepStrictEqual(problemOf([question, newQuestion]), { problem: "no_words", place: 1 })
    assert.deepStrictEqual(
      problemOf([{ ...question, options: question.options.map((option) => ({ ...option, correct: false })) }]),
      { problem: "no_correct", place: 0 }
    )
  })
})
