import { Schema } from "effect"

/** UUIDv7, of the moment of the assembly: it says which partition the delivery is in. */
export const WebhookDeliveryId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("WebhookDeliveryId"))
export type WebhookDeliveryId = typeof WebhookDeliveryId.Type

/** UUIDv7, of the moment at which the attempt ended. */
export const AttemptId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("WebhookAttemptId"))
export type AttemptId = typeof AttemptId.Type
