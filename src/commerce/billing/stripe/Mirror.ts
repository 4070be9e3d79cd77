import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { ClockGuard } from "../../../platform/jobs/ClockGuard.ts"
import { PooledRandomLayer } from "../../../platform/sql/PooledRandom.ts"
import { ContractedAddonId } from "../Account.ts"
import { BillingCatalog } from "../BillingCatalog.ts"
import { periodAt } from "../Period.ts"
import { ChangesRepo } from "./ChangesRepo.ts"
import { CheckoutsRepo } from "./CheckoutsRepo.ts"
import { give, giveBack } from "./Credit.ts"
import { mirrored, pricedBy, statusOf } from "./InvoiceLines.ts"
import { itemChanges } from "./ItemChanges.ts"
import { type Held, type Kept, MirrorRepo } from "./MirrorRepo.ts"
import { Overages } from "./Overages.ts"
import { StripeApi } from "./StripeApi.ts"
import { type StripeFailure, StripeUnreachable } from "./StripeFailure.ts"
import { StripeInvoicesRepo } from "./StripeInvoicesRepo.ts"
import { StripeLedgerRepo } from "./StripeLedgerRepo.ts"
import { type Invoice, type Subscription, wholeSecond } from "./StripeObjects.ts"

/** With these a club has its plan: while a payment is late, too, until Stripe gives it up. */
const living = new Set(["active", "past_due", "trialing"])

/** So many times a subscription is read again because something was changed while it was read. */
const mostReadings = 20

/** What has become of something that Stripe told. `unknown`: it belongs to no club, as far as is known now. */
export type Mirrored = "done" | "ignored" | "unknown"

