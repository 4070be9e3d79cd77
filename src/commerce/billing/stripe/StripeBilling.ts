import { Context, DateTime, Duration, Effect, type Exit, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId, OrganizationId } from "../../../identity/ids/ClubId.ts"
import { beforehand } from "../../../platform/http/Beforehand.ts"
import { NotFound, TemporarilyUnavailable } from "../../../platform/http/errors.ts"
import type { PageRequest } from "../../../platform/http/Page.ts"
import { PublicUrls } from "../../../platform/http/ServerSettings.ts"
import { ClockGuard } from "../../../platform/jobs/ClockGuard.ts"
import { PooledRandomLayer } from "../../../platform/sql/PooledRandom.ts"
import { ContractedAddonId } from "../Account.ts"
import { AccountsRepo } from "../AccountsRepo.ts"
import { toContract, toRemove } from "../AddonRules.ts"
import { Billing } from "../Billing.ts"
import { BillingCatalog } from "../BillingCatalog.ts"
import { type ClaimId, PlanOffer, UnconfirmedSubscription } from "../Checkout.ts"
import { statusOf, unmanaged } from "../Entitlements.ts"
import {
  type AddonAlreadyContracted,
  type AddonNotFound,
  AddonUnavailable,
  BillingPortalUnavailable,
  NoUpcomingInvoice,
  PlanAlreadyContracted,
  PlanNotFound,
  SubscriptionEnded
} from "../Errors.ts"
import { inOrder, UpcomingInvoice } from "../Invoice.ts"
import { carriedOf } from "../Invoicing.ts"
import { LedgerRepo } from "../LedgerRepo.ts"
import { periodAt } from "../Period.ts"
import type { BillingStatus } from "../Status.ts"
import { UsageRepo } from "../UsageRepo.ts"
import { Changes } from "./Changes.ts"
import { ChangesRepo } from "./ChangesRepo.ts"
import { CheckoutsRepo } from "./CheckoutsRepo.ts"
import { giveBack } from "./Credit.ts"
import { mirrored } from "./InvoiceLines.ts"
import { Mirror } from "./Mirror.ts"
import { MirrorRepo } from "./MirrorRepo.ts"
import { StripeApi } from "./StripeApi.ts"
import { StripeLedgerRepo } from "./StripeLedgerRepo.ts"
import { type Invoice, wholeSecond } from "./StripeObjects.ts"

/** How long a request waits for Stripe to hear of a change. What takes longer is told by the worker. */
const patience = Duration.seconds(20)

/** What became of an add-on that was contracted before the transaction of its request. */
class Contracted extends Context.Service<
  Contracted,
  Exit.Exit<BillingStatus, AddonAlreadyContracted | AddonNotFound | AddonUnavailable | TemporarilyUnavailable>
>()("turma/billing/stripe/Contracted") {}

const writes = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const random = yield* SecureRandom.SecureRandom
  const accounts = yield* AccountsRepo
  const catalog = yield* BillingCatalog
  const changes = yield* ChangesRepo
  const ledger = yield* StripeLedgerRepo
  const mirror = yield* MirrorRepo
  const guard = yield* ClockGuard
  // Stripe charges and we credit by the second: both from the same one. What a wrong clock charged is not taken back.
  const second = Effect.map(guard.agreedNow, wholeSecond)

  const held = (club_id: ClubId) => Effect.map(accounts.lock(club_id, "stripe"), Option.map((account) => ({ account })))

  /** Contracts here; answers what Stripe is to be told. */
  const contract = Effect.fnUntraced(
    function*(club_id: ClubId, addon_key: string) {
      yield* toContract(catalog, yield* held(club_id), addon_key)
      const id = ContractedAddonId.make(yield* Effect.orDie(random.uuidV7()))
      yield* accounts.contract(club_id, { id, addon_key, external_id: null }, yield* second)
      yield* mirror.changed(club_id)
      return yield* changes.add(club_id, "contract", { addon_id: id })
    },
    sql.withTransaction,
    Effect.catchTag("SqlError", Effect.die)
  )

  const remove = Effect.fnUntraced(
    function*(club_id: ClubId, addon_key: string) {
      const { contracted } = yield* toRemove(catalog, yield* held(club_id), addon_key)
      yield* mirror.close(club_id, [contracted.id], yield* second)
      yield* mirror.changed(club_id)
      yield* changes.add(club_id, "remove", { addon_id: contracted.id })
      yield* giveBack({ changes, ledger }, club_id, yield* ledger.creditable(club_id, { addon_id: contracted.id }))
    },
    sql.withTransaction,
    Effect.catchTag("SqlError", Effect.die)
  )

  return { contract, remove }
})

