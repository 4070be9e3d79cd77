import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { EventId } from "../../../../src/events/EventType.ts"
import type { WebhookDelivery } from "../../../../src/webhooks/history/delivery/Delivery.ts"
import { differences, missingOf, type SentStates } from "../../../../src/webhooks/history/live/Differences.ts"
import type { DeliveryStatus } from "../../../../src/webhooks/model/DeliveryStatus.ts"
import { EndpointId } from "../../../../src/webhooks/model/EndpointId.ts"
import { WebhookDeliveryId } from "../../../../src/webhooks/model/WebhookDeliveryId.ts"

const idOf = (n: number) => `0198a0c4-5b1e-7d62-8f3a-${String(n).padStart(12, "0")}`

const delivery = (n: number, status: DeliveryStatus, attempts_count: number): WebhookDelivery => ({
  id: WebhookDeliveryId.make(idOf(n)),
  endpoint_id: EndpointId.make(idOf(0)),
  event_id: EventId.make(idOf(0)),
  event_type: "student.created",
  status,
  cancel_reason: null,
  payload_purged: false,
  attempts_count,
  next_attempt_at: null,
  last_attempt_at: null,
  last_status_code: null,
  last_error: null,
  student_id: null,
  created_at: DateTime.makeUnsafe(n),
  finished_at: null
})

/** The changes between two reads: each makes a new delivery or changes an old one. */
const Story = Schema.Array(Schema.Struct({
  which: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 })),
  status: Schema.Literals(["pending", "succeeded", "failed"]),
  reads: Schema.Boolean
}))

const limit = 4

describe("Who applies what a stream tells", () => {
  it.prop(
    "has the page as it is at each read, and no other delivery of it that passes the filter",
    [Story],
    ([story]) => {
      const all: Array<WebhookDelivery> = []
      const seen = new Map<WebhookDeliveryId, WebhookDelivery>()
      let sent: SentStates = new Map()
      for (const { reads, status, which } of story) {
        const old = all[which]
        if (old === undefined) all.push(delivery(all.length, status, 0))
        else all[which] = delivery(which, status, old.attempts_count + 1)
        if (!reads) continue
        const page = all.filter(({ status }) => status === "pending").toReversed().slice(0, limit)
        const missing = new Set(missingOf(sent, page, limit))
        const next = differences(sent, page, all.filter(({ id }) => missing.has(id)))
        for (const one of next.changed) {
          assert.notDeepEqual(seen.get(one.id), one)
          seen.set(one.id, one)
        }
        sent = next.sent
        const shown = [...seen.values()].filter(({ status }) => status === "pending")
          .toSorted((one, other) => one.id < other.id ? 1 : -1)
        assert.deepStrictEqual(shown.slice(0, limit), page)
        // A reader keeps as many deliveries as the page has. The stream does not report others.
        seen.clear()
        for (const one of page) seen.set(one.id, one)
        assert.deepStrictEqual(next.changed, next.changed.toSorted((one, other) => one.id < other.id ? -1 : 1))
      }
    },
    { arbitrary: { runs: 300 } }
  )

  it("hears of one that is back on the page, and of nothing else that has not changed", () => {
    const [oldest, ...others] = [0, 1, 2, 3, 4].map((n) => delivery(n, "pending", 0))
    const [one, two, three, four] = others
    assert.isDefined(oldest)
    assert.isDefined(one)
    assert.isDefined(two)
    assert.isDefined(three)
    assert.isDefined(four)
    const first = differences(new Map(), [three, two, one, oldest], [])
    const pushed = differences(first.sent, [four, three, two, one], [])
    const done = delivery(4, "succeeded", 1)
    assert.deepStrictEqual(missingOf(pushed.sent, [three, two, one, oldest], limit), [done.id])
    assert.deepStrictEqual([pushed.changed, differences(pushed.sent, [three, two, one, oldest], [done]).changed], [
      [four],
      [oldest, done]
    ])
  })
})
