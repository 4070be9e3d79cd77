import { assert, describe, it } from "@effect/vitest"
import { Duration, Schema } from "effect"
import { delayAfter, maxJitter } from "../../../src/platform/mail/Retry.ts"

const Unit = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1, exclusiveMaximum: true }))
const Attempt = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5000 }))

const nominal = (attempt: number) => Duration.toSeconds(delayAfter(attempt, 0.5))

describe("waiting to send a mail again", () => {
  it("doubles from 10 seconds up to 30 minutes", () => {
    assert.deepStrictEqual([1, 2, 3, 8, 9, 100].map(nominal), [10, 20, 40, 1280, 1800, 1800])
  })

  it.prop("moves each wait by at most a fifth", [Attempt, Unit], ([attempt, random]) => {
    const wait = Duration.toSeconds(delayAfter(attempt, random)) / nominal(attempt)
    assert.isAtLeast(wait, 1 - maxJitter - 1e-3)
    assert.isAtMost(wait, 1 + maxJitter + 1e-3)
  })
})
