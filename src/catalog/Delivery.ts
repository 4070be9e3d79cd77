import { Schema } from "effect"

/** A delivery is what a student gets access to. UUIDv7. Not a webhook delivery. */
export const DeliveryId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("CatalogDeliveryId"))
export type DeliveryId = typeof DeliveryId.Type

/** A group of a delivery's students, such as those of one start date. UUIDv7. */
export const CohortId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("CohortId"))
export type CohortId = typeof CohortId.Type
