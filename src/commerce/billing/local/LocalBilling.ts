import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { type Account, type ContractedAddon, ContractedAddonId } from "../Account.ts"
import { AccountsRepo } from "../AccountsRepo.ts"
import { toContract, toRemove } from "../AddonRules.ts"
import { Billing } from "../Billing.ts"
import { BillingCatalog } from "../BillingCatalog.ts"
import { statusOf, unmanaged } from "../Entitlements.ts"
import { BillingPortalUnavailable, NoUpcomingInvoice } from "../Errors.ts"
import { addonCharge } from "../Invoicing.ts"
import { LedgerRepo } from "../LedgerRepo.ts"
import { withoutCheckout } from "../NoBilling.ts"
import { invoicedPeriod, periodAt } from "../Period.ts"
import { planMeteringLayer } from "../PlanMetering.ts"
import { UsageRepo } from "../UsageRepo.ts"
import { LocalInvoices } from "./LocalInvoices.ts"
import { nextInvoice } from "./NextInvoice.ts"
import { PeriodClose } from "./PeriodClose.ts"
import { Plans } from "./Plans.ts"

const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const random = yield* SecureRandom.SecureRandom
  const catalog = yield* BillingCatalog
  const accounts = yield* AccountsRepo
  const ledger = yield* LedgerRepo
  const usage = yield* UsageRepo
  const invoices = yield* LocalInvoices
  const periods = yield* PeriodClose
  const plans = yield* Plans

  const shown = Effect.fnUntraced(function*(account: Account, at: DateTime.Utc) {
    const used = yield* usage.used(account.club_id, periodAt(account.anchor, at).start)
    return statusOf(catalog, account, used, at, false)
  })

  const status = Effect.fn("Billing.status")(function*(club_id: ClubId) {
    const account = yield* accounts.find(club_id, "local")
    return Option.isNone(account) ? unmanaged : yield* shown(account.value, yield* DateTime.now)
  })

  const contract = Effect.fn("Billing.contract")(
    function*(club_id: ClubId, addon_key: string) {
      const { addon, held } = yield* toContract(catalog, yield* periods.hold(club_id), addon_key)
      const { account, at, period } = held
      const id = ContractedAddonId.make(yield* Effect.orDie(random.uuidV7()))
      const contracted: ContractedAddon = { id, addon_key, contracted_at: at, external_id: null }
      yield* accounts.contract(club_id, { id, addon_key, external_id: null }, at)
      yield* invoices.issue(club_id, period, [addonCharge(addon, id, period, at)])
      return yield* shown({ ...account, addons: [...account.addons, contracted] }, at)
    },
    sql.withTransaction,
    Effect.catchTag("SqlError", Effect.die)
  )

  const remove = Effect.fn("Billing.remove")(
    function*(club_id: ClubId, addon_key: string) {
      const { contracted, held } = yield* toRemove(catalog, yield* periods.hold(club_id), addon_key)
      const { account, at } = held
      yield* accounts.remove(club_id, contracted.id, at)
      yield* invoices.credit(club_id, { addon_id: contracted.id }, at)
      return yield* shown({ ...account, addons: account.addons.filter((one) => one !== contracted) }, at)
    },
    sql.withTransaction,
    Effect.catchTag("SqlError", Effect.die)
  )

  // Locked, so that no period is invoiced between these statements: it would be shown by half.
  const upcoming = Effect.fn("Billing.upcoming")(
    function*(club_id: ClubId) {
      const account = yield* accounts.lock(club_id, "local")
      if (Option.isNone(account)) return yield* new NoUpcomingInvoice()
      const used = yield* usage.used(club_id, invoicedPeriod(account.value).start)
      return nextInvoice(catalog, account.value, used, yield* ledger.open(club_id, catalog.currency))
    },
    sql.withTransaction,
    Effect.catchTag("SqlError", Effect.die)
  )

  const open = Effect.fn("Billing.open")((club_id: ClubId) => plans.start(club_id, catalog.plans[0].key))

  const portal = Effect.fn("Billing.portal")(() => Effect.fail(new BillingPortalUnavailable()))

  return Billing.of({ open, status, contract, remove, invoices: ledger.invoices, upcoming, portal, ...withoutCheckout })
})

const LocalServicesLayer = Plans.layer.pipe(
  Layer.provideMerge(PeriodClose.layer),
  Layer.provideMerge(Layer.mergeAll(AccountsRepo.layer, LedgerRepo.layer, LocalInvoices.layer, UsageRepo.layer))
)

/** Plans, add-ons and invoices in our own ledger; no money is moved. Still asking for the catalog and the database. */
export const LocalBillingLayer = Layer.effect(Billing, make).pipe(
  Layer.provide([LocalServicesLayer, NodeCrypto.layerSecureRandom]),
  Layer.merge(planMeteringLayer("local"))
)
