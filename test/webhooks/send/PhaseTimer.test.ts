import { assert, it } from "@effect/vitest"
import { PhaseTimer } from "../../../src/webhooks/send/PhaseTimer.ts"

it("a phase that has begun begins no second time, nor one before it", () => {
  let now = 0
  const timer = new PhaseTimer(() => now)
  timer.begin("send_ms")
  now = 5
  timer.begin("read_ms")
  now = 7
  timer.begin("wait_ms")
  now = 9
  timer.begin("read_ms")
  now = 12
  const phases = { lookup_ms: null, connect_ms: null, tls_ms: null, send_ms: 5, wait_ms: null, read_ms: 7 }
  assert.deepStrictEqual(timer.end(), phases)
})

it("a phase during which the process stood still for 26 days is as long as its column can say", () => {
  let now = 0
  const timer = new PhaseTimer(() => now)
  timer.begin("wait_ms")
  now = 26 * 86_400_000
  assert.strictEqual(timer.end()?.wait_ms, 2_147_483_647)
})
