import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { StudentId } from "../../../identity/ids/StudentId.ts"
import { NotFound } from "../../../platform/http/errors.ts"
import {
  afterCursor,
  type InvalidCursor,
  type PageAnswer,
  pageOf,
  type PageRequest
} from "../../../platform/http/Page.ts"
import { firstOr } from "../../../platform/sql/Rows.ts"
import { Purchase, Subscription } from "./StudentSale.ts"

const found = <Item extends Schema.Codec<unknown, unknown>>(item: Item) =>
  firstOr(Schema.Struct({ items: Schema.Array(Schema.toCodecJson(item)) }), () => new NotFound())
const decodePurchases = found(Purchase)
const decodeSubscriptions = found(Subscription)

type Read<Item> = Effect.Effect<PageAnswer<Item>, InvalidCursor | NotFound>

/**
 * The purchases and subscriptions of a student, newest first. `NotFound`: the club has no such student. It keeps the
 * sales of removed ones.
 */
export class StudentSales extends Context.Service<StudentSales, {
  /** One statement, as `subscriptions`. */
  purchases(club_id: ClubId, student_id: StudentId, page: PageRequest): Read<Purchase>
  subscriptions(club_id: ClubId, student_id: StudentId, page: PageRequest): Read<Subscription>
}>()("turma/commerce/sales/purchase/StudentSales") {
  static readonly layer = Layer.effect(
    StudentSales,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      // With `offset 0` the planner finds the rows by their student, who has few. Otherwise it may walk the ids of all
      // sales of the club.
      const newestOf = Effect.fnUntraced(function*(
        club_id: ClubId,
        student_id: StudentId,
        { cursor, limit }: PageRequest,
        { columns, table }: { readonly columns: Statement.Fragment; readonly table: Statement.Fragment }
      ) {
        const before = Option.match(yield* afterCursor(cursor), {
          onNone: () => sql`true`,
          onSome: (id) => sql`own.id < ${id}`
        })
        return sql`
          select coalesce((
            select json_agg(json_build_object(${columns}) order by p.id desc) from (
              select own.* from (
                select sold.* from ${table} sold where sold.club_id = ${club_id} and sold.student_id = ${student_id}
                offset 0
              ) own where ${before} order by own.id desc limit ${limit + 1}
            ) p
          ), '[]') as items
          from students s where s.club_id = ${club_id} and s.id = ${student_id}`
      })

      const product = sql`
        'product', json_build_object('external_id', p.product_external_id, 'name', p.product_name)`

      const purchase = {
        table: sql`purchases`,
        columns: sql`
          'id', p.id, 'platform', p.platform, 'external_id', p.external_id, 'status', p.status, ${product},
          'offer_external_id', p.offer_external_id, 'amount_cents', p.amount_cents, 'currency', p.currency,
          'payment_method', p.payment_method, 'recurrence', p.recurrence, 'subscription_id', p.subscription_id,
          'paid_at', p.paid_at, 'refunded_at',
          case p.status when 'chargeback' then p.charged_back_at when 'refunded' then p.refunded_at end`
      }

      const subscription = {
        table: sql`subscriptions`,
        columns: sql`
          'id', p.id, 'platform', p.platform, 'external_id', p.external_id, 'status', p.status,
          'plan_name', p.plan_name, ${product}, 'current_period_end', p.current_period_end,
          'past_due_since', p.past_due_since, 'canceled_at', case p.status when 'canceled' then p.canceled_at end`
      }

      const purchases = Effect.fn("StudentSales.purchases")(function*(
        club_id: ClubId,
        student_id: StudentId,
        page: PageRequest
      ) {
        const { items } = yield* decodePurchases(yield* newestOf(club_id, student_id, page, purchase))
        return pageOf(items, page.limit)
      })

      const subscriptions = Effect.fn("StudentSales.subscriptions")(function*(
        club_id: ClubId,
        student_id: StudentId,
        page: PageRequest
      ) {
        const { items } = yield* decodeSubscriptions(yield* newestOf(club_id, student_id, page, subscription))
        return pageOf(items, page.limit)
      })

      return StudentSales.of({ purchases, subscriptions })
    })
  )
}
