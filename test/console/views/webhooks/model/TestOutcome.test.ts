import { assert, describe, it } from "@effect/vitest"
import { outcomeOf } from "../../../../../src/console/views/webhooks/model/TestOutcome.ts"

describe("What came of a test", () => {
  it("is what came of its last attempt", () => {
    const [refused, accepted] = [{ error: "http_status" }, { error: null }] as const
    assert.strictEqual(outcomeOf({ attempts: [refused], status: "pending" }, "https"), "refused")
    assert.strictEqual(outcomeOf({ attempts: [refused, accepted], status: "succeeded" }, "https"), "accepted")
    assert.strictEqual(outcomeOf({ attempts: [refused], status: "canceled" }, "https"), "refused")
  })

  it("is no failure where it was not sent: it waits for its turn, or until it is asked for", () => {
    assert.strictEqual(outcomeOf({ attempts: [], status: "pending" }, "https"), "later")
    assert.strictEqual(outcomeOf({ attempts: [], status: "pending" }, "listener"), "listener")
  })

  it("is that it was given up where that came first", () => {
    for (const kind of ["https", "listener"] as const) {
      assert.strictEqual(outcomeOf({ attempts: [], status: "canceled" }, kind), "canceled")
    }
  })
})
