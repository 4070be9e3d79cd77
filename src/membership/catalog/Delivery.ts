import { Effect, Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { sentId, text } from "../../platform/http/Text.ts"
import { brandedId, Uuid } from "../../platform/schema/brandedId.ts"
import { Instant } from "../../platform/schema/Instant.ts"

/** The id of a delivery that students get access to. Webhook deliveries are something else. UUIDv7. */
export const DeliveryId = brandedId("CatalogDeliveryId")
export type DeliveryId = typeof DeliveryId.Type

/** A group of a delivery's students, such as those of one start date. UUIDv7. */
export const CohortId = brandedId("CohortId")
export type CohortId = typeof CohortId.Type

/** The kinds of items in a delivery. */
export const ItemKind = Schema.Literals(["course", "repository", "community", "live"])
export type ItemKind = typeof ItemKind.Type

/** An id in the table of its kind. */
const ItemId = Uuid

/** One thing in a delivery. */
export const DeliveryItem = Schema.Struct({
  kind: ItemKind.pipe(field("Its kind; `community` is the club's one community")),
  id: ItemId.pipe(field("The `id` of the course, the repository, the community or the live"))
})
export type DeliveryItem = typeof DeliveryItem.Type

const freeIs = "True if every student of the club gets it, later ones too"
const daysAre =
  "How many days of 24 hours an access lasts from its start, 1 to 36,500, unless the grant says it. Null: until its cohort ends, or for good"
const archivedIs = "True if it is out of use: it cannot be granted any more, and students who have it keep it"

/**
 * A delivery as members see it. `items` are in the order in which they were sent. An access to it ends after
 * `default_access_days` unless the grant sets another end. Null: it does not end.
 */
export class Delivery extends Schema.Class<Delivery>("Delivery")(Schema.Struct({
  id: DeliveryId.pipe(field("Names the delivery")),
  name: Schema.String.pipe(field("Its name for members and students", "Violão do zero")),
  free: Schema.Boolean.pipe(field(freeIs)),
  default_access_days: Schema.NullOr(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))).pipe(field(daysAre, 365)),
  items: Schema.Array(DeliveryItem)
    .pipe(field("Its content for students with access, in the order in which it was sent")),
  archived: Schema.Boolean.pipe(field(archivedIs)),
  created_at: Instant.pipe(field("When it was created"))
}).annotate({ description: "A delivery that students get access to, as members see it" })) {}

/** The most items of a delivery. */
const itemLimit = 200

const Name = text(1, 120)
/** 36,500 days are a century. */
const AccessDays = Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 36_500 })))
const Items = Schema.Array(Schema.Struct({
  kind: ItemKind.pipe(field("Its kind; `community` is the club's one community")),
  id: sentId(ItemId).pipe(field("The `id` of the course, the repository, the community or the live"))
})).check(
  Schema.isMaxLength(itemLimit),
  Schema.isUnique({ expected: "must name each item at most once" })
)

/** Not free, without an end and empty unless said otherwise. */
export const CreateDelivery = Schema.Struct({
  name: Name.pipe(field("Its name for members and students, in 1 to 120 characters", "Violão do zero")),
  free: Schema.optionalKey(Schema.Boolean).pipe(field(`${freeIs}; false unless said otherwise`, false)),
  default_access_days: Schema.optionalKey(AccessDays).pipe(field(`${daysAre}. Null unless said otherwise`, 365)),
  items: Schema.optionalKey(Items)
    .pipe(field("Its content for students with access: up to 200 things of the club, each once; empty if absent"))
})

/** Absent fields stay unchanged. With null `default_access_days` an access does not end. `items` is the whole list. */
export const DeliveryPatch = Schema.Struct({
  name: Schema.optionalKey(Name)
    .pipe(field("Its name for members and students, in 1 to 120 characters; unchanged without it", "Violão do zero")),
  free: Schema.optionalKey(Schema.Boolean).pipe(field(`${freeIs}; unchanged without it`, false)),
  default_access_days: Schema.optionalKey(AccessDays).pipe(field(`${daysAre}. Unchanged without it`, 365)),
  items: Schema.optionalKey(Items)
    .pipe(field("The whole list of what students with access see: up to 200 things of the club, each once; unchanged without it")),
  archived: Schema.optionalKey(Schema.Boolean).pipe(field(`${archivedIs}; unchanged without it`, false))
})

/** `?archived=true` lists only the archived deliveries; without it the list omits them. */
export const DeliveryFilter = {
  archived: Schema.Literals(["true", "false"]).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("false" as const)),
    field("`true` for the archived ones alone; those in use unless said otherwise", "false")
  )
}

/** The club has no such item. The message names the first unknown one. */
export class ItemUnknown extends ApiError<ItemUnknown>()("ItemUnknown", {
  status: 422,
  code: "item_unknown",
  message: {
    en: "items must be items that the club has",
    "pt-BR": "Algum dos itens não existe neste clube."
  }
}) {}

/** An enrollment, a product mapping or a registration link refers to it. It can be archived instead. */
export class DeliveryInUse extends ApiError<DeliveryInUse>()("DeliveryInUse", {
  status: 409,
  code: "delivery_in_use",
  message: {
    en: "An enrollment, a product mapping or a registration link refers to the delivery: archive it instead",
    "pt-BR": "Um acesso, um produto mapeado ou um link de inscrição usa esta entrega: em vez de excluir, arquive."
  }
}) {}
