import { Schema } from "effect"

/** UUIDv7, of the moment of the assembly: it says which partition the delivery is in. */
export const DeliveryId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("WebhookDeliveryId"))
export type DeliveryId = typeof DeliveryId.Type

/** UUIDv7, of the moment at which the attempt ended. */
export const AttemptId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("WebhookAttemptId"))
export type AttemptId = typeof AttemptId.Type

/** Contract, States and transitions. */
export const DeliveryStatus = Schema.Literals(["pending", "succeeded", "failed", "canceled"])
export type DeliveryStatus = typeof DeliveryStatus.Type

/** Why a delivery was given up without a 2xx (contract, States and transitions). */
export const CancelReason = Schema.Literals(["expired", "student_removed", "endpoint_disabled", "endpoint_deleted"])
export type CancelReason = typeof CancelReason.Type

/** What an attempt comes from: the ladder of waits, or a person who asked for it. */
export const Trigger = Schema.Literals(["schedule", "manual", "test", "recover"])
export type Trigger = typeof Trigger.Type

/** Why an attempt failed; one word, and nothing of what a name resolved to. */
export const AttemptError = Schema.Literals([
  "timeout",
  "dns",
  "connection",
  "tls",
  "address_not_allowed",
  "redirect",
  "http_status",
  "protocol"
])
export type AttemptError = typeof AttemptError.Type
