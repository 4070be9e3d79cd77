import { Context, DateTime, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { StudentId } from "../../../identity/ids/StudentId.ts"
import { instant, instants, texts } from "../../../platform/sql/Arrays.ts"
import { first, one, rows } from "../../../platform/sql/Rows.ts"
import type { ClubPlatform } from "./ReceivedFacts.ts"
import {
  Cancellation,
  Lateness,
  SubscriptionCharge,
  type SubscriptionHistory,
  SubscriptionId,
  SubscriptionRow,
  type SubscriptionState
} from "./Subscription.ts"

const decodeFound = first(Schema.Struct({ id: SubscriptionId, student_id: StudentId }))
const decodeRow = one(SubscriptionRow)
const decodeCharges = rows(SubscriptionCharge)
const decodeCancellations = rows(Cancellation)
const decodeLatenesses = rows(Lateness)

const initialState: SubscriptionState = {
  status: "active",
  past_due_since: null,
  canceled_at: null,
  current_period_end: null
}

/** The tables `subscriptions` and `subscription_latenesses`. Every writer locks the student's row first. */
export class SubscriptionsRepo extends Context.Service<SubscriptionsRepo, {
  /** The subscription of the platform's id and its student. Locks nothing. */
  find(
    clubPlatform: ClubPlatform,
    external_id: string
  ): Effect.Effect<Option.Option<{ readonly id: SubscriptionId; readonly student_id: StudentId }>>
  /** Locks the row until the transaction ends. */
  lock(club_id: ClubId, id: SubscriptionId): Effect.Effect<SubscriptionRow>
  /** Inserts it as active. False, and nothing is inserted, if there is one. */
  insert(clubPlatform: ClubPlatform, row: SubscriptionRow): Effect.Effect<boolean>
  update(club_id: ClubId, row: SubscriptionRow, state: SubscriptionState): Effect.Effect<void>
  /** Charges that were paid, also those that were refunded later. */
  charges(club_id: ClubId, id: SubscriptionId): Effect.Effect<ReadonlyArray<SubscriptionCharge>>
  /** All that its state follows from. */
  history(club_id: ClubId, id: SubscriptionId): Effect.Effect<SubscriptionHistory>
  /** False if this lateness is known. */
  insertLateness(club_id: ClubId, id: SubscriptionId, lateness: Lateness): Effect.Effect<boolean>
  /** False if this cancellation is known and says no later end of access. */
  insertCancellation(club_id: ClubId, id: SubscriptionId, cancellation: Cancellation): Effect.Effect<boolean>
  /** Marks the latenesses and cancellations whose event was recorded. */
  markTold(
    club_id: ClubId,
    id: SubscriptionId,
    recorded: { readonly late: ReadonlyArray<Lateness>; readonly ended: ReadonlyArray<Cancellation> }
  ): Effect.Effect<void>
}>()("turma/commerce/sales/purchase/SubscriptionsRepo") {
  static readonly layer = Layer.effect(
    SubscriptionsRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const find = Effect.fnUntraced(function*({ club_id, platform }: ClubPlatform, external_id: string) {
        return yield* sql`
          select id, student_id from subscriptions
          where club_id = ${club_id} and platform = ${platform} and external_id = ${external_id}
        `.pipe(decodeFound)
      })

      const lock = Effect.fnUntraced(function*(club_id: ClubId, id: SubscriptionId) {
        return yield* sql`
          select id, student_id, external_id, plan_name, product_external_id, product_name, past_dues_told,
            cancellations_told
          from subscriptions where club_id = ${club_id} and id = ${id} for update
        `.pipe(decodeRow)
      })

      const columnsOf = (row: SubscriptionRow, state: SubscriptionState) => ({
        ...row,
        status: state.status,
        past_due_since: instant(state.past_due_since),
        canceled_at: instant(state.canceled_at),
        current_period_end: instant(state.current_period_end)
      })

      const insert = Effect.fnUntraced(function*({ club_id, platform }: ClubPlatform, row: SubscriptionRow) {
        const created_at = DateTime.toDateUtc(yield* DateTime.now)
        const inserted = yield* sql`
          insert into subscriptions ${sql.insert({ ...columnsOf(row, initialState), club_id, platform, created_at })}
          on conflict (club_id, platform, external_id) do nothing returning 1`
        return inserted.length > 0
      }, Effect.orDie)

      const update = Effect.fnUntraced(function*(club_id: ClubId, row: SubscriptionRow, state: SubscriptionState) {
        yield* sql`
          update subscriptions set ${sql.update(columnsOf(row, state), ["id"])}
          where club_id = ${club_id} and id = ${row.id}`
      }, Effect.orDie)

      const charges = Effect.fnUntraced(function*(club_id: ClubId, id: SubscriptionId) {
        return yield* sql`
          select external_id, recurrence, lateness_key, period_end, paid_at from purchases
          where club_id = ${club_id} and subscription_id = ${id} and paid_at is not null
        `.pipe(decodeCharges)
      })

      const history = Effect.fnUntraced(function*(club_id: ClubId, id: SubscriptionId) {
        const late = yield* sql`
          select key, since, told from subscription_latenesses where club_id = ${club_id} and subscription_id = ${id}`
          .pipe(decodeLatenesses)
        const canceled = yield* sql`
          select at, until, told from subscription_cancellations where club_id = ${club_id} and subscription_id = ${id}`
          .pipe(decodeCancellations)
        return {
          charges: yield* charges(club_id, id),
          latenesses: late,
          cancellations: canceled
        }
      })

      const insertLateness = Effect.fnUntraced(function*(club_id: ClubId, id: SubscriptionId, lateness: Lateness) {
        const { key, since } = lateness
        const inserted = yield* sql`
          insert into subscription_latenesses
          ${sql.insert({ club_id, subscription_id: id, key, since: instant(since) })}
          on conflict do nothing returning 1`
        return inserted.length > 0
      }, Effect.orDie)

      const insertCancellation = Effect.fnUntraced(
        function*(club_id: ClubId, id: SubscriptionId, { at, until }: Cancellation) {
          const inserted = yield* sql`
            insert into subscription_cancellations as known
            ${sql.insert({ club_id, subscription_id: id, at: instant(at), until: instant(until) })}
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
        lock,
        insert,
        update,
        charges,
        history,
        insertLateness,
        insertCancellation,
        markTold
      })
    })
  )
}
