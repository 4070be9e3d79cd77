import { assert, describe, it } from "@effect/vitest"
import { DateTime, type Duration } from "effect"
import { judge } from "../../../src/platform/jobs/ClockRule.ts"

const now = DateTime.makeUnsafe("2026-11-22T10:00:00.000Z")
const later = (by: Duration.Input) => DateTime.addDuration(now, by)
const earlier = (by: Duration.Input) => DateTime.subtractDuration(now, by)

const asked = (database: DateTime.Utc, swept: DateTime.Utc | null = null) =>
  judge({ before: now, after: now, database, swept })

describe("A clock", () => {
  it.each(["0 seconds", "30 seconds", "60 seconds"] as const)("is right that is %s from the database's", (by) => {
    assert.deepStrictEqual(asked(later(by)), { _tag: "Right", at: now })
    assert.deepStrictEqual(asked(earlier(by)), { _tag: "Right", at: now })
  })

  it.each(["60001 millis", "1 hour", "40 days"] as const)("differs that is %s from the database's", (by) => {
    for (const database of [later(by), earlier(by)]) {
      assert.deepStrictEqual(asked(database), { _tag: "Differs", own: now, database })
    }
  })

  it("is right however long the answer took, and wrong if it was moved meanwhile", () => {
    const database = later("2 minutes")
    const slow = { before: now, after: later("3 minutes"), database, swept: null }
    assert.strictEqual(judge(slow)._tag, "Right")
    assert.strictEqual(judge({ ...slow, before: later("40 days"), after: later("40 days") })._tag, "Differs")
    assert.strictEqual(judge({ ...slow, before: later("40 days"), after: now })._tag, "Differs")
  })

  it("is right up to a day beyond the newest moment that was swept, and has jumped beyond that", () => {
    assert.strictEqual(asked(now, earlier("1 day"))._tag, "Right")
    const swept = earlier("86400001 millis")
    assert.deepStrictEqual(asked(now, swept), { _tag: "Jumped", own: now, swept })
  })

  it("is right if it came back", () => {
    assert.strictEqual(asked(now, later("40 days"))._tag, "Right")
  })

  it("differs first: nobody can confirm a clock that the database contradicts", () => {
    assert.strictEqual(asked(later("1 hour"), earlier("40 days"))._tag, "Differs")
  })
})
