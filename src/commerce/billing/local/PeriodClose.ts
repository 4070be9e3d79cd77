import { Context, DateTime, type Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { TemporarilyUnavailable } from "../../../platform/http/errors.ts"
import { batchWorker } from "../../../platform/jobs/BatchWorker.ts"
import { ClockGuard, orZero } from "../../../platform/jobs/ClockGuard.ts"
import type { Account } from "../Account.ts"
import { AccountsRepo, type Due } from "../AccountsRepo.ts"
import { BillingCatalog } from "../BillingCatalog.ts"
import { overages, renewals } from "../Invoicing.ts"
import { invoicedPeriod, type Period, periodAt } from "../Period.ts"
import { UsageRepo } from "../UsageRepo.ts"
import { LocalInvoices } from "./LocalInvoices.ts"

/** Accounts that are looked at before a shutdown is. */
const batch = 100

/** How long the accounts in hand may hold up a shutdown. One that is cut off is rolled back and closed by another. */
const drain = "10 seconds"

/** An account that is locked, with every period invoiced that has begun. */
export interface Held {
  readonly account: Account
  /** Now; not before the last period that was invoiced began, whoever's clock was ahead of ours. */
  readonly at: DateTime.Utc
  /** The period that this moment is in. */
  readonly period: Period
}

/** Invoices the periods that begin: each once, however many processes see to it, and in whichever order things happen. */
export class PeriodClose extends Context.Service<PeriodClose, {
  /**
   * Locks the account and brings it up to date, in the caller's transaction, which has to fail with this. None without a
   * plan. `TemporarilyUnavailable`: the clock is doubtful.
   */
  hold(club_id: ClubId): Effect.Effect<Option.Option<Held>, TemporarilyUnavailable>
  /** The next accounts that are due at this moment, from behind this one; so many at most. */
  due(now: DateTime.Utc, after: Option.Option<Due>, limit: number): Effect.Effect<ReadonlyArray<Due>>
  /** Brings an account up to date as of this moment, in a transaction of its own, unless somebody else is at it. */
  close(club_id: ClubId, now: DateTime.Utc): Effect.Effect<void>
}>()("turma/billing/PeriodClose") {
  static readonly layerNoDeps = Layer.effect(
    PeriodClose,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const catalog = yield* BillingCatalog
      const accounts = yield* AccountsRepo
      const usage = yield* UsageRepo
      const invoices = yield* LocalInvoices
      const guard = yield* ClockGuard

      // Every change does this first: what the account is now, it was when these periods began.
      const catchUp = Effect.fnUntraced(function*(account: Account, now: DateTime.Utc) {
        let until = account.invoiced_until
        while (DateTime.isLessThanOrEqualTo(until, now)) {
          const ended = invoicedPeriod({ ...account, invoiced_until: until })
          const begun = periodAt(account.anchor, until)
          const used = yield* usage.used(account.club_id, ended.start)
          yield* invoices.issue(account.club_id, begun, [
            ...overages(catalog, account, used, ended),
            ...renewals(catalog, account, begun)
          ])
          until = begun.end
        }
        if (until !== account.invoiced_until) yield* accounts.invoicedUntil(account.club_id, until)
        return { ...account, invoiced_until: until }
      })

      // The lock may have been waited for, so the time is asked after it. Of a clock that is ahead, the periods that it has
      // begun would be invoiced for good.
      const hold = Effect.fn("PeriodClose.hold")(function*(club_id: ClubId) {
        const locked = yield* accounts.lock(club_id, "local")
        if (Option.isNone(locked)) return Option.none()
        const now = yield* guard.rightNow
        const account = yield* catchUp(locked.value, now)
        const at = DateTime.max(now, invoicedPeriod(account).start)
        return Option.some({ account, at, period: periodAt(account.anchor, at) })
      })

      const due = Effect.fn("PeriodClose.due")(accounts.due)

      const close = Effect.fn("PeriodClose.close")(
        function*(club_id: ClubId, now: DateTime.Utc) {
          const locked = yield* accounts.lockDue(club_id, now)
          if (Option.isSome(locked)) yield* catchUp(locked.value, now)
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die)
      )

      return PeriodClose.of({ hold, due, close })
    })
  )

  /** Still asking for the catalog and the database. */
  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([AccountsRepo.layer, LocalInvoices.layer, UsageRepo.layer])
  )
}

/**
 * One step of the worker: some accounts, each by itself, so that one that cannot be closed is logged and holds up no other.
 * `after` is where the last step ended; it begins anew at the end.
 */
export const closeSome = Effect.fnUntraced(function*(now: DateTime.Utc, after: Option.Option<Due>, limit = batch) {
  const periods = yield* PeriodClose
  const found = yield* periods.due(now, after, limit)
  yield* Effect.forEach(
    found,
    ({ club_id }) =>
      Effect.catchCause(
        periods.close(club_id, now),
        (cause) => Effect.logError("A club's period was not invoiced", { club_id }, cause)
      ),
    { discard: true }
  )
  return { found: found.length, after: found.length < limit ? Option.none() : Option.fromNullishOr(found.at(-1)) }
})

/** Invoices what begins, at its start and then every so often, for as long as it lives. */
export const periodCloseLayer = (
  { every }: { readonly every: Duration.Input }
): Layer.Layer<never, never, ClockGuard | PeriodClose> =>
  Layer.effectDiscard(Effect.gen(function*() {
    const periods = yield* PeriodClose
    const guard = yield* ClockGuard
    let place = Option.none<Due>()
    const tick = Effect.fnUntraced(function*(now: DateTime.Utc) {
      const { after, found } = yield* Effect.provideService(closeSome(now, place), PeriodClose, periods)
      place = after
      return found
    })
    yield* batchWorker({
      // An invoice that a wrong clock wrote is not taken back.
      tick: orZero(guard.sweep("periods of plans", tick)),
      full: batch,
      idle: Effect.sleep(every),
      drain,
      onFailure: "Periods were not invoiced",
      onCutOff: "Periods are invoiced later"
    })
  }))
