import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import {
  afterTaking,
  burstOf,
  fromInstant,
  full,
  toInstant,
  tokensAt,
  whenThereAre
} from "../../../../src/webhooks/engine/dispatch/TokenBucket.ts"

const start = 1_700_000_000_000
const at = (millis: number) => DateTime.makeUnsafe(start + millis)

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

const Rate = Schema.Union([
  Schema.Literals([1, 2, 3, 7, 9, 10, 19, 20, 300, 999, 1000]),
  Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 }))
])

/** Each step waits `after` ms and asks for `wanted` tokens. At a hand-over only the row of the bucket survives. */
const Steps = Schema.Array(Schema.Struct({
  after: Schema.Union([Schema.Literals([0, 1, 100, 1000]), upTo(400)]),
  wanted: upTo(1200),
  handedOver: Schema.Boolean
})).check(Schema.isMaxLength(60))

describe("A bucket of tokens", () => {
  it.prop(
    "never lets more start in any time than the rate gives for it and a tenth of a second's worth",
    [Rate, Steps],
    ([rate, steps]) => {
      let bucket = full
      let now = 0
      const starts: Array<{ readonly at: number; readonly count: number }> = []
      for (const { after, handedOver, wanted } of steps) {
        now += after
        if (handedOver) bucket = fromInstant(toInstant(bucket, rate, at(now)))
        const count = Math.min(wanted, tokensAt(bucket, rate, at(now)))
        bucket = afterTaking(bucket, rate, at(now), count)
        starts.push({ at: now, count })
      }
      for (const [first, { at: from }] of starts.entries()) {
        let sum = 0
        for (const { at, count } of starts.slice(first)) {
          sum += count
          assert.isAtMost(sum, burstOf(rate) + rate * (at - from) / 1000)
        }
      }
    },
    { arbitrary: { runs: 200 } }
  )

  it.prop("has so many tokens when it says so, and not a millisecond before", [Rate, upTo(100), upTo(300)], (
    [rate, taken, later]
  ) => {
    const bucket = afterTaking(full, rate, at(0), Math.min(taken, burstOf(rate)))
    const wanted = Math.ceil(burstOf(rate) / 2)
    const when = whenThereAre(wanted, bucket, rate, at(later))
    assert.isAtLeast(tokensAt(bucket, rate, when), wanted)
    assert.isAtLeast(DateTime.toEpochMillis(when), start + later)
    const before = DateTime.subtract(when, { milliseconds: 1 })
    if (DateTime.toEpochMillis(before) >= start + later) assert.isBelow(tokensAt(bucket, rate, before), wanted)
  })

  it.prop("lets the whole rate through, but for what rounding costs", [Rate], ([rate]) => {
    let bucket = full
    let started = 0
    for (let millis = 0; millis < 10_000; millis += 1) {
      const count = tokensAt(bucket, rate, at(millis))
      bucket = afterTaking(bucket, rate, at(millis), count)
      started += count
    }
    assert.isAtLeast(started, 10 * rate - 1)
  })

  it("spreads low rates evenly", () => {
    assert.strictEqual(tokensAt(full, 4, at(0)), 1)
    const taken = afterTaking(full, 4, at(0), 1)
    assert.strictEqual(tokensAt(taken, 4, at(249)), 0)
    assert.strictEqual(tokensAt(taken, 4, at(250)), 1)
    assert.strictEqual(tokensAt(taken, 4, at(60_000)), 1)
  })

  it("is never emptier than empty, however far ahead the clock was that filled it", () => {
    const ahead = fromInstant(at(3_600_000))
    assert.strictEqual(tokensAt(ahead, 2, at(0)), 0)
    assert.deepStrictEqual(whenThereAre(1, ahead, 2, at(0)), at(500))
  })
})
