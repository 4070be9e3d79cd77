import { Cause, Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { Account } from "../Account.ts"
import { AccountsRepo } from "../AccountsRepo.ts"
import { BillingCatalog } from "../BillingCatalog.ts"
import { overages, unitsBilled } from "../Invoicing.ts"

import { invoicedPeriod, type Period, periodAt } from "../Period.ts"
import { UsageRepo } from "../UsageRepo.ts"
import { ChangesRepo } from "./ChangesRepo.ts"
import { MirrorRepo } from "./MirrorRepo.ts"
import { StripeLedgerRepo } from "./StripeLedgerRepo.ts"

/** Charges what was used beyond the allowance, once a period is over. Stripe invoices the rest of it by itself. */
export class Overages extends Context.Service<Overages, {
  /** Charges what was used until now, in the transaction that has locked the account: what comes is by other rules. */
  settle(club_id: ClubId, now: DateTime.Utc): Effect.Effect<void>
  /** Closes one period of the account that waits longest. Says how many. */
  readonly tick: Effect.Effect<number>
}>()("turma/billing/stripe/Overages") {
  static readonly layerNoDeps = Layer.effect(
    Overages,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const accounts = yield* AccountsRepo
      const catalog = yield* BillingCatalog
      const changes = yield* ChangesRepo
      const ledger = yield* StripeLedgerRepo
      const repo = yield* MirrorRepo
      const usage = yield* UsageRepo

      /** Charges what was used of a period, which begins where one of the account's does. */
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

      const found = (club_id: ClubId) => Effect.map(accounts.find(club_id, "stripe"), Option.getOrUndefined)

      // One that cannot be closed is left out until all others are.
      const stuck = new Set<ClubId>()
      const tick = Effect.gen(function*() {
        let club_id: ClubId | undefined
        const closeNext = Effect.gen(function*() {
          club_id = Option.getOrUndefined(yield* repo.lockDue(yield* DateTime.now, [...stuck]))
          const account = club_id === undefined ? undefined : yield* found(club_id)
          if (account !== undefined) yield* closePeriod(account)
        })
        yield* Effect.catchCause(sql.withTransaction(closeNext), (cause) => {
          if (club_id === undefined || Cause.hasInterruptsOnly(cause)) return Effect.orDie(Effect.failCause(cause))
          stuck.add(club_id)
          return Effect.logError("A club's period was not closed", { club_id }, cause)
        })
        if (club_id !== undefined) return 1
        stuck.clear()
        return 0
      }).pipe(Effect.withSpan("Overages.tick"))

      // Periods that are over, and then what is used of this one: that is not counted again when it is over.
      const settle = Effect.fn("Overages.settle")(function*(club_id: ClubId, now: DateTime.Utc) {
        let account = yield* found(club_id)
        if (account === undefined) return
        while (DateTime.isLessThanOrEqualTo(account.invoiced_until, now)) account = yield* closePeriod(account)
        const { start } = invoicedPeriod(account)
        const used = yield* charge(account, { start, end: DateTime.max(now, start) })
        yield* usage.settle(club_id, start, unitsBilled(catalog, account, used))
      })

      return Overages.of({ settle, tick })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([AccountsRepo.layer, ChangesRepo.layer, MirrorRepo.layer, StripeLedgerRepo.layer, UsageRepo.layer])
  )
}
