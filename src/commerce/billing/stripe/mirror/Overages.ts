import { Cause, Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../../identity/ids/ClubId.ts"
import type { Account } from "../../account/Account.ts"
import { AccountsRepo } from "../../account/AccountsRepo.ts"
import { invoicedPeriod, type Period, periodAt } from "../../account/Period.ts"
import { UsageRepo } from "../../account/UsageRepo.ts"
import { BillingCatalog } from "../../catalog/BillingCatalog.ts"
import { overages, unitsBilled } from "../../ledger/NewEntry.ts"
import { ChangesRepo } from "../queue/ChangesRepo.ts"
import { MirrorRepo } from "./MirrorRepo.ts"
import { StripeLedgerRepo } from "./StripeLedgerRepo.ts"

/** Charges overage once a period is over. Stripe invoices plan and add-ons by itself. */
export class Overages extends Context.Service<Overages, {
  /** Charges overage up to now, before the plan or the period changes. In the transaction that has locked the account. */
  settle(club_id: ClubId, now: DateTime.Utc): Effect.Effect<void>
  /** Closes one period of the account that has waited longest. Returns how many were closed or failed. */
  readonly tick: Effect.Effect<number>
}>()("turma/commerce/billing/stripe/mirror/Overages") {
  static readonly layer = Layer.effect(
    Overages,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const accounts = yield* AccountsRepo
      const catalog = yield* BillingCatalog
      const changes = yield* ChangesRepo
      const ledger = yield* StripeLedgerRepo
      const repo = yield* MirrorRepo
      const usage = yield* UsageRepo

      /** Charges the overage of a time that starts with one of the account's periods. */
      const charge = Effect.fnUntraced(function*(account: Account, covers: Period) {
        const used = yield* usage.used(account.club_id, covers.start)
        for (const entry of overages(catalog, account, used, covers)) {
          const entered = yield* ledger.enter(account.club_id, entry, catalog.currency)
          if (Option.isSome(entered)) yield* changes.add(account.club_id, "overage", { entry_id: entered.value })
        }
        return used
      })

      const closePeriod = Effect.fnUntraced(function*(account: Account) {
        const ended = invoicedPeriod(account)
        yield* charge(account, ended)
        const { end } = periodAt(account.anchor, ended.end)
        yield* repo.invoicedUntil(account.club_id, end)
        return { ...account, invoiced_until: end }
      })

      const accountOf = (club_id: ClubId) => Effect.map(accounts.find(club_id, "stripe"), Option.getOrUndefined)

      // An account that cannot be closed is tried again after all others.
      const failed = new Set<ClubId>()
      const tick = Effect.gen(function*() {
        let club_id: ClubId | undefined
        const closeNext = Effect.gen(function*() {
          club_id = Option.getOrUndefined(yield* repo.lockDue(yield* DateTime.now, [...failed]))
          const account = club_id === undefined ? undefined : yield* accountOf(club_id)
          if (account !== undefined) yield* closePeriod(account)
        })
        yield* Effect.catchCause(sql.withTransaction(closeNext), (cause) => {
          if (club_id === undefined || Cause.hasInterruptsOnly(cause)) return Effect.orDie(Effect.failCause(cause))
          failed.add(club_id)
          return Effect.logError("A club's period was not closed", { club_id }, cause)
        })
        if (club_id !== undefined) return 1
        failed.clear()
        return 0
      }).pipe(Effect.withSpan("Overages.tick"))

      // Closes past periods, then charges the current one up to now; those units are not counted again at its end.
      const settle = Effect.fn("Overages.settle")(function*(club_id: ClubId, now: DateTime.Utc) {
        let account = yield* accountOf(club_id)
        if (account === undefined) return
        while (DateTime.isLessThanOrEqualTo(account.invoiced_until, now)) account = yield* closePeriod(account)
        const { start } = invoicedPeriod(account)
        const used = yield* charge(account, { start, end: DateTime.max(now, start) })
        yield* usage.settle(club_id, start, unitsBilled(catalog, account, used))
      })

      return Overages.of({ settle, tick })
    })
  ).pipe(Layer.provide([
    AccountsRepo.layer,
    ChangesRepo.layer,
    MirrorRepo.layer,
    StripeLedgerRepo.layer,
    UsageRepo.layer
  ]))
}
