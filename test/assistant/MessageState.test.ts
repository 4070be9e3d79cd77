import { assert, describe, it } from "@effect/vitest"
import { Duration, Schema } from "effect"
import {
  canceled,
  completed,
  type Ending,
  endingOf,
  failed,
  isRefunded,
  MessageErrorCode,
  mostTries
} from "../../src/assistant/ask/MessageState.ts"

const Tries = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10 }))
const Age = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 240_000 }))

describe("An answer", () => {
  const endings: ReadonlyArray<Ending> = [completed, canceled, ...MessageErrorCode.literals.map(failed)]

  it.prop("is given back if nobody has read a word of it, unless it was completed", [Schema.Boolean], ([hasText]) => {
    for (const ending of endings) {
      assert.strictEqual(isRefunded(ending, hasText), !hasText && ending.status !== "completed")
    }
  })

  it.prop("is generated while it is young, wordless and seldom begun", [Tries, Schema.Boolean, Age], (drawn) => {
    const [tries, hasText, millis] = drawn
    const ending = endingOf({ tries, hasText, age: Duration.millis(millis) })
    if (millis >= 120_000) assert.deepStrictEqual(ending, failed("timeout"))
    else if (hasText || tries > mostTries) assert.deepStrictEqual(ending, failed("interrupted"))
    else assert.isUndefined(ending)
  }, { arbitrary: { runs: 500 } })

  it("is begun 3 times and has 2 minutes", () => {
    const wordless = { hasText: false, age: Duration.zero }
    assert.isUndefined(endingOf({ ...wordless, tries: 3 }))
    assert.deepStrictEqual(endingOf({ ...wordless, tries: 4 }), failed("interrupted"))
    assert.isUndefined(endingOf({ ...wordless, tries: 1, age: Duration.millis(119_999) }))
    assert.deepStrictEqual(endingOf({ ...wordless, tries: 1, age: Duration.minutes(2) }), failed("timeout"))
  })
})
