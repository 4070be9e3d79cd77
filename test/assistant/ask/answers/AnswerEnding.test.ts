import { assert, describe, it } from "@effect/vitest"
import { Duration, Schema } from "effect"
import {
  canceled,
  completed,
  type Ending,
  endingOf,
  failed,
  giveBackRule,
  mostTries
} from "../../../../src/assistant/ask/answers/AnswerEnding.ts"
import { MessageErrorCode } from "../../../../src/assistant/ask/messages/MessageStatus.ts"

const Tries = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10 }))
const Age = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 240_000 }))

describe("An answer", () => {
  const endings: ReadonlyArray<Ending> = [completed, canceled, ...MessageErrorCode.literals.map(failed)]

  it.prop("with a word or completed costs its question", [Schema.Boolean, Schema.Boolean], ([hasText, begun]) => {
    for (const ending of endings) {
      if (hasText || ending.status === "completed") {
        assert.strictEqual(giveBackRule(ending, { hasText, begun }), "never")
      }
    }
  })

  it("without a word is given back if nobody had begun it, and a few times a day if it failed", () => {
    for (const ending of endings.filter(({ status }) => status !== "completed")) {
      assert.strictEqual(giveBackRule(ending, { hasText: false, begun: false }), "always")
      const begun = giveBackRule(ending, { hasText: false, begun: true })
      assert.strictEqual(begun, ending.status === "failed" ? "limited" : "never")
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
