import { assert, describe, it } from "@effect/vitest"
import { Duration, Option } from "effect"
import { leftOf, paceOf, restOf } from "../../../src/cli/webhooks/forward/pace.ts"
import { PendingResults } from "../../../src/cli/webhooks/forward/PendingResults.ts"
import type { ListenerResult } from "../../../src/webhooks/listener/Listener.ts"
import { WebhookDeliveryId } from "../../../src/webhooks/model/WebhookDeliveryId.ts"

const idOf = (number: number) => WebhookDeliveryId.make(`019d4860-0000-7000-8000-${String(number).padStart(12, "0")}`)

const resultOf = (number: number, receipt = "0.schedule"): ListenerResult => ({
  delivery_id: idOf(number),
  receipt,
  status_code: 200,
  error: null,
  duration_ms: 1
})

describe("What a command has in hand", () => {
  it("is not taken a second time, while it runs and until it is told", () => {
    const pendingResults = new PendingResults([])
    assert.isTrue(pendingResults.take(idOf(1), "0.schedule"))
    assert.isFalse(pendingResults.take(idOf(1), "0.schedule"))
    assert.deepStrictEqual(pendingResults.inFlight, [idOf(1)])
    const result = resultOf(1)
    pendingResults.made(result)
    assert.isTrue(pendingResults.isIdle)
    assert.isFalse(pendingResults.take(idOf(1), "0.schedule"))
    assert.deepStrictEqual([pendingResults.inFlight, pendingResults.unrecorded], [[idOf(1)], [result]])
    pendingResults.recorded([result])
    assert.deepStrictEqual(pendingResults.inFlight, [])
    assert.isTrue(pendingResults.take(idOf(1), "1.schedule"))
  })

  it("is what the command before made, and another attempt of it is another thing", () => {
    const pendingResults = new PendingResults([resultOf(1)])
    assert.isFalse(pendingResults.take(idOf(1), "0.schedule"))
    assert.isTrue(pendingResults.take(idOf(1), "1.schedule"))
    assert.deepStrictEqual(pendingResults.inFlight, [idOf(1)])
  })

  it("is a hundred at most, and full once none of them runs", () => {
    const pendingResults = new PendingResults([])
    for (let number = 0; number < 100; number++) {
      assert.strictEqual(pendingResults.room, 100 - number)
      pendingResults.take(idOf(number), "0.schedule")
    }
    assert.deepStrictEqual([pendingResults.room, pendingResults.isFull], [0, false])
    for (let number = 0; number < 100; number++) pendingResults.made(resultOf(number))
    assert.deepStrictEqual([pendingResults.room, pendingResults.isFull], [0, true])
    assert.lengthOf(new PendingResults(Array.from({ length: 500 }, (_, number) => resultOf(number))).inFlight, 100)
  })
})

describe("How soon results are told", () => {
  const pace = (remaining: number, seconds: number) => Duration.toMillis(paceOf(Option.some({ remaining, seconds })))

  it("is at once where the club has writes to spare, or says nothing of them", () => {
    assert.strictEqual(Duration.toMillis(paceOf(Option.none())), 100)
    assert.strictEqual(pace(60, 60), 100)
    assert.strictEqual(pace(31, 10), 100)
  })

  it("is spread over the rest of the minute where they run short, and leaves some to others", () => {
    assert.strictEqual(pace(30, 40), 2000)
    assert.strictEqual(pace(11, 20), 20_000)
    assert.strictEqual(pace(3, 20), 20_000)
    assert.strictEqual(pace(30, 1), 100)
  })

  it("waits for the next minute where only the writes of others are left", () => {
    const rest = (remaining: number) => Duration.toMillis(restOf(Option.some({ remaining, seconds: 40 })))
    assert.deepStrictEqual([rest(11), rest(10), rest(0)], [0, 40_000, 40_000])
    assert.strictEqual(Duration.toMillis(restOf(Option.none())), 0)
  })

  it("goes by what is left of the minute, and by nothing once that is over", () => {
    const recorded = Option.some({ remaining: 3, seconds: 40 })
    assert.deepStrictEqual(leftOf(recorded, 15), Option.some({ remaining: 3, seconds: 25 }))
    assert.deepStrictEqual([leftOf(recorded, 40), leftOf(Option.none(), 1)], [Option.none(), Option.none()])
  })
})
