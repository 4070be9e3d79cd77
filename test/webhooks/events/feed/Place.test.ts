import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { judge } from "../../../../src/webhooks/events/feed/Place.ts"
import { beginning, numberOf } from "../../../../src/webhooks/model/FeedPosition.ts"

const positionOf = (time: number, number: number) => {
  const digits = `${time.toString(16).padStart(12, "0")}70008${number.toString(16).padStart(15, "0")}`
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}

/** A feed with events at these steps of time. Events up to `oldest` are past their age. */
const Feed = Schema.Struct({
  steps: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 }))).check(Schema.isMaxLength(12)),
  oldest: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 })),
  asked: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 14 }))
})

const makeFeed = ({ oldest, steps }: typeof Feed.Type) => {
  let time = 1
  const all = steps.map((step, index) => positionOf(time += step, index + 1))
  const floor = positionOf(oldest, 0)
  const kept = all.filter((position) => position > floor)
  const around = (position: string) => ({
    oldest: floor,
    head: all.at(-1) ?? null,
    is_there: kept.includes(position),
    next: kept.find((one) => one > position) ?? null
  })
  return { all, kept, around }
}

describe("A place of the feed", () => {
  it.prop(
    "is good exactly where no event behind it is past its age",
    [Feed],
    ([given]) => {
      const { all, around, kept } = makeFeed(given)
      const asked = Math.min(given.asked, all.length)
      const position = asked === 0 ? beginning : all[asked - 1] ?? assert.fail()
      assert.strictEqual(numberOf(position), asked)
      const missed = all.slice(asked).filter((one) => !kept.includes(one))
      assert.strictEqual(judge(position, around(position)), missed.length === 0 ? "good" : "expired")
    }
  )

  it.prop(
    "is foreign where the feed has not come so far, or has another event there",
    [Feed],
    ([given]) => {
      const { all, around } = makeFeed(given)
      for (const position of [positionOf(99, all.length), positionOf(given.oldest, all.length + 1)]) {
        assert.strictEqual(judge(position, around(position)), "foreign")
      }
    }
  )
})