/** Brings what Stripe says into our tables: read afresh each time, so that it may be told late, twice or out of order. */
export class Mirror extends Context.Service<Mirror, {
  /**
   * A subscription that comes of a checkout which a club began is that club's. `organization_id` is the club that it is said
   * to be for, if anybody says so: that is no more than a claim, until an administrator of that club confirms it.
   */
  subscription(id: string, organization_id?: string | null): Effect.Effect<Mirrored, StripeFailure>
  /** An administrator of the club confirms that the subscription is for it. `ignored`: it cannot be the club's plan. */
  confirmed(id: string, club_id: ClubId): Effect.Effect<Mirrored, StripeFailure>
  /** With the subscription that it is for. */
  invoice(id: string): Effect.Effect<Mirrored, StripeFailure>
}>()("turma/billing/stripe/Mirror") {
  static readonly layerNoDeps = Layer.effect(
    Mirror,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const api = yield* StripeApi
      const catalog = yield* BillingCatalog
      const changes = yield* ChangesRepo
      const checkouts = yield* CheckoutsRepo
      const invoices = yield* StripeInvoicesRepo
      const ledger = yield* StripeLedgerRepo
      const overages = yield* Overages
      const repo = yield* MirrorRepo
      const guard = yield* ClockGuard

      // Periods that are over are charged by it, and that is not taken back.
      const second = Effect.mapBoth(guard.agreedNow, {
        onSuccess: wholeSecond,
        onFailure: () => new StripeUnreachable({ why: "our clock is doubtful", answered: false })
      })

      const planOf = ({ items }: Subscription) =>
        items.data.map(({ price }) => pricedBy(catalog, price.id)).find((priced) => priced?.kind === "plan")?.key

      const applyInvoice = Effect.fnUntraced(function*(club_id: ClubId, invoice: Invoice) {
        const status = statusOf(invoice)
        if (status === undefined) return
        const lines = invoice.lines.data
        const told = yield* ledger.told(
          club_id,
          lines.flatMap(({ metadata }) => metadata["entry_id"] ?? []),
          lines.flatMap(({ parent }) => parent?.invoice_item_details?.invoice_item ?? [])
        )
        const head = {
          external_id: invoice.id,
          status,
          currency: invoice.currency.toUpperCase(),
          issued_at: invoice.status_transitions.finalized_at ?? invoice.created
        }
        const { id: invoice_id, was } = yield* invoices.mirror(club_id, head, mirrored(catalog, invoice, told))
        if (status === "paid") {
          yield* giveBack({ changes, ledger }, club_id, yield* ledger.creditable(club_id, { invoice_id }))
        }
        // What was used up by an invoice that does not count is given once more.
        if (status === "void" && was !== "void") {
          yield* give({ changes, ledger }, club_id, yield* ledger.given(club_id, invoice_id))
        }
      })

      const applyItems = Effect.fnUntraced(function*(club_id: ClubId, { items }: Subscription, now: DateTime.Utc) {
        const known = yield* repo.addons(
          club_id,
          items.data.map(({ id }) => id),
          items.data.flatMap(({ metadata }) => metadata["addon_id"] ?? [])
        )
        const { close, link, open, remove } = itemChanges(catalog, items.data, known)
        yield* repo.close(club_id, close, now)
        yield* repo.link(club_id, link)
        for (const addon of open) {
          const id = ContractedAddonId.make(yield* Effect.orDie(random.uuidV7()))
          yield* repo.open(club_id, id, addon, now)
        }
        yield* Effect.forEach(remove, (addon_id) => changes.add(club_id, "remove", { addon_id }))
      })

      const keptOf = (subscription: Subscription, plan_key: string, now: DateTime.Utc): Kept => ({
        plan_key,
        anchor: subscription.billing_cycle_anchor,
        invoiced_until: periodAt(subscription.billing_cycle_anchor, now).end,
        customer_id: subscription.customer
      })

      // What was used until now was used by other rules: of a plan that is over, or in a period that Stripe counts anew.
      const keep = Effect.fnUntraced(function*(club_id: ClubId, held: Held, found: Subscription, now: DateTime.Utc) {
        const isLiving = living.has(found.status)
        const plan_key = planOf(found)
        const isSame = DateTime.Equivalence(found.billing_cycle_anchor, held.anchor)
        const isOther = !isLiving || !isSame || (plan_key ?? held.plan_key) !== held.plan_key
        if (isOther && held.live) yield* overages.settle(club_id, now)
        if (!isLiving) return yield* repo.end(club_id, found.ended_at ?? now)
        if (plan_key === undefined) yield* Effect.logWarning("A subscription has no plan of the catalog", { club_id })
        const kept = keptOf(found, plan_key ?? held.plan_key, now)
        const until = isSame ? Option.getOrUndefined(yield* repo.hold(club_id))?.invoiced_until : undefined
        yield* repo.keep(club_id, until === undefined ? kept : { ...kept, invoiced_until: until })
        yield* applyItems(club_id, found, now)
      })

      const adopt = Effect.fnUntraced(function*(club_id: ClubId, found: Subscription, now: DateTime.Utc) {
        const plan_key = planOf(found)
        if (plan_key === undefined) {
          yield* Effect.logWarning("A subscription for a club has no plan of the catalog", { club_id })
          return Option.some<Mirrored>("unknown")
        }
        if (!(yield* repo.adopt(club_id, found.id, keptOf(found, plan_key, now), now))) return Option.none()
        yield* repo.closeAll(club_id, now)
        yield* changes.moveOn(club_id)
        yield* applyItems(club_id, found, now)
        yield* checkouts.forget(found.id)
        return Option.some<Mirrored>("done")
      })

      /** Somebody says that it is for the club, who need not be one of its administrators. */
      const noteClaim = Effect.fnUntraced(function*(club_id: ClubId, found: Subscription) {
        const plan_key = planOf(found)
        if (plan_key === undefined) return "unknown"
        yield* checkouts.claim(club_id, found.id, plan_key)
        return "done"
      })

      interface Claimant {
        readonly club_id: ClubId
        /** Whether the club itself says so. */
        readonly certain: boolean
      }

      type Reading = {
        readonly known: Option.Option<{ readonly club_id: ClubId; readonly version: number }>
        readonly found: Subscription
        readonly invoiced: ReadonlyArray<Invoice>
      }

      /** None: the account has changed since the subscription was read. */
      const apply = Effect.fnUntraced(
        function*({ found, invoiced, known }: Reading, claimant: Option.Option<Claimant>) {
          const now = yield* second
          const club_id = Option.getOrUndefined(Option.orElse(known, () => claimant))?.club_id
          if (club_id === undefined) return Option.some<Mirrored>("unknown")
          const held = Option.getOrUndefined(yield* repo.hold(club_id))
          if (Option.isSome(known)) {
            if (held?.subscription_id !== found.id || held.version !== known.value.version) return Option.none()
            yield* keep(club_id, held, found, now)
            return Option.some<Mirrored>("done")
          }
          if (held?.subscription_id === found.id) return Option.none()
          if (!living.has(found.status)) {
            yield* checkouts.forget(found.id)
            return Option.some<Mirrored>("ignored")
          }
          if (held?.live === true) {
            yield* Effect.logWarning("A second subscription for a club is left alone", { club_id })
            return Option.some<Mirrored>("ignored")
          }
          if (Option.exists(claimant, ({ certain }) => !certain)) {
            return Option.some<Mirrored>(yield* noteClaim(club_id, found))
          }
          const adopted = yield* adopt(club_id, found, now)
          const isTheirs = Option.contains(adopted, "done")
          if (isTheirs) yield* Effect.forEach(invoiced, (invoice) => applyInvoice(club_id, invoice))
          return adopted
        }
      )

      /** What a payer writes is no proof; what our checkouts write no payer can. */
      const claimantOf = Effect.fnUntraced(function*(
        { metadata }: Subscription,
        named: string | null | undefined
      ) {
        const ours = yield* checkouts.clubOf(metadata["organization_id"], metadata["checkout_id"])
        if (Option.isSome(ours)) return Option.some<Claimant>({ club_id: ours.value, certain: true })
        const said = yield* repo.clubOf(named ?? metadata["organization_id"])
        return Option.map(said, (club_id): Claimant => ({ club_id, certain: false }))
      })

      type Claiming = (found: Subscription) => Effect.Effect<Option.Option<Claimant>>

      const read = Effect.fnUntraced(function*(id: string, claiming: Claiming) {
        const known = yield* repo.known(id)
        const found = Option.getOrUndefined(yield* api.subscription(id))
        if (found === undefined) return Option.some<Mirrored>("ignored")
        const claimant = Option.isSome(known) ? Option.none<Claimant>() : yield* claiming(found)
        // What was invoiced before a club is known for its subscription was told to nobody.
        const invoiced = Option.exists(claimant, ({ certain }) => certain) ? yield* api.invoices(id) : []
        return yield* sql.withTransaction(apply({ known, found, invoiced }, claimant)).pipe(
          Effect.catchTag("SqlError", Effect.die)
        )
      })

      const readUntilStill = Effect.fnUntraced(function*(id: string, claiming: Claiming) {
        for (let reading = 0; reading < mostReadings; reading++) {
          const outcome = yield* read(id, claiming)
          if (Option.isSome(outcome)) return outcome.value
        }
        return yield* new StripeUnreachable({ why: "it changes all the time", answered: false })
      })

      const subscription = Effect.fn("Mirror.subscription")((id: string, organization_id?: string | null) =>
        readUntilStill(id, (found) => claimantOf(found, organization_id))
      )

      // Another club may have been faster.
      const confirmed = Effect.fn("Mirror.confirmed")(function*(id: string, club_id: ClubId) {
        const outcome = yield* readUntilStill(id, () => Effect.succeed(Option.some({ club_id, certain: true })))
        const isTheirs = Option.exists(yield* repo.known(id), (known) => known.club_id === club_id)
        return isTheirs ? outcome : "ignored"
      })

      const invoice = Effect.fn("Mirror.invoice")(function*(id: string) {
        const found = yield* api.invoice(id)
        const subscription_id = Option.getOrUndefined(found)?.parent?.subscription_details?.subscription
        if (Option.isNone(found) || subscription_id === undefined) return "ignored"
        const outcome = yield* subscription(subscription_id)
        const known = Option.map(yield* repo.known(subscription_id), ({ club_id }) => club_id)
        // One that was paid late may be for a subscription that the club has no more.
        const club_id = Option.getOrUndefined(Option.isSome(known) ? known : yield* invoices.clubOf(id))
        if (club_id === undefined) return outcome
        yield* sql.withTransaction(Effect.andThen(repo.hold(club_id), applyInvoice(club_id, found.value))).pipe(
          Effect.catchTag("SqlError", Effect.die)
        )
        return "done"
      })

      return Mirror.of({ confirmed, invoice, subscription })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([
      ChangesRepo.layer,
      CheckoutsRepo.layer,
      MirrorRepo.layer,
      Overages.layer,
      PooledRandomLayer,
      StripeInvoicesRepo.layer,
      StripeLedgerRepo.layer
    ])
  )
}
