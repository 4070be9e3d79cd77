import { Schema } from "effect"
import { ApiError } from "./ApiError.ts"
import { field } from "./Field.ts"
import { sentId } from "./Text.ts"

/** No body has more ids: 39 bytes each, of a mebibyte. */
const mostIds = 26_886

/** A list in another order: the ids of everything in it, first to last. */
export const Order = <Id extends Schema.Codec<string, string>>(id: Id) =>
  Schema.Struct({
    ids: Schema.Array(sentId(id)).check(Schema.isMaxLength(mostIds))
      .pipe(field("The `id` of everything in the list, each exactly once, first to last"))
  })

/** Something of the list is missing, repeated, deleted or of another list. */
export class OrderInvalid extends ApiError<OrderInvalid>()("OrderInvalid", {
  status: 422,
  code: "order_invalid",
  message: {
    en: "ids must name everything in the list, each exactly once",
    "pt-BR": "A lista mudou enquanto isso: carregue de novo e ordene outra vez."
  }
}) {}

/** True if `ids` names each of `listed` exactly once. `listed` has no duplicates. */
export const isOrderOf = (ids: ReadonlyArray<string>, listed: ReadonlyArray<string>): boolean => {
  const asked = new Set(ids)
  return ids.length === listed.length && asked.size === listed.length && listed.every((id) => asked.has(id))
}

/** First to last: `returning` answers rows in any order. */
export const inOrder = <Row extends { readonly position: number }>(rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.toSorted((a, b) => a.position - b.position)
