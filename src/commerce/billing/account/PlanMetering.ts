import { DateTime, Effect, Layer, Option } from "effect"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { BillingCatalog } from "../catalog/BillingCatalog.ts"
import { accountEntitlement, type Entitlement, entitlementOf, resourceOf } from "../catalog/Entitlement.ts"
import { AccountsRepo, type Provider } from "./AccountsRepo.ts"
import { Metering, ResourceUsedUp, type TakenUnits } from "./Metering.ts"
import { invoicedPeriod, periodAt } from "./Period.ts"
import { UsageRepo } from "./UsageRepo.ts"

/** The units that a period has; `null`: no limit, because the allowance is unlimited or overage is billed. */
const limitOf = ({ allowance, overage_price_cents }: Entitlement) => overage_price_cents === null ? allowance : null

const isUsedUp = (limit: number | null, used: number) => limit !== null && used >= limit

const make = (provider: Provider) =>
  Effect.gen(function*() {
    const catalog = yield* BillingCatalog
    const accounts = yield* AccountsRepo
    const usage = yield* UsageRepo

    const isMetered = (resource: string) => resourceOf(catalog, resource)?.kind === "metered"

    // Locks the account first, like every change of it, so the plan and the invoiced period stay until the units count.
    // The time is read after the lock, because the lock may take long. It is at least the start of the last invoiced
    // period, since another process's clock may have been ahead.
    const take = Effect.fn("Metering.take")(function*(club_id: ClubId, resource: string, units: number) {
      if (!isMetered(resource)) return Option.none()
      const account = yield* accounts.lock(club_id, provider)
      if (Option.isNone(account)) return Option.none()
      const at = DateTime.max(yield* DateTime.now, invoicedPeriod(account.value).start)
      const { end, start } = periodAt(account.value.anchor, at)
      const limit = limitOf(accountEntitlement(catalog, account.value, resource))
      const wanted: TakenUnits = { resource, period_start: start, units }
      const used = yield* usage.take(club_id, wanted, limit)
      if (Option.isNone(used)) return yield* new ResourceUsedUp({ until: end })
      return Option.some({ ...wanted, exhausted: isUsedUp(limit, used.value) })
    })

    const exhausted = Effect.fn("Metering.exhausted")(function*(club_id: ClubId, resource: string) {
      if (!isMetered(resource)) return false
      const now = yield* DateTime.now
      const state = yield* usage.state(club_id, provider, resource, now)
      if (Option.isNone(state)) return false
      const { addon_keys, anchor, period_start, plan_key, used } = state.value
      const { start } = periodAt(anchor, now)
      const current = period_start !== null && DateTime.Equivalence(period_start, start) ? used : 0
      return isUsedUp(limitOf(entitlementOf(catalog, plan_key, addon_keys, resource)), current)
    })

    return Metering.of({ take, giveBack: usage.giveBack, exhausted })
  })

/** Counts against the plans that this provider keeps. */
export const planMeteringLayerNoDeps = (provider: Provider) => Layer.effect(Metering, make(provider))

/** Still asking for the catalog and the database. */
export const planMeteringLayer = (provider: Provider) =>
  planMeteringLayerNoDeps(provider).pipe(Layer.provide([AccountsRepo.layer, UsageRepo.layer]))
