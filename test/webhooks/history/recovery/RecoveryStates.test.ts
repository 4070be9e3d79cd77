import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { RecoveryStatus } from "../../../../src/webhooks/history/recovery/Recovery.ts"
import { isUnstarted, transitionTo } from "../../../../src/webhooks/history/recovery/RecoveryStates.ts"

const Asked = Schema.Literals(["running", "paused", "canceled"])

const hasEnded = (status: RecoveryStatus) => status === "completed" || status === "canceled"

describe("The states of a recovery", () => {
  it.prop("have no way out of their last ones", [RecoveryStatus, Asked], ([status, asked]) => {
    if (!hasEnded(status)) return
    assert.strictEqual(transitionTo(status, asked), status === asked ? "none" : "refused")
  })

  it.prop("let everything that has not ended be canceled", [RecoveryStatus], ([status]) => {
    if (!hasEnded(status)) assert.strictEqual(transitionTo(status, "canceled"), "canceled")
  })

  it.prop("pause only what runs", [RecoveryStatus], ([status]) => {
    assert.strictEqual(transitionTo(status, "paused") === "paused", status === "running")
  })

  it.prop("start what is not counted yet once it is", [RecoveryStatus], ([status]) => {
    assert.strictEqual(transitionTo(status, "running") === "starts", status === "counting")
    if (isUnstarted(status)) assert.notStrictEqual(transitionTo(status, "running"), "refused")
  })

  it.prop("change nothing when asked for what is so", [RecoveryStatus, Asked], ([status, asked]) => {
    if (status === asked) assert.strictEqual(transitionTo(status, asked), "none")
  })
})
