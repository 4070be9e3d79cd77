import { Schema } from "effect"

/** A question is `completed` as it is asked; an answer is `generating` until it ends, once. */
export const MessageStatus = Schema.Literals(["generating", "completed", "failed", "canceled"])
export type MessageStatus = typeof MessageStatus.Type

/** Why an answer failed. `interrupted`: the process that generated it died. */
export const MessageErrorCode = Schema.Literals([
  "timeout",
  "interrupted",
  "provider_unavailable",
  "provider_rate_limited",
  "answer_refused"
])
export type MessageErrorCode = typeof MessageErrorCode.Type
