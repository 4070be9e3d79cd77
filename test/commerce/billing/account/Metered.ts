import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { ContractedAddonId } from "../../../../src/commerce/billing/account/Account.ts"
import { AccountsRepo } from "../../../../src/commerce/billing/account/AccountsRepo.ts"
import { Metering, type TakenUnits } from "../../../../src/commerce/billing/account/Metering.ts"
import { periodAt } from "../../../../src/commerce/billing/account/Period.ts"
import { planMeteringLayerNoDeps } from "../../../../src/commerce/billing/account/PlanMetering.ts"
import { UsageRepo } from "../../../../src/commerce/billing/account/UsageRepo.ts"
import { BillingCatalog } from "../../../../src/commerce/billing/catalog/BillingCatalog.ts"
import { PlanCatalog } from "../../../../src/commerce/billing/catalog/PlanCatalog.ts"
import type { ClubId } from "../../../../src/identity/ids/ClubId.ts"
import { makeClub } from "../../../harness/Makers.ts"
import { PostgresLayer } from "../../../harness/Postgres.ts"

const plan = (key: string, grants: object) => ({ key, name: key, monthly_price_cents: 100, addons: [], grants })
const addon = (key: string, allowance: number | null) => ({
  key,
  name: key,
  monthly_price_cents: 100,
  removable: true,
  grants: { answers: { allowance } }
})

/** Plans that differ only in their grant of `answers`. */
const catalog = Schema.decodeUnknownSync(PlanCatalog)({
  currency: "USD",
  plans: [
    plan("fifty", { answers: { allowance: 50 } }),
    plan("billing", { answers: { allowance: 2, overage_price_cents: 3 } }),
    plan("endless", { answers: { allowance: null } }),
    plan("empty", {})
  ],
  addons: [addon("ten_more", 10), addon("no_end", null)],
  resources: [
    { key: "answers", name: "Answers", kind: "metered" },
    { key: "stickers", name: "Stickers", kind: "flag" }
  ]
})

/** The metering of the plans of `local`, on its own PostgreSQL. */
export const MeteredLayer = planMeteringLayerNoDeps("local").pipe(
  Layer.provideMerge(Layer.mergeAll(AccountsRepo.layer, UsageRepo.layer)),
  Layer.provide(Layer.succeed(BillingCatalog, catalog)),
  Layer.provideMerge(PostgresLayer)
)

interface Club {
  readonly id: ClubId
}

/** A club with a plan that begins now. */
export const clubOn = Effect.fnUntraced(function*(plan_key: string) {
  const club = yield* makeClub()
  const accounts = yield* AccountsRepo
  const anchor = yield* DateTime.now
  const own = { club_id: club.id, plan_key, anchor, invoiced_until: periodAt(anchor, anchor).end }
  yield* accounts.insert({ ...own, customer_id: null, subscription_id: null }, "local", anchor)
  return club
})

/** Gives the club an add-on from now on. */
export const contract = Effect.fnUntraced(function*({ id }: Club, addon_key: string) {
  const accounts = yield* AccountsRepo
  const random = yield* SecureRandom.SecureRandom
  const addon = { id: ContractedAddonId.make(yield* random.uuidV7()), addon_key, external_id: null }
  yield* accounts.contract(id, addon, yield* DateTime.now)
  return addon.id
}, Effect.provide(SecureRandom.layerWebCrypto))

export const remove = Effect.fnUntraced(function*({ id }: Club, addon_id: ContractedAddonId) {
  const accounts = yield* AccountsRepo
  yield* accounts.remove(id, addon_id, yield* DateTime.now)
})

/** Takes some units in their own transaction. Returns no units if no plan counts them. */
export const take = Effect.fnUntraced(function*({ id }: Club, units = 1) {
  const sql = yield* SqlClient.SqlClient
  const metering = yield* Metering
  return yield* sql.withTransaction(metering.take(id, "answers", units))
}, Effect.catchTag("SqlError", Effect.die))

/** Takes units and dies if no plan counts them. */
export const counted = (club: Club, units?: number) =>
  Effect.flatMap(
    take(club, units),
    Option.match({ onNone: () => Effect.die("Nothing counted it"), onSome: Effect.succeed })
  )

/** True if the club had room for the units and took them. */
export const passes = (club: Club, units?: number) =>
  take(club, units).pipe(Effect.as(true), Effect.catchTag("ResourceUsedUp", () => Effect.succeed(false)))

export const giveBack = ({ id }: Club, taken: TakenUnits) =>
  Effect.flatMap(Metering, (metering) => metering.giveBack(id, taken))

export const exhausted = ({ id }: Club) => Effect.flatMap(Metering, (metering) => metering.exhausted(id, "answers"))

/** The used `answers` in the period of this moment, by default of now. */
export const usedAt = Effect.fnUntraced(function*({ id }: Club, at?: DateTime.Utc) {
  const accounts = yield* AccountsRepo
  const usage = yield* UsageRepo
  const account = Option.getOrThrow(yield* accounts.find(id, "local"))
  const used = yield* usage.used(id, periodAt(account.anchor, at ?? (yield* DateTime.now)).start)
  return used.get("answers") ?? 0
})
