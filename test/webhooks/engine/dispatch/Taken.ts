import { EventId } from "../../../../src/events/EventType.ts"
import { ClubId } from "../../../../src/identity/ids/ClubId.ts"
import { normalBreaker } from "../../../../src/webhooks/engine/dispatch/Breaker.ts"
import type { LaneState, TakenDelivery } from "../../../../src/webhooks/engine/dispatch/Lease.ts"
import { WebhookDeliveryId } from "../../../../src/webhooks/model/WebhookDeliveryId.ts"

// Taken deliveries and lanes for tests without a database.

export const club_id = ClubId.make("019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c")

/** A lane whose attempts have no signature. */
export const lane: LaneState = {
  ...normalBreaker,
  wakes: "1",
  breaker_epoch: 0,
  limits: null,
  endpoint_status: "enabled",
  url: "https://hooks.example/",
  secret: null,
  signing_key: null,
  previous_secrets: [],
  headers: null
}

/** A delivery with this last digit in its id. */
export const takenDelivery = (last: string, trigger: TakenDelivery["trigger"]): TakenDelivery => ({
  id: WebhookDeliveryId.make(`019d4860-d9c0-7f21-8b6c-0d1e2f3a4b6${last}`),
  event_id: EventId.make("019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5f"),
  status: "pending",
  attempts_count: 0,
  step: 0,
  trigger,
  once: trigger === "recover",
  next_attempt_at: new Date(0),
  body: new Uint8Array()
})
