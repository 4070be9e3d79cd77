import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { nextSendTime } from "../../../src/membership/caps/nextSendTime.ts"

const minute = (n: number) => DateTime.makeUnsafe(n * 60_000)
const minuteOf = (at: DateTime.Utc) => DateTime.toEpochMillis(at) / 60_000

/** The most of these that leave within any hour. */
const mostInAnHour = (minutes: ReadonlyArray<number>) =>
  Math.max(
    0,
    ...minutes.map((begin) => minutes.filter((other) => other >= begin && other < begin + 60).length)
  )

const Upto = (most: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: most }))
/** For each mail, the minutes since the request for the one before, and the minutes that it must wait anyway. */
const Asked = Schema.Array(Schema.Tuple([Upto(40), Upto(300)])).check(Schema.isMaxLength(40))

describe("The earliest moment for a mail", () => {
  it("is at once where there is room, and else an hour after the one that makes room", () => {
    const times = [minute(0), minute(10), minute(20)]
    assert.strictEqual(minuteOf(nextSendTime(times, minute(30), 4)), 30)
    assert.strictEqual(minuteOf(nextSendTime(times, minute(30), 3)), 60)
    assert.strictEqual(minuteOf(nextSendTime(times, minute(30), 2)), 70)
    assert.strictEqual(minuteOf(nextSendTime(times, minute(60), 3)), 60)
  })

  it("does not make too many of those that wait", () => {
    assert.strictEqual(minuteOf(nextSendTime([minute(50)], minute(0), 1)), 110)
    assert.strictEqual(minuteOf(nextSendTime([minute(60)], minute(0), 1)), 0)
  })

  it("is found in one look at three days that are full of mails", () => {
    const cap = 1000
    const times = Array.from({ length: 72 * cap }, (_, n) => minute(n * 60 / cap))
    const before = process.cpuUsage()
    assert.strictEqual(minuteOf(nextSendTime(times, minute(0), cap)), 72 * 60)
    // In milliseconds of processor time: a look at each pair of mails takes several times as long.
    assert.isBelow(process.cpuUsage(before).user / 1000, 2000)
  })

  it.prop(
    "never makes an hour with more than may be, in whatever order they come, and is no later than that asks",
    [Asked, Upto(4)],
    ([asked, more]) => {
      const cap = 1 + more
      let now = 0
      const times: Array<number> = []
      for (const [later, waits] of asked) {
        now += later
        const from = now + waits
        const at = minuteOf(nextSendTime(times.map(minute), minute(from), cap))
        assert.isAtLeast(at, from)
        for (let sooner = from; sooner < at; sooner++) assert.isAbove(mostInAnHour([...times, sooner]), cap)
        times.push(at)
        assert.isAtMost(mostInAnHour(times), cap)
      }
    }
  )
})
