import { Context, DateTime, Duration, Effect, type Exit, Layer, Option } from "effect"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { NotFound, TemporarilyUnavailable } from "../../../platform/http/errors.ts"
import { beforeTransaction } from "../../../platform/http/request/BeforeTransaction.ts"
import { PublicUrls } from "../../../platform/http/ServerSettings.ts"
import { PooledRandomLayer } from "../../../platform/sql/PooledRandom.ts"
import { AccountsRepo } from "../account/AccountsRepo.ts"
import { periodAt } from "../account/Period.ts"
import { UsageRepo } from "../account/UsageRepo.ts"
import { BillingCatalog } from "../catalog/BillingCatalog.ts"
import { inOrder, UpcomingInvoice } from "../ledger/Invoice.ts"
import { LedgerRepo } from "../ledger/LedgerRepo.ts"
import { carriedCredit } from "../ledger/NewEntry.ts"
import type { ClaimId } from "../provider/BillingCheckout.ts"
import {
  type AddonAlreadyContracted,
  type AddonNotFound,
  AddonUnavailable,
  BillingPortalUnavailable,
  NoUpcomingInvoice,
  PlanAlreadyContracted,
  SubscriptionEnded
} from "../provider/BillingErrors.ts"
import { BillingProvider } from "../provider/BillingProvider.ts"
import { type BillingStatus, statusOf, unmanaged } from "../provider/BillingStatus.ts"
import { makeAddonChanges } from "./AddonChanges.ts"
import { StripeApi } from "./api/StripeApi.ts"
import type { StripeInvoice } from "./api/StripeObjects.ts"
import { Changes } from "./Changes.ts"
import { CheckoutsRepo } from "./mirror/CheckoutsRepo.ts"
import { Mirror } from "./mirror/Mirror.ts"
import { mirrorInvoice } from "./mirror/MirroredInvoice.ts"
import { MirrorRepo } from "./mirror/MirrorRepo.ts"
import { StripeLedgerRepo } from "./mirror/StripeLedgerRepo.ts"
import { ChangesRepo } from "./queue/ChangesRepo.ts"
import { makeStripeCheckout } from "./StripeCheckout.ts"

/** How long a request waits until a change is sent to Stripe. After that the worker sends it. */
const timeout = Duration.seconds(20)

/** The result of contracting an add-on before the transaction of the request. */
class Contracted extends Context.Service<
  Contracted,
  Exit.Exit<BillingStatus, AddonAlreadyContracted | AddonNotFound | AddonUnavailable | TemporarilyUnavailable>
>()("turma/commerce/billing/stripe/Contracted") {}

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
  const addonChanges = yield* makeAddonChanges

  const status = Effect.fn("Billing.status")(function*(club_id: ClubId) {
    const account = yield* accounts.find(club_id, "stripe")
    if (Option.isNone(account)) return unmanaged
    const now = yield* DateTime.now
    const used = yield* usage.used(club_id, periodAt(account.value.anchor, now).start)
    return statusOf(catalog, account.value, used, now, true)
  })

  const send = (club_id: ClubId) => Effect.timeoutOption(changes.perform(club_id), timeout)

  const contractAndSend = Effect.fnUntraced(function*(club_id: ClubId, addon_key: string) {
    const change = yield* addonChanges.contract(club_id, addon_key)
    yield* send(club_id)
    if (yield* queue.refused(club_id, change)) return yield* new AddonUnavailable()
    return yield* status(club_id)
  })

  // Committed before it is sent to Stripe, outside the request's transaction.
  const contract = Effect.fn("Billing.contract")((club_id: ClubId, addon_key: string) =>
    beforeTransaction(Contracted, contractAndSend(club_id, addon_key))
  )

  const remove = Effect.fn("Billing.remove")(function*(club_id: ClubId, addon_key: string) {
    yield* addonChanges.remove(club_id, addon_key)
    yield* send(club_id)
    return yield* status(club_id)
  })

  /** Stripe's preview with the entries that have not been sent yet. */
  const upcomingOf = Effect.fnUntraced(function*(club_id: ClubId, preview: StripeInvoice) {
    const open = yield* ledger.open(club_id)
    const { lines, period } = mirrorInvoice(catalog, preview, open)
    const invoiced = new Set(lines.map(({ entry_id }) => entry_id))
    const shown = lines.filter(({ external_id }) => external_id !== `${preview.id}:after`)
    const all = [...shown, ...open.filter(({ id }) => !invoiced.has(id))]
    const sum = all.reduce((total, { amount_cents }) => total + amount_cents, 0)
    return new UpcomingInvoice({
      currency: preview.currency.toUpperCase(),
      period_start: period.start,
      period_end: period.end,
      lines: inOrder(sum < 0 ? [...all, carriedCredit(-sum, period).line] : all),
      total_cents: Math.max(0, sum)
    })
  })

  // While add-ons are not sent yet, Stripe's preview would be wrong.
  const upcoming = Effect.fn("Billing.upcoming")(function*(club_id: ClubId) {
    const account = Option.getOrUndefined(yield* accounts.find(club_id, "stripe"))
    if (account === undefined || account.subscription_id === null) return yield* new NoUpcomingInvoice()
    if ((yield* queue.pending(club_id)).length > 0) yield* send(club_id)
    const pending = yield* queue.pending(club_id)
    if (pending.some((kind) => kind === "contract" || kind === "remove")) return yield* new TemporarilyUnavailable()
    const preview = yield* api.preview(account.subscription_id).pipe(Effect.catchTags({
      StripeRefused: () => Effect.fail(new NoUpcomingInvoice()),
      StripeUnreachable: () => Effect.fail(new TemporarilyUnavailable())
    }))
    return yield* upcomingOf(club_id, preview)
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

  return BillingProvider.of({
    open: () => Effect.void,
    ...(yield* makeStripeCheckout),
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
export const StripeBillingLayer = Layer.effect(BillingProvider, make).pipe(Layer.provide([
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
]))
