import { DateTime, Effect, Layer, Option } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { AccountsRepo, type Provider } from "./AccountsRepo.ts"
import { BillingCatalog } from "./BillingCatalog.ts"
import { type Granted, grantedOf, grantedTo, resourceOf } from "./Entitlements.ts"
import { Metering, ResourceUsedUp, type TakenUnits } from "./Metering.ts"
import { invoicedPeriod, periodAt } from "./Period.ts"
import { UsageRepo } from "./UsageRepo.ts"

/** How many units a period has; `null` where as many as asked: without end, or what is beyond is billed. */
const limitOf = ({ allowance, overage_price_cents }: Granted) => overage_price_cents === null ? allowance : null

const isUsedUp = (limit: number | null, used: number) => limit !== null && used >= limit

const make = (provider: Provider) =>
  Effect.gen(function*() {
    const catalog = yield* BillingCatalog
    const accounts = yield* AccountsRepo
    const usage = yield* UsageRepo

    const isMetered = (resource: string) => resourceOf(catalog, resource)?.kind === "metered"

    // The account is locked first, like for every change of it: what a period has, and what was used of it when it is
    // invoiced, does not move until the units are taken. The time is read after that, as the lock may have been waited for,
    // and no period is counted in that somebody with a faster clock has invoiced.
    const take = Effect.fn("Metering.take")(function*(club_id: ClubId, resource: string, units: number) {
      if (!isMetered(resource)) return Option.none()
      const account = yield* accounts.lock(club_id, provider)
      if (Option.isNone(account)) return Option.none()
      const at = DateTime.max(yield* DateTime.now, invoicedPeriod(account.value).start)
      const { end, start } = periodAt(account.value.anchor, at)
      const limit = limitOf(grantedTo(catalog, account.value, resource))
      const wanted: TakenUnits = { resource, period_start: start, units }
      const used = yield* usage.take(club_id, wanted, limit)
      if (Option.isNone(used)) return yield* new ResourceUsedUp({ until: end })
      return Option.some({ ...wanted, exhausted: isUsedUp(limit, used.value) })
    })

    const exhausted = Effect.fn("Metering.exhausted")(function*(club_id: ClubId, resource: string) {
      if (!isMetered(resource)) return false
      const now = yield* DateTime.now
      const standing = yield* usage.standing(club_id, provider, resource, now)
      if (Option.isNone(standing)) return false
      const { addon_keys, anchor, period_start, plan_key, used } = standing.value
      const { start } = periodAt(anchor, now)
      const current = period_start !== null && DateTime.Equivalence(period_start, start) ? used : 0
      return isUsedUp(limitOf(grantedOf(catalog, plan_key, addon_keys, resource)), current)
    })

    return Metering.of({ take, giveBack: usage.giveBack, exhausted })
  })

/** Counts against the plans that this provider keeps. */
export const planMeteringLayerNoDeps = (provider: Provider) => Layer.effect(Metering, make(provider))

/** Still asking for the catalog and the database. */
export const planMeteringLayer = (provider: Provider) =>
  planMeteringLayerNoDeps(provider).pipe(Layer.provide([AccountsRepo.layer, UsageRepo.layer]))