const make = Effect.gen(function*() {
  const { dashboard } = yield* PublicUrls
  const accounts = yield* AccountsRepo
  const api = yield* StripeApi
  const catalog = yield* BillingCatalog
  const changes = yield* Changes
  const checkouts = yield* CheckoutsRepo
  const invoices = yield* LedgerRepo
  const ledger = yield* StripeLedgerRepo
  const mirror = yield* Mirror
  const queue = yield* ChangesRepo
  const usage = yield* UsageRepo
  const written = yield* writes

  const status = Effect.fn("Billing.status")(function*(club_id: ClubId) {
    const account = yield* accounts.find(club_id, "stripe")
    if (Option.isNone(account)) return unmanaged
    const now = yield* DateTime.now
    const used = yield* usage.used(club_id, periodAt(account.value.anchor, now).start)
    return statusOf(catalog, account.value, used, now, true)
  })

  const tell = (club_id: ClubId) => Effect.timeoutOption(changes.perform(club_id), patience)

  const contractAndTell = Effect.fnUntraced(function*(club_id: ClubId, addon_key: string) {
    const change = yield* written.contract(club_id, addon_key)
    yield* tell(club_id)
    if (yield* queue.refused(club_id, change)) return yield* new AddonUnavailable()
    return yield* status(club_id)
  })

  // Committed before Stripe is told, whatever transaction the request has.
  const contract = Effect.fn("Billing.contract")((club_id: ClubId, addon_key: string) =>
    beforehand(Contracted, contractAndTell(club_id, addon_key))
  )

  const remove = Effect.fn("Billing.remove")(function*(club_id: ClubId, addon_key: string) {
    yield* written.remove(club_id, addon_key)
    yield* tell(club_id)
    return yield* status(club_id)
  })

  /** With the credit that Stripe has not heard of. */
  const shown = Effect.fnUntraced(function*(club_id: ClubId, preview: Invoice) {
    const open = yield* ledger.open(club_id)
    const { lines, period } = mirrored(catalog, preview, open)
    const heard = new Set(lines.map(({ entry_id }) => entry_id))
    const left = lines.filter(({ external_id }) => external_id !== `${preview.id}:after`)
    const all = [...left, ...open.filter(({ id }) => !heard.has(id))]
    const sum = all.reduce((total, { amount_cents }) => total + amount_cents, 0)
    return new UpcomingInvoice({
      currency: preview.currency.toUpperCase(),
      period_start: period.start,
      period_end: period.end,
      lines: inOrder(sum < 0 ? [...all, carriedOf(-sum, period).line] : all),
      total_cents: Math.max(0, sum)
    })
  })

  // A preview that lacks what Stripe has not heard of would be wrong.
  const upcoming = Effect.fn("Billing.upcoming")(function*(club_id: ClubId) {
    const account = Option.getOrUndefined(yield* accounts.find(club_id, "stripe"))
    if (account === undefined || account.subscription_id === null) return yield* new NoUpcomingInvoice()
    if ((yield* queue.pending(club_id)).length > 0) yield* tell(club_id)
    const untold = yield* queue.pending(club_id)
    if (untold.some((kind) => kind === "contract" || kind === "remove")) return yield* new TemporarilyUnavailable()
    const preview = yield* api.preview(account.subscription_id).pipe(Effect.catchTags({
      StripeRefused: () => Effect.fail(new NoUpcomingInvoice()),
      StripeUnreachable: () => Effect.fail(new TemporarilyUnavailable())
    }))
    return yield* shown(club_id, preview)
  })

  const portal = Effect.fn("Billing.portal")(function*(club_id: ClubId) {
    const account = Option.getOrUndefined(yield* accounts.find(club_id, "stripe"))
    if (account === undefined || account.customer_id === null) return yield* new BillingPortalUnavailable()
    return yield* Effect.catch(api.portal(account.customer_id, dashboard.href), (failure) =>
      Effect.andThen(
        Effect.logWarning("Stripe gave no address of its portal", { club_id, failure: failure._tag }),
        Effect.fail(new BillingPortalUnavailable())
      ))
  })

  const checkoutUnavailable = (why: string) =>
    Effect.andThen(
      Effect.logWarning("Stripe gave no address of a checkout", { why }),
      Effect.fail(new BillingPortalUnavailable({ error: { message: "No plan can be bought at this moment" } }))
    )

  // Known here before Stripe knows of it: whatever comes of it is then the club's.
  const checkout = Effect.fn("Billing.checkout")(
    function*(club_id: ClubId, organization_id: OrganizationId, plan_key: string) {
      const price = catalog.plans.find(({ key }) => key === plan_key)?.stripe_price
      if (price === undefined) return yield* new PlanNotFound()
      if (Option.isSome(yield* accounts.find(club_id, "stripe"))) return yield* new PlanAlreadyContracted()
      const checkout_id = yield* checkouts.begin(club_id)
      const metadata = { organization_id, checkout_id }
      return yield* Effect.catch(
        api.checkout({ price, metadata, return_url: dashboard.href }),
        ({ _tag }) => checkoutUnavailable(_tag)
      )
    }
  )

  const unconfirmed = Effect.fn("Billing.unconfirmed")((club_id: ClubId, page: PageRequest) =>
    Effect.map(checkouts.claims(club_id, page), ({ data, next_cursor }) => ({
      next_cursor,
      data: data.map(({ created_at, id, plan_key, subscription_id: external_id }) => {
        const name = catalog.plans.find(({ key }) => key === plan_key)?.name ?? plan_key
        return new UnconfirmedSubscription({ id, external_id, created_at, plan: { key: plan_key, name } })
      })
    }))
  )

  const confirm = Effect.fn("Billing.confirm")(function*(club_id: ClubId, id: ClaimId) {
    const claim = yield* checkouts.findClaim(club_id, id)
    if (Option.isNone(claim)) return yield* new NotFound()
    const outcome = yield* Effect.mapError(
      mirror.confirmed(claim.value.subscription_id, club_id),
      () => new TemporarilyUnavailable()
    )
    if (outcome === "done") return yield* status(club_id)
    const hasPlan = Option.isSome(yield* accounts.find(club_id, "stripe"))
    return yield* hasPlan ? new PlanAlreadyContracted() : new SubscriptionEnded()
  })

  return Billing.of({
    open: () => Effect.void,
    plans: catalog.plans.map(({ key, monthly_price_cents, name }) =>
      new PlanOffer({ key, name, monthly_price_cents, currency: catalog.currency })
    ),
    checkout,
    unconfirmed,
    confirm,
    status,
    contract,
    remove,
    invoices: invoices.invoices,
    upcoming,
    portal
  })
})

/** Plans, add-ons and invoices as Stripe has them. Still asking for the catalog, the database and Stripe. */
export const StripeBillingLayer = Layer.effect(Billing, make).pipe(
  Layer.provide([
    AccountsRepo.layer,
    Changes.layer,
    ChangesRepo.layer,
    CheckoutsRepo.layer,
    LedgerRepo.layer,
    Mirror.layer,
    MirrorRepo.layer,
    PooledRandomLayer,
    PublicUrls.layer,
    StripeLedgerRepo.layer,
    UsageRepo.layer
  ])
)
