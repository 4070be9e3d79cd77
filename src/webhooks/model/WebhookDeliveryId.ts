import { brandedId } from "../../platform/schema/brandedId.ts"

/** UUIDv7, of the moment of the assembly: it says which partition the delivery is in. */
export const WebhookDeliveryId = brandedId("WebhookDeliveryId")
export type WebhookDeliveryId = typeof WebhookDeliveryId.Type

/** UUIDv7, of the moment at which the attempt ended. */
export const AttemptId = brandedId("WebhookAttemptId")
export type AttemptId = typeof AttemptId.Type
