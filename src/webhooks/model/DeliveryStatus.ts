import { Schema } from "effect"

/** Contract, States and transitions. */
export const DeliveryStatus = Schema.Literals(["pending", "succeeded", "failed", "canceled"])
export type DeliveryStatus = typeof DeliveryStatus.Type

/** The reason why a delivery ended without a 2xx (contract, States and transitions). */
export const CancelReason = Schema.Literals(["expired", "student_removed", "endpoint_disabled", "endpoint_deleted"])
export type CancelReason = typeof CancelReason.Type

/** The cause of an attempt: the retry schedule, or a person who asked for it. */
export const Trigger = Schema.Literals(["schedule", "manual", "test", "recover"])
export type Trigger = typeof Trigger.Type
