import { assert, describe, it } from "@effect/vitest"
import { goingOn } from "../../../../src/classroom/views/home/goingOn.ts"

const course = (completed_count: number, next_lesson: { position: { updated_at: string } | null } | null) => ({
  progress: { completed_count },
  next_lesson
})

const fresh = course(0, { position: null })
const begun = course(2, { position: null })
const watched = course(0, { position: { updated_at: "2026-03-01T10:00:00Z" } })
const watchedLater = course(5, { position: { updated_at: "2026-03-02T10:00:00Z" } })
const done = course(9, null)

describe("The course to go on with", () => {
  it("is the one that was played last, then one that was begun, then the first with an open lesson", () => {
    assert.strictEqual(goingOn([fresh, watched, begun, watchedLater, done]), watchedLater)
    assert.strictEqual(goingOn([done, fresh, begun]), begun)
    assert.strictEqual(goingOn([done, fresh]), fresh)
    assert.isUndefined(goingOn([done]))
    assert.isUndefined(goingOn([]))
  })
})
