import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { type InvalidCursor, keysetOf, type PageAnswer, type PageRequest } from "../../../platform/http/Page.ts"
import { anyText } from "../../../platform/http/Text.ts"
import { scanning } from "../../../platform/sql/ReadLane.ts"
import { rows } from "../../../platform/sql/Rows.ts"
import { PlatformKey } from "../platform/Platform.ts"
import { UnmappedProduct } from "./UnmappedProduct.ts"

const decodeProducts = rows(UnmappedProduct)

const cursors = keysetOf(Schema.Struct({
  platform: PlatformKey,
  product: anyText(1, 200),
  offer: Schema.NullOr(anyText(1, 200))
}))

/**
 * The products without an effective mapping. A mapping of an archived delivery has no force: sales of its product still
 * wait. Reads `unmapped_products`, which the database keeps equal to `inbound_events`.
 */
export class UnmappedProducts extends Context.Service<UnmappedProducts, {
  /** By platform, product and offer. One statement. */
  list(club_id: ClubId, page: PageRequest): Effect.Effect<PageAnswer<UnmappedProduct>, InvalidCursor>
}>()("turma/commerce/sales/mapping/UnmappedProducts") {
  static readonly layer = Layer.effect(
    UnmappedProducts,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const isTaken = sql`
        exists (
          select from product_mappings m
          where m.club_id = sold.club_id and m.platform = sold.platform and m.external_product_id = sold.product_id
            and (m.external_offer_id is null or m.external_offer_id = sold.offer_id)
            and (
              select d.archived_at is null from deliveries d where d.club_id = m.club_id and d.id = m.delivery_id
            )
        )`

      // Goes from product to product by an index, however many events each of them has.
      const list = Effect.fn("UnmappedProducts.list")(function*(club_id: ClubId, { cursor, limit }: PageRequest) {
        const after = Option.match(yield* cursors.read(cursor), {
          onNone: () => sql`true`,
          onSome: ({ offer, platform, product }) =>
            sql`(platform, product_id, offer_id) > (${platform}::text, ${product}::text, ${offer ?? ""}::text)`
        })
        const found = yield* sql`
          with recursive sold as (
            (
              select club_id, platform, product_id, offer_id from unmapped_products
              where club_id = ${club_id} and ${after} order by platform, product_id, offer_id limit 1
            )
            union all
            select next.* from sold cross join lateral (
              select u.club_id, u.platform, u.product_id, u.offer_id from unmapped_products u
              where u.club_id = sold.club_id
                and (u.platform, u.product_id, u.offer_id) > (sold.platform, sold.product_id, sold.offer_id)
              order by u.platform, u.product_id, u.offer_id limit 1
            ) next
          ), page as (select * from sold where not ${isTaken} limit ${limit + 1})
          select page.platform, page.product_id as external_product_id,
            nullif(page.offer_id, '') as external_offer_id, waiting.events, waiting.first_received_at,
            waiting.last_received_at, (
              select e.product_names[array_position(e.product_ids, page.product_id)] from inbound_events e
              where e.club_id = page.club_id and e.id = (
                select u.event_id from unmapped_products u
                where u.club_id = page.club_id and u.platform = page.platform and u.product_id = page.product_id
                  and u.offer_id = page.offer_id
                order by u.event_id desc limit 1
              )
            ) as name
          from page cross join lateral (
            select count(*)::int as events, min(u.received_at) as first_received_at,
              max(u.received_at) as last_received_at
            from unmapped_products u
            where u.club_id = page.club_id and u.platform = page.platform and u.product_id = page.product_id
              and u.offer_id = page.offer_id
          ) waiting
          order by 1, 2, page.offer_id`.pipe(decodeProducts, scanning)
        return yield* cursors.page(
          found,
          limit,
          ({ external_offer_id, external_product_id, platform }) => ({
            platform,
            product: external_product_id,
            offer: external_offer_id
          })
        )
      })

      return UnmappedProducts.of({ list })
    })
  )
}
