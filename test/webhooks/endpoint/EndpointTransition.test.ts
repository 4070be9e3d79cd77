import { assert, describe, it } from "@effect/vitest"
import { transitionTo } from "../../../src/webhooks/endpoint/EndpointTransition.ts"

// Contract, States and transitions, Outgoing webhook endpoint.
describe("an endpoint's status", () => {
  it.each([
    ["enabled", "enabled", "none"],
    ["enabled", "paused", "pause"],
    ["enabled", "disabled", "disable"],
    ["paused", "enabled", "enable"],
    ["paused", "paused", "none"],
    ["paused", "disabled", "disable"],
    ["disabled", "enabled", "enable"],
    ["disabled", "paused", "refused"],
    ["disabled", "disabled", "none"]
  ] as const)("from %s to %s: %s", (from, to, move) => {
    assert.strictEqual(transitionTo(from, to), move)
  })
})
