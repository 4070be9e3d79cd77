import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { periodAt } from "../../../../src/commerce/billing/account/Period.ts"
import { after, Anchor, anchorOf, Wait } from "./Times.ts"

const at = (text: string) => DateTime.makeUnsafe(text)
const textOf = ({ end, start }: ReturnType<typeof periodAt>) => [start, end].map(DateTime.formatIso)

describe("The period of a plan", () => {
  it.each([
    ["a month", "2026-01-10T12:00:00Z", "2026-01-20T00:00:00Z", "2026-01-10T12:00:00.000Z", "2026-02-10T12:00:00.000Z"],
    ["begun at its first moment", "2026-01-10Z", "2026-02-10Z", "2026-02-10T00:00:00.000Z", "2026-03-10T00:00:00.000Z"],
    ["over a new year", "2025-12-10Z", "2026-01-01Z", "2025-12-10T00:00:00.000Z", "2026-01-10T00:00:00.000Z"],
    ["in a short month", "2026-01-31Z", "2026-02-27Z", "2026-01-31T00:00:00.000Z", "2026-02-28T00:00:00.000Z"],
    [
      "on the 31st again after it",
      "2026-01-31Z",
      "2026-03-01Z",
      "2026-02-28T00:00:00.000Z",
      "2026-03-31T00:00:00.000Z"
    ],
    [
      "on the 29th of a leap year",
      "2028-01-30Z",
      "2028-03-01Z",
      "2028-02-29T00:00:00.000Z",
      "2028-03-30T00:00:00.000Z"
    ],
    ["counted from a leap day", "2028-02-29Z", "2029-03-01Z", "2029-02-28T00:00:00.000Z", "2029-03-29T00:00:00.000Z"],
    ["the first, before it", "2026-05-10Z", "2026-01-01Z", "2026-05-10T00:00:00.000Z", "2026-06-10T00:00:00.000Z"]
  ])("is %s", (_, anchor, now, start, end) => {
    assert.deepStrictEqual(textOf(periodAt(at(anchor), at(now))), [start, end])
  })

  it.prop(
    "has the moment in it, and is the same one from its first moment to its last",
    { anchor: Anchor, wait: Wait },
    ({ anchor, wait }) => {
      const from = anchorOf(anchor)
      const now = after(from, wait)
      const period = periodAt(from, now)
      assert.isTrue(DateTime.isLessThanOrEqualTo(period.start, now))
      assert.isTrue(DateTime.isLessThan(now, period.end))
      assert.deepStrictEqual(periodAt(from, period.start), period)
      assert.deepStrictEqual(periodAt(from, after(period.end, -1)), period)
    }
  )

  it.prop(
    "begins where the one before it ended, on the anchor's day or the month's last, for 50 years",
    { anchor: Anchor },
    ({ anchor }) => {
      const from = anchorOf(anchor)
      let period = periodAt(from, from)
      assert.deepStrictEqual(period.start, from)
      for (let month = 1; month <= 600; month += 1) {
        const next = periodAt(from, period.end)
        assert.deepStrictEqual(next.start, period.end)
        assert.isTrue(DateTime.isGreaterThan(next.end, next.start))
        const { day } = DateTime.toPartsUtc(next.start)
        const last = DateTime.toPartsUtc(DateTime.endOf(next.start, "month")).day
        assert.strictEqual(day, Math.min(DateTime.toPartsUtc(from).day, last))
        period = next
      }
      const years = DateTime.toPartsUtc(period.start).year - DateTime.toPartsUtc(from).year
      assert.strictEqual(years, 50)
    },
    { arbitrary: { runs: 30 } }
  )

  it.prop("never goes back", { anchor: Anchor, waits: Schema.Tuple([Wait, Wait]) }, ({ anchor, waits: [a, b] }) => {
    const from = anchorOf(anchor)
    const [earlier, later] = [periodAt(from, after(from, a)), periodAt(from, after(from, a + b))]
    assert.isTrue(DateTime.isLessThanOrEqualTo(earlier.start, later.start))
  })
})
