import { Schema } from "effect"
import { CohortId, DeliveryId } from "../../../membership/catalog/Delivery.ts"
import { ApiError } from "../../../platform/http/ApiError.ts"
import { Count } from "../../../platform/http/Count.ts"
import { field } from "../../../platform/http/Field.ts"
import { sentId, text } from "../../../platform/http/Text.ts"
import { brandedId } from "../../../platform/schema/brandedId.ts"
import { Instant } from "../../../platform/schema/Instant.ts"
import { PlatformKey, type SoldProduct } from "../platform/Platform.ts"

/** UUIDv7. */
export const MappingId = brandedId("ProductMappingId")
export type MappingId = typeof MappingId.Type

const AccessDays = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 36_500 }))

const said = {
  platform: "The sales platform that sells the product",
  product: "The platform's id of the product",
  offer: "The platform's id of the one offer that the mapping is for; null: all offers of the product",
  delivery: "The delivery that a sale gives access to",
  cohort: "The cohort of that delivery that the student joins; null: no cohort",
  days: "For how many days a sale gives access, where the platform names no end of it; null: as the delivery says"
}

/** The deliveries that a platform's product gives access to (http-surface, Inbound sales platforms). */
export const ProductMapping = Schema.Struct({
  id: MappingId.pipe(field("Names the mapping. Later ones have greater ids")),
  platform: PlatformKey.pipe(field(said.platform)),
  external_product_id: Schema.String.pipe(field(said.product, "788921")),
  external_offer_id: Schema.NullOr(Schema.String).pipe(field(said.offer, "launch")),
  delivery_id: DeliveryId.pipe(field(said.delivery)),
  cohort_id: Schema.NullOr(CohortId).pipe(field(said.cohort)),
  access_days: Schema.NullOr(AccessDays).pipe(field(said.days, 365)),
  created_at: Instant.pipe(field("When the mapping was created"))
}).annotate({
  identifier: "ProductMapping",
  description: "The access that a product of a sales platform gives. A product may have several"
})
export type ProductMapping = typeof ProductMapping.Type

/** A mapping that applies to a sale. An archived delivery is not granted any more. */
export const AppliedMapping = Schema.Struct({ ...ProductMapping.fields, archived: Schema.Boolean })
export type AppliedMapping = typeof AppliedMapping.Type

/** The mappings that apply to one sale, out of those for several sales, in the same order. */
export const appliedTo = (
  products: ReadonlyArray<SoldProduct>,
  mapped: ReadonlyArray<AppliedMapping>
): ReadonlyArray<AppliedMapping> =>
  mapped.filter(({ external_offer_id: offer, external_product_id: product }) =>
    products.some(({ external_id, offer_external_id }) =>
      external_id === product && (offer === null || offer === offer_external_id)
    )
  )

export const ProductMappingDetail = Schema.Struct({
  ...ProductMapping.fields,
  unmapped_events: Count
    .pipe(field("How many events that were kept wait for such a mapping: `reprocess` takes them in", 0))
}).annotate({
  identifier: "ProductMappingDetail",
  description: "A product mapping, and what waited for it"
})
export type ProductMappingDetail = typeof ProductMappingDetail.Type

const ExternalId = text(1, 200)

const orNull = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** Fields that may be null are null if absent. */
export const CreateMapping = Schema.Struct({
  platform: PlatformKey.pipe(field(said.platform)),
  external_product_id: ExternalId.pipe(field(said.product, "788921")),
  external_offer_id: orNull(ExternalId).pipe(field(said.offer, "launch")),
  delivery_id: sentId(DeliveryId).pipe(field(`${said.delivery}; not an archived one`)),
  cohort_id: orNull(sentId(CohortId)).pipe(field(said.cohort)),
  access_days: orNull(AccessDays).pipe(field(said.days, 365))
})

/** Absent is unchanged. */
export const PatchMapping = Schema.Struct({
  external_product_id: Schema.optionalKey(ExternalId).pipe(field(said.product, "788921")),
  external_offer_id: Schema.optionalKey(Schema.NullOr(ExternalId)).pipe(field(said.offer, "launch")),
  delivery_id: Schema.optionalKey(sentId(DeliveryId)).pipe(field(`${said.delivery}; not an archived one`)),
  cohort_id: Schema.optionalKey(Schema.NullOr(sentId(CohortId))).pipe(field(said.cohort)),
  access_days: Schema.optionalKey(Schema.NullOr(AccessDays)).pipe(field(said.days, 365))
})

/** The fields that a patch may change. */
export type MappingTerms = Required<Omit<typeof CreateMapping.Type, "platform">>

export const Requeued = Schema.Struct({
  requeued: Count.pipe(field("How many events went back into the queue", 3))
})

/** The product, or the offer, is mapped to this delivery already. */
export class MappingExists extends ApiError<MappingExists>()("MappingExists", {
  status: 409,
  code: "mapping_exists",
  message: {
    en: "The product is mapped to this delivery already: change that mapping",
    "pt-BR": "O produto já está mapeado para esta entrega: mude o mapeamento que já existe."
  }
}) {}
