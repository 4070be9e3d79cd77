import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { printed } from "../../../src/cli/webhooks/forward/ForwardOutput.ts"
import { deliveryId, handedOut } from "./Forwarding.ts"

const hostile = "\u001b]0;you\u0007\u202e\u0085\u2028\r"
const body = JSON.stringify({ type: `student.created\n2026  forged${hostile}`, data: { name: hostile } })
const one = {
  at: DateTime.makeUnsafe("2026-01-02T03:04:05Z"),
  handed: handedOut(1, { body }),
  result: { delivery_id: deliveryId(1), receipt: "0.schedule", status_code: 204, error: null, duration_ms: 7 },
  verdict: "verified"
} as const

/** Characters that a terminal would obey. */
const obeyed = /[\p{Bidi_Control}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}/u

describe("What is printed of a delivery", () => {
  it("is one line, whatever its type says", () => {
    const line = printed(one, { print: "line", json: false })
    assert.notMatch(line, obeyed)
    assert.lengthOf(line.split("\n"), 1)
    assert.match(
      line,
      /^2026-01-02T03:04:05\.000Z {2}student\.created 2026 forged.* {2}verified, answered 204 in 7 ms$/
    )
  })

  it("has the body as people read it, with nothing that a terminal obeys", () => {
    const text = printed(one, { print: "body", json: false })
    assert.notMatch(text, obeyed)
    assert.include(text, "\n    \"data\": {")
  })

  it("is JSON on one line that says the same, with nothing that a terminal obeys", () => {
    const line = printed(one, { print: "body", json: true })
    assert.notMatch(line, obeyed)
    assert.lengthOf(line.split("\n"), 1)
    assert.deepInclude(JSON.parse(line), { body, type: JSON.parse(body).type, attempt: 1, status_code: 204 })
    assert.notProperty(JSON.parse(printed(one, { print: "line", json: true })), "body")
  })

  it("says which attempt it was where it is not the first, and why no answer came", () => {
    const failed = {
      ...one,
      handed: handedOut(1, { attempt: 3 }),
      result: { ...one.result, status_code: null, error: "dns" }
    } as const
    assert.include(printed(failed, { print: "line", json: false }), "verified, not reached: dns in 7 ms, attempt 3")
  })
})
