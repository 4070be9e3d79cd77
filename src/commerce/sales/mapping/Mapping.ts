import { Effect, Schema } from "effect"
import { CohortId, DeliveryId } from "../../../membership/catalog/Delivery.ts"
import { ApiError } from "../../../platform/http/ApiError.ts"
import { sentId, text } from "../../../platform/http/Text.ts"
import { PlatformKey, type SoldProduct } from "../platform/Platform.ts"

/** UUIDv7. */
export const MappingId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("ProductMappingId"))
export type MappingId = typeof MappingId.Type

/**
 * What a platform's product gives access to (http-surface, Inbound sales platforms). With an offer it is for that offer
 * alone, with null for all of them. `access_days` null: as the delivery says.
 */
export const ProductMapping = Schema.Struct({
  id: MappingId,
  platform: PlatformKey,
  external_product_id: Schema.String,
  external_offer_id: Schema.NullOr(Schema.String),
  delivery_id: DeliveryId,
  cohort_id: Schema.NullOr(CohortId),
  access_days: Schema.NullOr(Schema.Int),
  created_at: Schema.DateTimeUtcFromDate
}).annotate({ identifier: "ProductMapping" })
export type ProductMapping = typeof ProductMapping.Type

/** A mapping that applies to a sale. An archived delivery is not granted any more. */
export const AppliedMapping = Schema.Struct({ ...ProductMapping.fields, archived: Schema.Boolean })
export type AppliedMapping = typeof AppliedMapping.Type

/** Of the mappings that apply to several sales those that apply to one, in the same order. */
export const appliedTo = (
  products: ReadonlyArray<SoldProduct>,
  mapped: ReadonlyArray<AppliedMapping>
): ReadonlyArray<AppliedMapping> =>
  mapped.filter(({ external_offer_id: offer, external_product_id: product }) =>
    products.some(({ external_id, offer_external_id }) =>
      external_id === product && (offer === null || offer === offer_external_id)
    )
  )

/** `unmapped_events`: how many kept events waited for such a mapping and would be processed again with `reprocess`. */
export const ProductMappingDetail = Schema.Struct({
  ...ProductMapping.fields,
  unmapped_events: Schema.Int
}).annotate({ identifier: "ProductMappingDetail" })
export type ProductMappingDetail = typeof ProductMappingDetail.Type

const ExternalId = text(1, 200)
const AccessDays = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 36_500 }))

const orNull = <S extends Schema.Top>(schema: S) =>
  Schema.NullOr(schema).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))

/** All offers, no cohort and the delivery's own days unless said otherwise. */
export const CreateMapping = Schema.Struct({
  platform: PlatformKey,
  external_product_id: ExternalId,
  external_offer_id: orNull(ExternalId),
  delivery_id: sentId(DeliveryId),
  cohort_id: orNull(sentId(CohortId)),
  access_days: orNull(AccessDays)
})

/** Absent is unchanged. The platform cannot be changed. */
export const PatchMapping = Schema.Struct({
  external_product_id: Schema.optionalKey(ExternalId),
  external_offer_id: Schema.optionalKey(Schema.NullOr(ExternalId)),
  delivery_id: Schema.optionalKey(sentId(DeliveryId)),
  cohort_id: Schema.optionalKey(Schema.NullOr(sentId(CohortId))),
  access_days: Schema.optionalKey(Schema.NullOr(AccessDays))
})

/** What a patch may change. */
export type MappingTerms = Omit<typeof CreateMapping.Type, "platform">

/** How many events went back into the queue. */
export const Requeued = Schema.Struct({ requeued: Schema.Int })

/** The product, or the offer, is mapped to this delivery already. */
export class MappingExists extends ApiError<MappingExists>()("MappingExists", {
  status: 409,
  code: "mapping_exists",
  message: "The product is mapped to this delivery already: change that mapping"
}) {}
