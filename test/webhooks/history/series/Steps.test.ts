import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { durationBounds, durationColumns, percentile } from "../../../../src/webhooks/engine/dispatch/Durations.ts"
import type { SeriesWindow } from "../../../../src/webhooks/history/series/Series.ts"
import { stepsOf } from "../../../../src/webhooks/history/series/Steps.ts"

const starts = (window: SeriesWindow, now: string, zone: string) =>
  stepsOf(window, DateTime.makeUnsafe(now), zone).starts.map(DateTime.formatIso)

const hour = 3_600_000

describe("The steps of a series", () => {
  it.each([
    ["24h", 24, "2026-11-21T10:00:00.000Z"],
    ["7d", 168, "2026-11-21T10:00:00.000Z"]
  ] as const)("of %s are %i hours, and the last one is not over", (window, count, last) => {
    const { step, starts } = stepsOf(window, DateTime.makeUnsafe("2026-11-21T10:59:59.999Z"), "UTC")
    const times = starts.map(DateTime.toEpochMillis)
    assert.deepStrictEqual([step, times.length], ["hour", count])
    assert.deepStrictEqual(times.slice(1).map((time, place) => time - (times[place] ?? 0)), Array(count - 1).fill(hour))
    assert.strictEqual(times.at(-1), Date.parse(last))
  })

  it.each([
    ["Asia/Kolkata", "2026-11-21T10:29:59.999Z", "2026-11-21T09:30:00.000Z"],
    ["Asia/Kolkata", "2026-11-21T10:30:00.000Z", "2026-11-21T10:30:00.000Z"],
    ["Asia/Kathmandu", "2026-11-21T10:20:00.000Z", "2026-11-21T10:15:00.000Z"],
    ["Asia/Kathmandu", "2026-11-21T10:10:00.000Z", "2026-11-21T09:15:00.000Z"],
    ["America/Sao_Paulo", "2026-11-21T10:10:00.000Z", "2026-11-21T10:00:00.000Z"]
  ])("begin when a clock in %s strikes the hour", (zone, now, last) => {
    assert.strictEqual(starts("24h", now, zone).at(-1), last)
  })

  it("of 30 days begin at midnight where the club is", () => {
    const days = starts("30d", "2026-11-21T02:00:00Z", "America/Sao_Paulo")
    assert.lengthOf(days, 30)
    assert.deepStrictEqual([days[0], days.at(-1)], ["2026-10-22T03:00:00.000Z", "2026-11-20T03:00:00.000Z"])
  })

  it("are days of 23 and of 25 hours where clocks are set", () => {
    // Lisbon moved its clocks forward on 29 March 2026 and back on 25 October 2026.
    const spring = starts("30d", "2026-04-01T12:00:00Z", "Europe/Lisbon")
    assert.deepStrictEqual(spring.slice(-4), [
      "2026-03-29T00:00:00.000Z",
      "2026-03-29T23:00:00.000Z",
      "2026-03-30T23:00:00.000Z",
      "2026-03-31T23:00:00.000Z"
    ])
    const autumn = starts("30d", "2026-10-27T12:00:00Z", "Europe/Lisbon")
    assert.deepStrictEqual(autumn.slice(-4), [
      "2026-10-23T23:00:00.000Z",
      "2026-10-24T23:00:00.000Z",
      "2026-10-26T00:00:00.000Z",
      "2026-10-27T00:00:00.000Z"
    ])
  })

  it("begin later on a day that has no midnight", () => {
    const days = starts("30d", "2018-11-05T12:00:00Z", "America/Sao_Paulo")
    assert.deepStrictEqual(days.slice(-3), [
      "2018-11-03T03:00:00.000Z",
      "2018-11-04T03:00:00.000Z",
      "2018-11-05T02:00:00.000Z"
    ])
  })
})

/** The table's bucket for a duration. */
const placeOf = (duration: number) => durationBounds.filter((bound) => bound <= duration).length

const Durations = Schema.NonEmptyArray(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40_000 })))

describe("A percentile of counted durations", () => {
  it("is null where there are none", () => {
    assert.isNull(percentile([], 0.5))
    assert.isNull(percentile(durationColumns.map(() => 0), 0.95))
  })

  it.prop("lies where the true one was counted", [Durations], ([durations]) => {
    const counts = durationColumns.map(() => 0)
    for (const duration of durations) counts[placeOf(duration)] = (counts[placeOf(duration)] ?? 0) + 1
    const sorted = durations.toSorted((one, other) => one - other)
    for (const share of [0.5, 0.95]) {
      const real = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
      const found = percentile(counts, share) ?? -1
      assert.isAtLeast(found, durationBounds[placeOf(real) - 1] ?? 0)
      assert.isAtMost(found, durationBounds[placeOf(real)] ?? 61_440)
    }
  }, { arbitrary: { runs: 300 } })
})
