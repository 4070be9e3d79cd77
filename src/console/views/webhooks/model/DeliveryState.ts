import type { Schemas } from "../../../../sdk/index.ts"

type Delivery = Pick<
  Schemas["WebhookDelivery"],
  "attempts_count" | "cancel_reason" | "next_attempt_at" | "payload_purged" | "status"
>

/** A text of all visible changes of a delivery: two states are the same if their texts are. */
export const stateOf = ({ attempts_count, cancel_reason, next_attempt_at, payload_purged, status }: Delivery): string =>
  [attempts_count, cancel_reason, next_attempt_at, payload_purged, status].join()
