import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { audited } from "../../../identity/audit/AuditFragment.ts"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { texts } from "../../../platform/sql/Arrays.ts"
import { one } from "../../../platform/sql/Rows.ts"
import type { PlatformKey } from "../platform/Platform.ts"
import { InboundSignal } from "./InboundSignal.ts"

/** The product of a mapping, and one of its offers or null for all: unmapped events are found by it. */
export interface MappedProduct {
  readonly platform: PlatformKey
  readonly external_product_id: string
  readonly external_offer_id: string | null
}

const decodeCount = one(Schema.Struct({ count: Schema.Int }))

/** Puts events that have an outcome back into the queue, as if they had just been received. */
export class Requeues extends Context.Service<Requeues, {
  /** The number of unmapped events of this product that still have a body. */
  countFor(club_id: ClubId, product: MappedProduct): Effect.Effect<number>
  /** Puts them back into the queue and returns how many. */
  requeueFor(club_id: ClubId, product: MappedProduct): Effect.Effect<number>
  /**
   * Puts back the events that wait for one of these names of purchases or subscriptions, which are now known. In the
   * caller's transaction. It takes the same lock as `lockName`, so that no event misses its name. The events keep the
   * time of their arrival as the start of their wait. So later ids are the same in either order of processing.
   */
  requeueKnown(club_id: ClubId, platform: PlatformKey, known: ReadonlyArray<string>): Effect.Effect<void>
  /** Locks a name until the caller's transaction ends: no other transaction makes a purchase of that name known. */
  lockName(club_id: ClubId, platform: PlatformKey, name: string): Effect.Effect<void>
}>()("turma/commerce/sales/inbound/Requeues") {
  static readonly layer = Layer.effect(
    Requeues,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const signal = yield* InboundSignal

      const waitsFor = (club_id: ClubId, { external_offer_id, external_product_id, platform }: MappedProduct) =>
        sql`
          club_id = ${club_id} and platform = ${platform} and outcome = 'unmapped' and raw is not null
            and ${external_product_id} = any(product_ids) and exists (
              select from unnest(product_ids, offer_ids) as sold (product, offer)
              where sold.product = ${external_product_id}
                and (${external_offer_id}::text is null or sold.offer = ${external_offer_id})
            )`

      // In order of id, skipping locked rows: those are being requeued or erased by another transaction.
      const requeue = Effect.fnUntraced(function*(
        which: ReturnType<typeof waitsFor>,
        queued_at = sql`null::timestamptz`
      ) {
        const at = DateTime.toDateUtc(yield* DateTime.now)
        const rows = yield* audited((audit) =>
          sql`
          with ${audit.before} found as materialized (
            select club_id, id, ${queued_at} as queued_at from inbound_events where ${which}
            order by id for no key update skip locked
          )
          update inbound_events e
          set due_at = ${at}, outcome = null, finished_at = null, detail = null,
            failures = 0, queued_at = found.queued_at
          from found where e.club_id = found.club_id and e.id = found.id
          returning 1`
        )
        if (rows.length > 0) yield* sql.afterCommit(signal.notify)
        return rows.length
      })

      const countFor = Effect.fn("Requeues.countFor")(function*(club_id: ClubId, product: MappedProduct) {
        const { count } = yield* sql`select count(*)::int as count from inbound_events where
          ${waitsFor(club_id, product)}`.pipe(decodeCount)
        return count
      })

      const requeueFor = Effect.fn("Requeues.requeueFor")((club_id: ClubId, product: MappedProduct) =>
        Effect.orDie(requeue(waitsFor(club_id, product)))
      )

      const lockNames = (club_id: ClubId, platform: PlatformKey, names: ReadonlyArray<string>) =>
        sql`
          select pg_advisory_xact_lock(key) from (
            select distinct hashtextextended(${`inbound:${club_id}:${platform}:`} || name, 0) as key
            from unnest(${texts(names)}) as names (name) order by key
          ) keys`

      const requeueKnown = Effect.fn("Requeues.requeueKnown")(
        function*(club_id: ClubId, platform: PlatformKey, known: ReadonlyArray<string>) {
          if (known.length === 0) return
          yield* lockNames(club_id, platform, known)
          yield* requeue(
            sql`
              club_id = ${club_id} and platform = ${platform} and outcome = 'unmapped' and raw is not null
                and purchase_ref = any(${texts(known)})`,
            sql`received_at`
          )
        },
        Effect.orDie
      )

      const lockName = Effect.fn("Requeues.lockName")((club_id: ClubId, platform: PlatformKey, name: string) =>
        Effect.orDie(Effect.asVoid(lockNames(club_id, platform, [name])))
      )

      return Requeues.of({ countFor, requeueFor, requeueKnown, lockName })
    })
  ).pipe(Layer.provide(InboundSignal.layer))
}
