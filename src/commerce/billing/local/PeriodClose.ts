import { Context, DateTime, type Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { TemporarilyUnavailable } from "../../../platform/http/errors.ts"
import { batchWorker } from "../../../platform/jobs/BatchWorker.ts"
import { ClockGuard, orZero } from "../../../platform/jobs/ClockGuard.ts"
import { faultsDie } from "../../../platform/sql/Rows.ts"
import type { Account } from "../account/Account.ts"
import { AccountsRepo, type Due } from "../account/AccountsRepo.ts"
import { invoicedPeriod, type Period, periodAt } from "../account/Period.ts"
import { UsageRepo } from "../account/UsageRepo.ts"
import { BillingCatalog } from "../catalog/BillingCatalog.ts"
import { overages, renewals } from "../ledger/NewEntry.ts"
import { LocalInvoices } from "./LocalInvoices.ts"

/** Accounts in one step; a shutdown is noticed between two steps. */
const batch = 100

/**
 * The time that a shutdown waits for the step in progress. An account that does not finish is rolled back, and another
 * process closes it.
 */
const shutdownGrace = "10 seconds"

/** A locked account, with every period invoiced that has begun. */
export interface CurrentAccount {
  readonly account: Account
  /** Now, but not before the start of the last invoiced period: another process's clock may have been ahead of ours. */
  readonly at: DateTime.Utc
  /** The period that this moment is in. */
  readonly period: Period
}

/** Invoices the periods that begin, each once, whatever the number of processes and the order of events. */
export class PeriodClose extends Context.Service<PeriodClose, {
  /**
   * Locks the account and invoices the periods that have begun, in the caller's transaction, which must fail if this
   * fails. Empty without a plan. `TemporarilyUnavailable`: the clock is doubtful.
   */
  lock(club_id: ClubId): Effect.Effect<Option.Option<CurrentAccount>, TemporarilyUnavailable>
  /** The next accounts that are due at this moment, after this one; `limit` at most. */
  due(now: DateTime.Utc, after: Option.Option<Due>, limit: number): Effect.Effect<ReadonlyArray<Due>>
  /** Invoices an account's periods up to this moment, in a transaction of its own; skips it while another has it locked. */
  close(club_id: ClubId, now: DateTime.Utc): Effect.Effect<void>
}>()("turma/commerce/billing/local/PeriodClose") {
  /** Still asking for the catalog and the database. */
  static readonly layer = Layer.effect(
    PeriodClose,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const catalog = yield* BillingCatalog
      const accounts = yield* AccountsRepo
      const usage = yield* UsageRepo
      const invoices = yield* LocalInvoices
      const guard = yield* ClockGuard

      // Every change of the account does this first, so the account is as it was when these periods began.
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

      // The time is read after the lock, which may have been waited for. With a clock that is ahead, invoices would be
      // issued too early, and they are not taken back.
      const lock = Effect.fn("PeriodClose.lock")(function*(club_id: ClubId) {
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
        faultsDie
      )

      return PeriodClose.of({ lock, due, close })
    })
  ).pipe(Layer.provide([AccountsRepo.layer, LocalInvoices.layer, UsageRepo.layer]))
}

/**
 * One step of the worker: some accounts, each on its own. A failing account is logged and does not stop the others.
 * `after` is the end of the last step; empty once all accounts are closed.
 */
export const closeBatch = Effect.fnUntraced(function*(now: DateTime.Utc, after: Option.Option<Due>, limit = batch) {
  const periods = yield* PeriodClose
  const accounts = yield* periods.due(now, after, limit)
  yield* Effect.forEach(
    accounts,
    ({ club_id }) =>
      Effect.catchCause(
        periods.close(club_id, now),
        (cause) => Effect.logError("A club's period was not invoiced", { club_id }, cause)
      ),
    { discard: true }
  )
  const isLast = accounts.length < limit
  return { count: accounts.length, after: isLast ? Option.none() : Option.fromNullishOr(accounts.at(-1)) }
})

/** Invoices periods that begin: at once and then at this interval, for as long as the layer lives. */
export const periodCloseLayer = (
  { every }: { readonly every: Duration.Input }
): Layer.Layer<never, never, ClockGuard | PeriodClose> =>
  Layer.effectDiscard(Effect.gen(function*() {
    const periods = yield* PeriodClose
    const guard = yield* ClockGuard
    let cursor = Option.none<Due>()
    const tick = Effect.fnUntraced(function*(now: DateTime.Utc) {
      const { after, count } = yield* Effect.provideService(closeBatch(now, cursor), PeriodClose, periods)
      cursor = after
      return count
    })
    yield* batchWorker({
      // A wrong clock would issue invoices that stay for good.
      tick: orZero(guard.sweep("periods of plans", tick)),
      full: batch,
      idle: Effect.sleep(every),
      shutdownGrace,
      onFailure: "Periods were not invoiced",
      onCutOff: "Periods are invoiced later"
    })
  }))
