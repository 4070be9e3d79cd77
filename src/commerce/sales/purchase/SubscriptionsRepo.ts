import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { StudentId } from "../../../identity/ids/StudentId.ts"
import { instants, texts } from "../../../platform/sql/Arrays.ts"
import type { Shop } from "./PurchasesRepo.ts"
import {
  Cancellation,
  Charge,
  Lateness,
  type Standing,
  SubscriptionId,
  SubscriptionRow,
  type Told
} from "./Subscription.ts"

const decodeFound = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: SubscriptionId, student_id: StudentId }))
)
const decodeRows = Schema.decodeUnknownEffect(Schema.Array(SubscriptionRow))
const decodeCharges = Schema.decodeUnknownEffect(Schema.Array(Charge))
const decodeCancellations = Schema.decodeUnknownEffect(Schema.Array(Cancellation))
const decodeLatenesses = Schema.decodeUnknownEffect(Schema.Array(Lateness))

const dateOf = (at: DateTime.Utc | null) => at === null ? null : DateTime.toDateUtc(at)

const fresh: Standing = { status: "active", past_due_since: null, canceled_at: null, current_period_end: null }

/** The tables `subscriptions` and `subscription_latenesses`. Whoever changes one holds its student's row first. */
export class SubscriptionsRepo extends Context.Service<SubscriptionsRepo, {
  /** Which subscription the platform means, and whose it is. Locks nothing. */
  find(
    shop: Shop,
    external_id: string
  ): Effect.Effect<Option.Option<{ readonly id: SubscriptionId; readonly student_id: StudentId }>>
  /** Locks the row until the transaction ends. */
  hold(club_id: ClubId, id: SubscriptionId): Effect.Effect<SubscriptionRow>
  /** Active. False, and nothing done, if there is one by now. */
  insert(shop: Shop, row: SubscriptionRow): Effect.Effect<boolean>
  update(club_id: ClubId, row: SubscriptionRow, standing: Standing): Effect.Effect<void>
  /** Those that were paid, whatever became of them. */
  charges(club_id: ClubId, id: SubscriptionId): Effect.Effect<ReadonlyArray<Charge>>
  /** All that its standing follows from. */
  told(club_id: ClubId, id: SubscriptionId): Effect.Effect<Told>
  /** False if this lateness is known. */
  insertLateness(club_id: ClubId, id: SubscriptionId, lateness: Lateness): Effect.Effect<boolean>
  /** False if this cancellation is known; where nobody had said until when, it is now said. */
  insertCancellation(club_id: ClubId, id: SubscriptionId, cancellation: Cancellation): Effect.Effect<boolean>
  /** Notes as of which latenesses and cancellations events went out. */
  markTold(
    club_id: ClubId,
    id: SubscriptionId,
    told: { readonly late: ReadonlyArray<Lateness>; readonly ended: ReadonlyArray<Cancellation> }
  ): Effect.Effect<void>
}>()("turma/sales/SubscriptionsRepo") {
  static readonly layer = Layer.effect(
    SubscriptionsRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const find = Effect.fnUntraced(function*({ club_id, platform }: Shop, external_id: string) {
        const rows = yield* sql`
          select id, student_id from subscriptions
          where club_id = ${club_id} and platform = ${platform} and external_id = ${external_id}
        `.pipe(Effect.flatMap(decodeFound))
        return Option.fromNullishOr(rows[0])
      }, Effect.orDie)

      const hold = Effect.fnUntraced(function*(club_id: ClubId, id: SubscriptionId) {
        const [row] = yield* sql`
          select id, student_id, external_id, plan_name, product_external_id, product_name, past_dues_told,
            cancellations_told
          from subscriptions where club_id = ${club_id} and id = ${id} for update
        `.pipe(Effect.flatMap(decodeRows))
        return row ?? (yield* Effect.die(new Error("The subscription is gone")))
      }, Effect.orDie)

      const written = (row: SubscriptionRow, standing: Standing) => ({
        ...row,
        status: standing.status,
        past_due_since: dateOf(standing.past_due_since),
        canceled_at: dateOf(standing.canceled_at),
        current_period_end: dateOf(standing.current_period_end)
      })

      const insert = Effect.fnUntraced(function*({ club_id, platform }: Shop, row: SubscriptionRow) {
        const created_at = DateTime.toDateUtc(yield* DateTime.now)
        const inserted = yield* sql`
          insert into subscriptions ${sql.insert({ ...written(row, fresh), club_id, platform, created_at })}
          on conflict (club_id, platform, external_id) do nothing returning 1`
        return inserted.length > 0
      }, Effect.orDie)

      const update = Effect.fnUntraced(function*(club_id: ClubId, row: SubscriptionRow, standing: Standing) {
        yield* sql`
          update subscriptions set ${sql.update(written(row, standing), ["id"])}
          where club_id = ${club_id} and id = ${row.id}`
      }, Effect.orDie)

      const charges = Effect.fnUntraced(function*(club_id: ClubId, id: SubscriptionId) {
        return yield* sql`
          select external_id, recurrence, lateness_key, period_end, paid_at from purchases
          where club_id = ${club_id} and subscription_id = ${id} and paid_at is not null
        `.pipe(Effect.flatMap(decodeCharges))
      }, Effect.orDie)

      const told = Effect.fnUntraced(function*(club_id: ClubId, id: SubscriptionId) {
        const late = yield* sql`
          select key, since, told from subscription_latenesses where club_id = ${club_id} and subscription_id = ${id}`
        const canceled = yield* sql`
          select at, until, told from subscription_cancellations where club_id = ${club_id} and subscription_id = ${id}`
        return {
          charges: yield* charges(club_id, id),
          latenesses: yield* decodeLatenesses(late),
          cancellations: yield* decodeCancellations(canceled)
        }
      }, Effect.orDie)

      const insertLateness = Effect.fnUntraced(function*(club_id: ClubId, id: SubscriptionId, lateness: Lateness) {
        const { key, since } = lateness
        const inserted = yield* sql`
          insert into subscription_latenesses ${sql.insert({ club_id, subscription_id: id, key, since: dateOf(since) })}
          on conflict do nothing returning 1`
        return inserted.length > 0
      }, Effect.orDie)

      const insertCancellation = Effect.fnUntraced(
        function*(club_id: ClubId, id: SubscriptionId, { at, until }: Cancellation) {
          const inserted = yield* sql`
            insert into subscription_cancellations as known ${
            sql.insert({ club_id, subscription_id: id, at: dateOf(at), until: dateOf(until) })
          }
            on conflict (club_id, subscription_id, at) do update set until = excluded.until
              where excluded.until > known.until or known.until is null and excluded.until is not null
            returning 1`
          return inserted.length > 0
        },
        Effect.orDie
      )

      const markTold: (typeof SubscriptionsRepo)["Service"]["markTold"] = Effect.fnUntraced(
        function*(club_id, id, { ended, late }) {
          yield* sql`
            update subscription_latenesses set told = true
            where club_id = ${club_id} and subscription_id = ${id} and key = any(${texts(late.map(({ key }) => key))})`
          yield* sql`
            update subscription_cancellations set told = true
            where club_id = ${club_id} and subscription_id = ${id} and at = any(${instants(ended.map(({ at }) => at))})`
        },
        Effect.orDie
      )

      return SubscriptionsRepo.of({
        find,
        hold,
        insert,
        update,
        charges,
        told,
        insertLateness,
        insertCancellation,
        markTold
      })
    })
  )
}
