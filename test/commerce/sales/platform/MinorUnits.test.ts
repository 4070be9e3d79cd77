import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { minorUnits } from "../../../../src/commerce/sales/platform/MinorUnits.ts"

describe("a decimal amount", () => {
  it.each([
    ["149.9", "BRL", 14990],
    ["0", "BRL", 0],
    ["0.29", "BRL", 29],
    ["1.005", "BRL", 101],
    ["1.0049999999999999", "BRL", 100],
    ["4.35", "EUR", 435],
    ["64.9", null, 6490],
    ["1500", "JPY", 1500],
    ["1500.5", "CLP", 1501],
    ["49900.5", "COP", 4990050],
    ["1.2345", "KWD", 1235],
    ["10000000000", "BRL", 1_000_000_000_000]
  ])("of %s %s is in the minor unit, half of one rounded up", (decimal, currency, units) => {
    assert.strictEqual(minorUnits(decimal, currency), units)
  })

  it.each(["-1", "10000000000.01", "1e21", "1e-7", "NaN", "Infinity", "1,5", "1.", ".5", "", " 1", "0x10", null])(
    "of %j is none",
    (decimal) => {
      assert.isNull(minorUnits(decimal, "BRL"))
    }
  )

  it.prop(
    "is what its digits say",
    [Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000_000 }))],
    ([units]) => {
      const digits = `${units}`.padStart(3, "0")
      assert.strictEqual(minorUnits(`${digits.slice(0, -2)}.${digits.slice(-2)}`, "BRL"), units)
      // A number as platforms write it in JSON.
      assert.strictEqual(minorUnits(`${units / 100}`, "BRL"), units)
    }
  )
})
