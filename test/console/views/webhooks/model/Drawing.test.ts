import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { roundUp } from "../../../../../src/browser/parts/Bars.ts"
import { barsOf, greatest, topOf } from "../../../../../src/console/views/webhooks/model/Bars.ts"
import { linesOf } from "../../../../../src/console/views/webhooks/model/Lines.ts"
import { slowest, stretchesOf } from "../../../../../src/console/views/webhooks/model/Phases.ts"

const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))
const Millis = Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20_000 })))
const almost = 1e-9

describe("The bars of a chart", () => {
  it.prop(
    "stay in their box, stand on its foot, and show every failure",
    { points: Schema.Array(Schema.Struct({ succeeded: Count, failed: Count })) },
    ({ points }) => {
      const known = points.map((point, index) => ({ ...point, at: String(index) }))
      return barsOf(known, topOf(known)).every(({ failed, succeeded, width, x }, index) =>
        x >= 0 && x + width <= 1 + almost && failed.y >= -almost &&
        Math.abs(succeeded.y + succeeded.height - 1) < almost &&
        Math.abs(failed.y + failed.height - succeeded.y) < almost &&
        (failed.height > 0) === ((known[index]?.failed ?? 0) > 0)
      )
    }
  )

  it.prop("reach up to a round number", { value: Count }, ({ value }) => {
    const top = roundUp(value)
    return top >= value && /^[125]0*$/.test(String(top))
  })
})

describe("The greatest of what is known", () => {
  it("is none of what is not known, and 0 where nothing is", () => {
    assert.strictEqual(greatest([null, 5, 30, null]), 30)
    assert.strictEqual(greatest([null]), 0)
    assert.strictEqual(greatest([]), 0)
  })
})

describe("The phases of an attempt", () => {
  it.prop(
    "follow each other within the whole",
    { lookup: Millis, connect: Millis, tls: Millis, send: Millis, wait: Millis, read: Millis, whole: Count },
    ({ connect, lookup, read, send, tls, wait, whole }) => {
      const phases = {
        lookup_ms: lookup,
        connect_ms: connect,
        tls_ms: tls,
        send_ms: send,
        wait_ms: wait,
        read_ms: read
      }
      let end = 0
      return stretchesOf(phases, whole).every(({ from, share }) => {
        const follows = Math.abs(from - end) < almost
        end = from + share
        return follows && end <= 1 + almost
      })
    }
  )

  it("name the one that took longest", () => {
    const none = { lookup_ms: null, connect_ms: null, tls_ms: null, send_ms: null, wait_ms: null, read_ms: null }
    assert.strictEqual(slowest({ ...none, connect_ms: 3, wait_ms: 40 }), "wait")
    assert.isUndefined(slowest(none))
  })
})

describe("A long text in lines", () => {
  it.prop(
    "is the text again when they are joined, in pieces that are short and whole",
    { parts: Schema.Array(Schema.Literals(["a".repeat(399), "👩‍🎓", "é", "b", "\n", "ديانا"])) },
    ({ parts }) => {
      const text = parts.join("")
      const lines = linesOf(text)
      return lines.join("") === text.replaceAll("\n", "") &&
        lines.every((line) => line.length <= 400 && line.isWellFormed())
    }
  )
})
