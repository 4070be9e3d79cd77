import { Effect, Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { sentId, text } from "../../platform/http/Text.ts"

/** A delivery is what a student gets access to; webhook deliveries are something else. UUIDv7. */
export const DeliveryId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("CatalogDeliveryId"))
export type DeliveryId = typeof DeliveryId.Type

/** A group of a delivery's students, such as those of one start date. UUIDv7. */
export const CohortId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("CohortId"))
export type CohortId = typeof CohortId.Type

/** What a delivery may contain. */
export const ItemKind = Schema.Literals(["course", "repository", "community", "live"])
export type ItemKind = typeof ItemKind.Type

/** An id in the table of its kind. */
const ItemId = Schema.String.check(Schema.isUUID())

/** One thing in a delivery. */
export const DeliveryItem = Schema.Struct({ kind: ItemKind, id: ItemId })
export type DeliveryItem = typeof DeliveryItem.Type

/**
 * A delivery as members see it. `items` are in the order in which they were sent. An access to it ends after
 * `default_access_days` unless it is said otherwise; null: it does not end.
 */
export class Delivery extends Schema.Class<Delivery>("Delivery")({
  id: DeliveryId,
  name: Schema.String,
  /** Every student of the club gets it. */
  free: Schema.Boolean,
  default_access_days: Schema.NullOr(Schema.Int),
  items: Schema.Array(DeliveryItem),
  /** It cannot be granted any more. Existing access stays. */
  archived: Schema.Boolean,
  created_at: Schema.DateTimeUtcFromDate
}) {}

/** How many items a delivery has at most. */
const itemLimit = 200

const Name = text(1, 120)
/** 36,500 days are a century. */
const AccessDays = Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 36_500 })))
const Items = Schema.Array(Schema.Struct({ kind: ItemKind, id: sentId(ItemId) })).check(
  Schema.isMaxLength(itemLimit),
  Schema.isUnique({ expected: "must name each item at most once" })
)

/** Not free, without an end and empty unless said otherwise. */
export const CreateDelivery = Schema.Struct({
  name: Name,
  free: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(false))),
  default_access_days: AccessDays.pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  items: Items.pipe(Schema.withDecodingDefaultKey(Effect.succeed([])))
})

/** Absent is unchanged; null `default_access_days` is no end; `items` is the whole list. */
export const DeliveryPatch = Schema.Struct({
  name: Schema.optionalKey(Name),
  free: Schema.optionalKey(Schema.Boolean),
  default_access_days: Schema.optionalKey(AccessDays),
  items: Schema.optionalKey(Items),
  archived: Schema.optionalKey(Schema.Boolean)
})

/** `?archived=true` lists the archived deliveries and nothing else; without it they are left out. */
export const DeliveryFilter = {
  archived: Schema.Literals(["true", "false"]).pipe(Schema.withDecodingDefaultKey(Effect.succeed("false" as const)))
}

/** The club has no such item. The message names the first unknown one. */
export class ItemUnknown extends ApiError<ItemUnknown>()("ItemUnknown", {
  status: 422,
  code: "item_unknown",
  message: "items must be items that the club has"
}) {}

/** An enrollment, a product mapping or a registration link refers to it. It can be archived instead. */
export class DeliveryInUse extends ApiError<DeliveryInUse>()("DeliveryInUse", {
  status: 409,
  code: "delivery_in_use",
  message: "An enrollment, a product mapping or a registration link refers to the delivery: archive it instead"
}) {}
