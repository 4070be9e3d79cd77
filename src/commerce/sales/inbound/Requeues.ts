import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { texts } from "../../../platform/sql/Arrays.ts"
import type { PlatformKey } from "../platform/Platform.ts"
import { InboundSignal } from "./InboundSignal.ts"

/** What unmapped events are looked for by: a product, and one of its offers or null for all. */
export interface Sought {
  readonly platform: PlatformKey
  readonly external_product_id: string
  readonly external_offer_id: string | null
}

const decodeCount = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Schema.Int })]))

/** Puts events that were done with back into the queue, each as if it had just been received. */
export class Requeues extends Context.Service<Requeues, {
  /** How many unmapped events with a body such a mapping would apply to. */
  countFor(club_id: ClubId, sought: Sought): Effect.Effect<number>
  /** Puts them back; says how many. */
  requeueFor(club_id: ClubId, sought: Sought): Effect.Effect<number>
  /**
   * Those that wait for a purchase which is known by now, by one of its names, in the caller's transaction. Whoever finds
   * a purchase unknown and whoever makes it known take turns, so that no event waits for what has happened.
   */
  requeueKnown(club_id: ClubId, platform: PlatformKey, known: ReadonlyArray<string>): Effect.Effect<void>
  /** Until the caller's transaction ends, nobody makes a purchase of this name known. */
  holdName(club_id: ClubId, platform: PlatformKey, name: string): Effect.Effect<void>
}>()("turma/sales/Requeues") {
  static readonly layerNoDeps = Layer.effect(
    Requeues,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const signal = yield* InboundSignal

      const waitsFor = (club_id: ClubId, { external_offer_id, external_product_id, platform }: Sought) =>
        sql`
          club_id = ${club_id} and platform = ${platform} and outcome = 'unmapped' and raw is not null
            and ${external_product_id} = any(product_ids) and exists (
              select from unnest(product_ids, offer_ids) as sold (product, offer)
              where sold.product = ${external_product_id}
                and (${external_offer_id}::text is null or sold.offer = ${external_offer_id})
            )`

      // In one order and past what others hold: those are being put back, or forgotten, by somebody else.
      const requeue = Effect.fnUntraced(function*(which: ReturnType<typeof waitsFor>) {
        const rows = yield* sql`
          with found as materialized (
            select club_id, id from inbound_events where ${which} order by id for no key update skip locked
          )
          update inbound_events e
          set due_at = ${DateTime.toDateUtc(yield* DateTime.now)}, outcome = null, finished_at = null, detail = null,
            failures = 0
          from found where e.club_id = found.club_id and e.id = found.id
          returning 1`
        if (rows.length > 0) yield* sql.afterCommit(signal.notify)
        return rows.length
      })

      const countFor = Effect.fn("Requeues.countFor")(function*(club_id: ClubId, sought: Sought) {
        const rows = yield* sql`select count(*)::int as count from inbound_events where ${waitsFor(club_id, sought)}`
        const [{ count }] = yield* decodeCount(rows)
        return count
      }, Effect.orDie)

      const requeueFor = Effect.fn("Requeues.requeueFor")(
        (club_id: ClubId, sought: Sought) => Effect.orDie(requeue(waitsFor(club_id, sought)))
      )

      const hold = (club_id: ClubId, platform: PlatformKey, names: ReadonlyArray<string>) =>
        sql`
          select pg_advisory_xact_lock(key) from (
            select distinct hashtextextended(${`inbound:${club_id}:${platform}:`} || name, 0) as key
            from unnest(${texts(names)}) as names (name) order by key
          ) keys`

      const requeueKnown = Effect.fn("Requeues.requeueKnown")(
        function*(club_id: ClubId, platform: PlatformKey, known: ReadonlyArray<string>) {
          if (known.length === 0) return
          yield* hold(club_id, platform, known)
          yield* requeue(sql`
            club_id = ${club_id} and platform = ${platform} and outcome = 'unmapped' and raw is not null
              and purchase_ref = any(${texts(known)})`)
        },
        Effect.orDie
      )

      const holdName = Effect.fn("Requeues.holdName")(
        (club_id: ClubId, platform: PlatformKey, name: string) =>
          Effect.orDie(Effect.asVoid(hold(club_id, platform, [name])))
      )

      return Requeues.of({ countFor, requeueFor, requeueKnown, holdName })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(InboundSignal.layer))
}
