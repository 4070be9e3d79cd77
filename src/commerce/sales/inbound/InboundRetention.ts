import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ClockGuard } from "../../../platform/jobs/ClockGuard.ts"
import { repeatedly } from "../../../platform/jobs/Repeatedly.ts"

/** The time that the body of a request is kept. */
export const rawRetention = Duration.days(30)

/** How long an event and its outcome are kept. */
const eventRetention = Duration.days(90)

/** Rows in one statement at most, so that locks are short. */
const batch = 2000

/** Deletes rows that are too old. Each statement skips rows that others have locked; the next sweep deletes those. */
export class InboundRetention extends Context.Service<InboundRetention, {
  /** Any number of processes may sweep at once. A part that fails is logged and tried again by the next sweep. */
  readonly sweep: Effect.Effect<void>
}>()("turma/commerce/sales/inbound/InboundRetention") {
  static readonly layer = Layer.effect(
    InboundRetention,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const guard = yield* ClockGuard

      const before = (now: DateTime.Utc, age: Duration.Duration) =>
        DateTime.toDateUtc(DateTime.subtractDuration(now, age))

      // A waiting event fails, because its body no longer exists.
      const forgetRaw = Effect.fnUntraced(function*(now: DateTime.Utc) {
        const at = DateTime.toDateUtc(now)
        const rows = yield* sql`
          with old as materialized (
            select club_id, id from inbound_events
            where received_at <= ${before(now, rawRetention)} and raw is not null
            order by received_at limit ${batch} for no key update skip locked
          )
          update inbound_events e
          set raw = null, due_at = null,
            detail = case when e.outcome is null then 'its body was kept for 30 days and is deleted' else e.detail end,
            outcome = coalesce(e.outcome, 'failed'), finished_at = coalesce(e.finished_at, ${at})
          from old where e.club_id = old.club_id and e.id = old.id
          returning 1`
        return rows.length
      })

      const removeEvents = Effect.fnUntraced(function*(now: DateTime.Utc) {
        const rows = yield* sql`
          with old as materialized (
            select club_id, id from inbound_events where received_at <= ${before(now, eventRetention)}
            order by received_at limit ${batch} for update skip locked
          )
          delete from inbound_events e using old where e.club_id = old.club_id and e.id = old.id
          returning 1`
        return rows.length
      })

      const removeHooks = Effect.fnUntraced(function*() {
        const rows = yield* sql`
          with old as materialized (
            select w.club_id, w.id from inbound_webhooks w
            where w.deleted_at is not null and not exists (
              select from inbound_events e where e.club_id = w.club_id and e.inbound_webhook_id = w.id
            )
            order by w.club_id, w.id limit ${batch} for update skip locked
          )
          delete from inbound_webhooks w using old where w.club_id = old.club_id and w.id = old.id
          returning 1`
        return rows.length
      })

      const parts = {
        "requests are kept": forgetRaw,
        "events are kept": removeEvents,
        "deleted addresses are kept": removeHooks
      }

      const sweep = Effect.forEach(
        Object.entries(parts),
        ([problem, part]) =>
          guard.sweep(
            `inbound ${problem}`,
            (now) => Effect.repeat(part(now), { while: (rows) => rows === batch })
          ).pipe(Effect.catchCause((cause) => Effect.logError(`Inbound retention: ${problem}`, cause))),
        { discard: true }
      ).pipe(Effect.withSpan("InboundRetention.sweep"))

      return InboundRetention.of({ sweep })
    })
  )
}

/** Sweeps at its start, and then every so often for as long as it lives. */
export const inboundRetentionLayer = ({ every }: { readonly every: Duration.Input }) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { sweep } = yield* InboundRetention
    yield* repeatedly(sweep, { every, onFailure: "Inbound retention failed" })
  })).pipe(Layer.provide(InboundRetention.layer))
