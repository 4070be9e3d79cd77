import { assert, beforeEach, describe, it, vi } from "@effect/vitest"

const machine = Date.UTC(2026, 0, 1, 12)
const served = (millis: number) => new Date(millis).toUTCString()
const second = 1000

describe("The time that the console goes by", () => {
  beforeEach(() => {
    vi.resetModules()
    vi.useFakeTimers({ now: machine, toFake: ["Date"] })
    return () => vi.useRealTimers()
  })

  const fresh = () => import("../../../src/browser/client/Time.ts")

  it("is the machine's until the service has answered", async () => {
    const { currentMillis, learnTime } = await fresh()
    learnTime(null)
    learnTime("yesterday")
    assert.strictEqual(currentMillis(), machine)
  })

  it("is the service's from then on, whatever the machine's clock shows", async () => {
    const { currentMillis, learnTime } = await fresh()
    learnTime(served(machine - 3600 * second))
    assert.strictEqual(currentMillis(), machine - 3600 * second)
    vi.setSystemTime(machine + 7200 * second)
    learnTime(served(machine - 3590 * second))
    assert.strictEqual(currentMillis(), machine - 3590 * second)
  })

  it("is never ahead of the service, and as near as the answers have told", async () => {
    const { currentMillis, learnTime } = await fresh()
    learnTime(served(machine - 2 * second))
    learnTime(served(machine - second))
    learnTime(served(machine - 3 * second))
    assert.strictEqual(currentMillis(), machine - second)
  })
})
