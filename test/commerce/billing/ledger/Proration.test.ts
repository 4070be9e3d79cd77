import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { type Period, periodAt } from "../../../../src/commerce/billing/account/Period.ts"
import { consumedAt, remainingAt } from "../../../../src/commerce/billing/ledger/Proration.ts"
import { after, Anchor, anchorOf, Price, Wait } from "../account/Times.ts"

const lengthOf = ({ end, start }: Period) => end.epochMilliseconds - start.epochMilliseconds

/** A moment of a period, with its first and its last moment. */
const Part = Schema.Union([Schema.Literals([0, 1]), Schema.Number.check(Schema.isBetween({ minimum: 0, maximum: 1 }))])
const momentOf = (period: Period, part: number) => after(period.start, Math.floor(lengthOf(period) * part))

const periodOf = (anchor: typeof Anchor.Type, wait: number) => {
  const from = anchorOf(anchor)
  return periodAt(from, after(from, wait))
}

describe("What is paid for a time", () => {
  it.prop(
    "is consumed and credited to the cent, whatever the price, the period and the moment",
    { anchor: Anchor, wait: Wait, price: Price, part: Part },
    ({ anchor, part, price, wait }) => {
      const period = periodOf(anchor, wait)
      const moment = momentOf(period, part)
      const [consumed, credit] = [consumedAt(price, period, moment), remainingAt(price, period, moment)]
      assert.strictEqual(consumed + credit, price)
      assert.isAtLeast(consumed, 0)
      assert.isAtLeast(credit, 0)
      assert.isTrue(Number.isSafeInteger(consumed) && Number.isSafeInteger(credit))
      // The consumed part is at most the exact share, and less than a cent below it.
      const exact = BigInt(price) * BigInt(moment.epochMilliseconds - period.start.epochMilliseconds)
      const share = BigInt(consumed) * BigInt(lengthOf(period))
      assert.isTrue(share <= exact && exact < share + BigInt(lengthOf(period)))
    },
    { arbitrary: { runs: 1000 } }
  )

  it.prop(
    "stays paid to the cent when only the rest of a period was, from one moment of it to another",
    { anchor: Anchor, wait: Wait, price: Price, contracted: Part, removed: Part },
    ({ anchor, contracted, price, removed, wait }) => {
      const period = periodOf(anchor, wait)
      const from = momentOf(period, contracted)
      const charge = remainingAt(price, period, from)
      const rest = { start: from, end: period.end }
      const at = momentOf(rest, removed)
      assert.strictEqual(consumedAt(charge, rest, at) + remainingAt(charge, rest, at), charge)
      assert.isAtMost(charge, price)
      assert.strictEqual(remainingAt(charge, rest, from), charge)
      assert.strictEqual(remainingAt(charge, rest, period.end), 0)
    },
    { arbitrary: { runs: 1000 } }
  )

  it.prop(
    "is consumed steadily: never less later",
    { anchor: Anchor, price: Price, parts: Schema.Tuple([Part, Part]) },
    ({ anchor, parts, price }) => {
      const period = periodOf(anchor, 0)
      const [a, b] = parts.toSorted((x, y) => x - y)
      assert.isAtMost(
        consumedAt(price, period, momentOf(period, a ?? 0)),
        consumedAt(price, period, momentOf(period, b ?? 0))
      )
    }
  )

  it("is whole before its time, and nothing of it is left after", () => {
    const period = periodAt(DateTime.makeUnsafe("2026-01-31Z"), DateTime.makeUnsafe("2026-02-01Z"))
    assert.strictEqual(remainingAt(1900, period, after(period.start, -1)), 1900)
    assert.strictEqual(remainingAt(1900, period, after(period.end, 1)), 0)
    assert.strictEqual(remainingAt(1900, { start: period.start, end: period.start }, period.start), 0)
  })

  it("is half after half of a month of 28, 29, 30 or 31 days", () => {
    for (const start of ["2026-02-01Z", "2028-02-01Z", "2026-04-01Z", "2026-01-01Z"]) {
      const from = DateTime.makeUnsafe(start)
      const period = periodAt(from, from)
      assert.strictEqual(remainingAt(1900, period, momentOf(period, 0.5)), 950)
    }
  })
})
