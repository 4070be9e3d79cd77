import { assert, describe, it } from "@effect/vitest"
import { isSafeAddress } from "../../../../src/browser/client/SafeAddress.ts"
import { remainingOf, stateOf } from "../../../../src/console/views/billing/amounts.ts"

const resource = { kind: "metered", granted: true, unlimited: false, allowance: 100, used: 0, overage: 0 } as const

describe("What a club pays", () => {
  it("for the rest of a period is all at its start, none at its end, and never beyond", () => {
    const at = (now: number) => remainingOf(1900, { start: 0, end: 30, now })
    assert.deepStrictEqual([-5, 0, 15, 30, 99].map(at), [1900, 1900, 950, 0, 0])
    assert.strictEqual(remainingOf(100, { start: 5, end: 5, now: 5 }), 0)
  })

  it("rounds what is used down, so that what remains and what is used add up", () => {
    assert.strictEqual(remainingOf(100, { start: 0, end: 3, now: 1 }), 67)
  })

  it("is said of a resource before its allowance ends", () => {
    const used = (used: number, overage = 0) => stateOf({ ...resource, used, overage })
    assert.deepStrictEqual([used(0), used(79), used(80), used(100), used(120, 20)], [
      "fine",
      "fine",
      "near",
      "used",
      "over"
    ])
    assert.strictEqual(stateOf({ ...resource, granted: false }), "absent")
    assert.strictEqual(stateOf({ ...resource, unlimited: true, allowance: 0, used: 5 }), "unlimited")
    assert.strictEqual(stateOf({ ...resource, kind: "flag", allowance: 0 }), "fine")
  })

  it("is paid at an encrypted address alone", () => {
    assert.isTrue(isSafeAddress("https://checkout.stripe.com/c/pay/x"))
    for (const address of ["http://a.example", "javascript:alert(1)", "data:text/html,x", "/console", ""]) {
      assert.isFalse(isSafeAddress(address), address)
    }
  })
})
