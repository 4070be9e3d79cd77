import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../clubs/Club.ts"
import { AccountsRepo } from "../AccountsRepo.ts"
import { BillingCatalog } from "../BillingCatalog.ts"
import { overages } from "../Invoicing.ts"
import { type Period, periodAt } from "../Period.ts"
import { UsageRepo } from "../UsageRepo.ts"
import { ChangesRepo } from "./ChangesRepo.ts"
import { MirrorRepo } from "./MirrorRepo.ts"
import { StripeLedgerRepo } from "./StripeLedgerRepo.ts"

/** Charges what was used beyond the allowance, once a period is over. Stripe invoices the rest of it by itself. */
export class Overages extends Context.Service<Overages, {
  /** Closes what is left to close of an account until now, in the transaction that has locked it. */
  close(club_id: ClubId, now: DateTime.Utc): Effect.Effect<void>
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

      const closePeriod = Effect.fnUntraced(function*(club_id: ClubId, periodOf: (until: DateTime.Utc) => Period) {
        const account = Option.getOrUndefined(yield* accounts.find(club_id, "stripe"))
        if (account === undefined) return
        const covers = periodOf(account.invoiced_until)
        const { start } = periodAt(account.anchor, DateTime.subtract(covers.end, { milliseconds: 1 }))
        const used = yield* usage.used(club_id, start)
        for (const entry of overages(catalog, account, used, covers)) {
          const entered = yield* ledger.enter(club_id, entry, catalog.currency)
          if (Option.isSome(entered)) yield* changes.add(club_id, "overage", { entry_id: entered.value })
        }
        yield* repo.invoicedUntil(club_id, periodAt(account.anchor, covers.end).end)
      })

      /** The period of the account that ends then. */
      const ending = (anchor: DateTime.Utc) => (until: DateTime.Utc): Period =>
        periodAt(anchor, DateTime.subtract(until, { milliseconds: 1 }))

      const tick = sql.withTransaction(Effect.gen(function*() {
        const club_id = Option.getOrUndefined(yield* repo.lockDue(yield* DateTime.now))
        if (club_id === undefined) return 0
        const held = Option.getOrUndefined(yield* repo.hold(club_id))
        if (held !== undefined) yield* closePeriod(club_id, ending(held.anchor))
        return 1
      })).pipe(Effect.catchTag("SqlError", Effect.die), Effect.withSpan("Overages.tick"))

      // Periods that are over, and then the one that ends early.
      const close = Effect.fn("Overages.close")(function*(club_id: ClubId, now: DateTime.Utc) {
        let held = Option.getOrUndefined(yield* repo.hold(club_id))
        while (held !== undefined && DateTime.isLessThanOrEqualTo(held.invoiced_until, now)) {
          yield* closePeriod(club_id, ending(held.anchor))
          held = Option.getOrUndefined(yield* repo.hold(club_id))
        }
        if (held === undefined) return
        const { start } = periodAt(held.anchor, now)
        yield* closePeriod(club_id, () => ({ start, end: DateTime.max(now, DateTime.add(start, { milliseconds: 1 })) }))
      })

      return Overages.of({ close, tick })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([AccountsRepo.layer, ChangesRepo.layer, MirrorRepo.layer, StripeLedgerRepo.layer, UsageRepo.layer])
  )
}
