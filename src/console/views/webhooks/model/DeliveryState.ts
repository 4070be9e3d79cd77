import type { Schemas } from "../../../../sdk/index.ts"

type Delivery = Pick<
  Schemas["WebhookDelivery"],
  "attempts_count" | "cancel_reason" | "next_attempt_at" | "payload_purged" | "status"
>

/** What tells one state of a delivery from another: all of it that a reader sees change. */
export const stateOf = ({ attempts_count, cancel_reason, next_attempt_at, payload_purged, status }: Delivery): string =>
  [attempts_count, cancel_reason, next_attempt_at, payload_purged, status].join()
