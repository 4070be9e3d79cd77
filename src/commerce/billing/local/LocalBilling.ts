import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { faultsDie } from "../../../platform/sql/Rows.ts"
import { type Account, type ContractedAddon, ContractedAddonId } from "../account/Account.ts"
import { AccountsRepo } from "../account/AccountsRepo.ts"
import { invoicedPeriod, periodAt } from "../account/Period.ts"
import { planMeteringLayer } from "../account/PlanMetering.ts"
import { UsageRepo } from "../account/UsageRepo.ts"
import { BillingCatalog } from "../catalog/BillingCatalog.ts"
import { LedgerRepo } from "../ledger/LedgerRepo.ts"
import { addonCharge } from "../ledger/NewEntry.ts"
import { checkContract, checkRemoval } from "../provider/AddonRules.ts"
import { BillingPortalUnavailable, NoUpcomingInvoice } from "../provider/BillingErrors.ts"
import { BillingProvider } from "../provider/BillingProvider.ts"
import { statusOf, unmanaged } from "../provider/BillingStatus.ts"
import { withoutCheckout } from "../provider/WithoutCheckout.ts"
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

  const statusAt = Effect.fnUntraced(function*(account: Account, at: DateTime.Utc) {
    const used = yield* usage.used(account.club_id, periodAt(account.anchor, at).start)
    return statusOf(catalog, account, used, at, false)
  })

  const status = Effect.fn("Billing.status")(function*(club_id: ClubId) {
    const account = yield* accounts.find(club_id, "local")
    return Option.isNone(account) ? unmanaged : yield* statusAt(account.value, yield* DateTime.now)
  })

  const contract = Effect.fn("Billing.contract")(
    function*(club_id: ClubId, addon_key: string) {
      const { addon, locked } = yield* checkContract(catalog, yield* periods.lock(club_id), addon_key)
      const { account, at, period } = locked
      const id = ContractedAddonId.make(yield* Effect.orDie(random.uuidV7()))
      const contracted: ContractedAddon = { id, addon_key, contracted_at: at, external_id: null }
      yield* accounts.contract(club_id, { id, addon_key, external_id: null }, at)
      yield* invoices.issue(club_id, period, [addonCharge(addon, id, period, at)])
      return yield* statusAt({ ...account, addons: [...account.addons, contracted] }, at)
    },
    sql.withTransaction,
    faultsDie
  )

  const remove = Effect.fn("Billing.remove")(
    function*(club_id: ClubId, addon_key: string) {
      const { contracted, locked } = yield* checkRemoval(catalog, yield* periods.lock(club_id), addon_key)
      const { account, at } = locked
      yield* accounts.remove(club_id, contracted.id, at)
      yield* invoices.credit(club_id, { addon_id: contracted.id }, at)
      return yield* statusAt({ ...account, addons: account.addons.filter((one) => one !== contracted) }, at)
    },
    sql.withTransaction,
    faultsDie
  )

  // Locked, so that no period is invoiced between these statements.
  const upcoming = Effect.fn("Billing.upcoming")(
    function*(club_id: ClubId) {
      const account = yield* accounts.lock(club_id, "local")
      if (Option.isNone(account)) return yield* new NoUpcomingInvoice()
      const used = yield* usage.used(club_id, invoicedPeriod(account.value).start)
      return nextInvoice(catalog, account.value, used, yield* ledger.open(club_id, catalog.currency))
    },
    sql.withTransaction,
    faultsDie
  )

  const open = Effect.fn("Billing.open")((club_id: ClubId) => plans.start(club_id, catalog.plans[0].key))

  const portal = Effect.fn("Billing.portal")(() => Effect.fail(new BillingPortalUnavailable()))

  return BillingProvider.of({
    open,
    status,
    contract,
    remove,
    invoices: ledger.invoices,
    upcoming,
    portal,
    ...withoutCheckout
  })
})

const LocalServicesLayer = Plans.layer.pipe(
  Layer.provideMerge(PeriodClose.layer),
  Layer.provideMerge(Layer.mergeAll(AccountsRepo.layer, LedgerRepo.layer, LocalInvoices.layer, UsageRepo.layer))
)

/** Plans, add-ons and invoices in our own ledger; no money is moved. Still asking for the catalog and the database. */
export const LocalBillingLayer = Layer.effect(BillingProvider, make).pipe(
  Layer.provide([LocalServicesLayer, NodeCrypto.layerSecureRandom]),
  Layer.merge(planMeteringLayer("local"))
)
