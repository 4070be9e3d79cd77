import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { completionChange, type CompletionState } from "../../../src/learning/classroom/CompletionChange.ts"

const now = DateTime.makeUnsafe("2026-03-01T12:00:00Z")
const earlier = DateTime.makeUnsafe("2026-02-01T12:00:00Z")

/** A lesson of a course. `others` has the state of each other lesson. */
const standing = (others: ReadonlyArray<boolean>, given: Partial<CompletionState> = {}): CompletionState => ({
  completed_at: null,
  first_completed_at: null,
  finished_at: null,
  others_left: others.filter((completed) => !completed).length,
  ...given
})

const Moment = Schema.Literals(["never", "earlier"])
const at = (moment: typeof Moment.Type) => moment === "never" ? null : earlier

describe("completing a lesson", () => {
  it("for the first time is told, and ends nothing while another lesson is left", () => {
    const { after, completes, finishes, isFirst } = completionChange(standing([true, false]), now)
    assert.deepStrictEqual({ completes, finishes, isFirst }, { completes: true, finishes: false, isFirst: true })
    assert.deepStrictEqual([after.completed_at, after.first_completed_at, after.finished_at], [now, now, null])
  })

  it("ends the course where it is the last that was left", () => {
    const { after, finishes } = completionChange(standing([true, true]), now)
    assert.isTrue(finishes)
    assert.strictEqual(after.finished_at, now)
  })

  it("again, after it was undone, keeps when it was first", () => {
    const { after, completes, isFirst } = completionChange(standing([], { first_completed_at: earlier }), now)
    assert.deepStrictEqual({ completes, isFirst }, { completes: true, isFirst: false })
    assert.deepStrictEqual([after.completed_at, after.first_completed_at], [now, earlier])
  })

  it("that is completed ends the course where what was left of it is not live any more", () => {
    const done = { completed_at: earlier, first_completed_at: earlier }
    const { completes, finishes, isFirst } = completionChange(standing([], done), now)
    assert.deepStrictEqual({ completes, finishes, isFirst }, { completes: false, finishes: true, isFirst: false })
  })

  it.prop(
    "leaves nothing to do the second time, and never takes back what came once",
    {
      others: Schema.Array(Schema.Boolean).check(Schema.isMaxLength(4)),
      first: Moment,
      undone: Schema.Boolean,
      end: Moment
    },
    ({ end, first, others, undone }) => {
      const first_completed_at = at(first)
      const before = standing(others, {
        first_completed_at,
        completed_at: undone ? null : first_completed_at,
        finished_at: at(end)
      })
      const change = completionChange(before, now)
      assert.strictEqual(change.isFirst, first === "never")
      assert.isTrue(!change.finishes || end === "never")
      assert.strictEqual(change.finishes, end === "never" && !others.includes(false))
      const again = completionChange(change.after, DateTime.add(now, { hours: 1 }))
      assert.deepStrictEqual(again, { after: change.after, completes: false, finishes: false, isFirst: false })
    }
  )
})
