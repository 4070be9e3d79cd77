import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../../../identity/ids/ClubId.ts"
import { ClockGuard } from "../../../../platform/jobs/ClockGuard.ts"
import { PooledRandomLayer } from "../../../../platform/sql/PooledRandom.ts"
import { faultsDie } from "../../../../platform/sql/Rows.ts"
import { periodAt } from "../../account/Period.ts"
import { BillingCatalog } from "../../catalog/BillingCatalog.ts"
import { StripeApi } from "../api/StripeApi.ts"
import { type StripeFailure, StripeUnreachable } from "../api/StripeFailure.ts"
import { type StripeInvoice, type StripeSubscription, wholeSecond } from "../api/StripeObjects.ts"
import { ChangesRepo } from "../queue/ChangesRepo.ts"
import { makeApplyInvoice } from "./ApplyInvoice.ts"
import { makeApplyItems } from "./ApplyItems.ts"
import { catalogItemOf } from "./CatalogItem.ts"
import { CheckoutsRepo } from "./CheckoutsRepo.ts"
import { type LockedAccount, type MirroredAccount, MirrorRepo } from "./MirrorRepo.ts"
import { Overages } from "./Overages.ts"
import { StripeInvoicesRepo } from "./StripeInvoicesRepo.ts"
import { StripeLedgerRepo } from "./StripeLedgerRepo.ts"

/** Statuses with which a club has its plan. A late payment keeps it until Stripe ends the subscription. */
const activeStatuses = new Set(["active", "past_due", "trialing"])

/** The most reads of a subscription whose account keeps changing during the read. */
const maxReadings = 20

/** The result for a subscription or an invoice. `unknown`: it belongs to no club that is known now. */
export type MirrorOutcome = "done" | "ignored" | "unknown"

/**
 * Copies Stripe's state into our tables. It reads the state afresh each time, so events may come late, twice or out of
 * order.
 */
export class Mirror extends Context.Service<Mirror, {
  /**
   * A subscription from a checkout that a club began belongs to that club. `organization_id` is the club that the buyer
   * named, if any: that is only a claim until an administrator of the club confirms it.
   */
  subscription(id: string, organization_id?: string | null): Effect.Effect<MirrorOutcome, StripeFailure>
  /** An administrator of the club confirms that the subscription is for it. `ignored`: it cannot be the club's plan. */
  confirmed(id: string, club_id: ClubId): Effect.Effect<MirrorOutcome, StripeFailure>
  /** Copies the invoice's subscription, then the invoice. */
  invoice(id: string): Effect.Effect<MirrorOutcome, StripeFailure>
}>()("turma/commerce/billing/stripe/mirror/Mirror") {
  static readonly layer = Layer.effect(
    Mirror,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const api = yield* StripeApi
      const catalog = yield* BillingCatalog
      const changes = yield* ChangesRepo
      const checkouts = yield* CheckoutsRepo
      const invoicesRepo = yield* StripeInvoicesRepo
      const overages = yield* Overages
      const repo = yield* MirrorRepo
      const guard = yield* ClockGuard

      // This time decides the overage of past periods, and a charge stays for good.
      const agreedSecond = Effect.mapBoth(guard.agreedNow, {
        onSuccess: wholeSecond,
        onFailure: () => new StripeUnreachable({ why: "our clock is doubtful", answered: false })
      })

      const applyInvoice = yield* makeApplyInvoice
      const applyItems = yield* makeApplyItems

      const planOf = ({ items }: StripeSubscription) =>
        items.data.map(({ price }) => catalogItemOf(catalog, price.id)).find((priced) => priced?.kind === "plan")?.key

      const accountOf = (subscription: StripeSubscription, plan_key: string, now: DateTime.Utc): MirroredAccount => ({
        plan_key,
        anchor: subscription.billing_cycle_anchor,
        invoiced_until: periodAt(subscription.billing_cycle_anchor, now).end,
        customer_id: subscription.customer
      })

      // With another plan or period, or at the end, the rules before it charge the use until now.
      const update = Effect.fnUntraced(function*(
        club_id: ClubId,
        account: LockedAccount,
        subscription: StripeSubscription,
        now: DateTime.Utc
      ) {
        const isActive = activeStatuses.has(subscription.status)
        const plan_key = planOf(subscription)
        const isSame = DateTime.Equivalence(subscription.billing_cycle_anchor, account.anchor)
        const isOther = !isActive || !isSame || (plan_key ?? account.plan_key) !== account.plan_key
        if (isOther && account.live) yield* overages.settle(club_id, now)
        if (!isActive) return yield* repo.end(club_id, subscription.ended_at ?? now)
        if (plan_key === undefined) yield* Effect.logWarning("A subscription has no plan of the catalog", { club_id })
        const mirrored = accountOf(subscription, plan_key ?? account.plan_key, now)
        const until = isSame ? Option.getOrUndefined(yield* repo.lock(club_id))?.invoiced_until : undefined
        yield* repo.keep(club_id, until === undefined ? mirrored : { ...mirrored, invoiced_until: until })
        yield* applyItems(club_id, subscription, now)
      })

      const adopt = Effect.fnUntraced(function*(club_id: ClubId, subscription: StripeSubscription, now: DateTime.Utc) {
        const plan_key = planOf(subscription)
        if (plan_key === undefined) {
          yield* Effect.logWarning("A subscription for a club has no plan of the catalog", { club_id })
          return Option.some<MirrorOutcome>("unknown")
        }
        if (!(yield* repo.adopt(club_id, subscription.id, accountOf(subscription, plan_key, now), now))) {
          return Option.none()
        }
        yield* repo.closeAll(club_id, now)
        yield* changes.moveOn(club_id)
        yield* applyItems(club_id, subscription, now)
        yield* checkouts.forget(subscription.id)
        return Option.some<MirrorOutcome>("done")
      })

      /** Stores the claim that the subscription is for the club. Its author need not be an administrator. */
      const noteClaim = Effect.fnUntraced(function*(club_id: ClubId, subscription: StripeSubscription) {
        const plan_key = planOf(subscription)
        if (plan_key === undefined) return "unknown"
        yield* checkouts.claim(club_id, subscription.id, plan_key)
        return "done"
      })

      interface Claimant {
        readonly club_id: ClubId
        /** True if the club's own checkout or administrator confirms the claim. */
        readonly isProven: boolean
      }

      type Reading = {
        readonly known: Option.Option<{ readonly club_id: ClubId; readonly version: number }>
        readonly subscription: StripeSubscription
        readonly invoices: ReadonlyArray<StripeInvoice>
      }

      /** Empty: the account has changed since the subscription was read. */
      const apply = Effect.fnUntraced(function*(
        { subscription, invoices, known }: Reading,
        claimant: Option.Option<Claimant>
      ) {
        const now = yield* agreedSecond
        const club_id = Option.getOrUndefined(Option.orElse(known, () => claimant))?.club_id
        if (club_id === undefined) return Option.some<MirrorOutcome>("unknown")
        const account = Option.getOrUndefined(yield* repo.lock(club_id))
        if (Option.isSome(known)) {
          if (account?.subscription_id !== subscription.id || account.version !== known.value.version) {
            return Option.none()
          }
          yield* update(club_id, account, subscription, now)
          return Option.some<MirrorOutcome>("done")
        }
        if (account?.subscription_id === subscription.id) return Option.none()
        if (!activeStatuses.has(subscription.status)) {
          yield* checkouts.forget(subscription.id)
          return Option.some<MirrorOutcome>("ignored")
        }
        if (account?.live === true) {
          yield* Effect.logWarning("A second subscription for a club is ignored", { club_id })
          return Option.some<MirrorOutcome>("ignored")
        }
        if (Option.exists(claimant, ({ isProven }) => !isProven)) {
          return Option.some<MirrorOutcome>(yield* noteClaim(club_id, subscription))
        }
        const outcome = yield* adopt(club_id, subscription, now)
        if (Option.contains(outcome, "done")) {
          yield* Effect.forEach(invoices, (invoice) => applyInvoice(club_id, invoice))
        }
        return outcome
      })

      /**
       * The club that a subscription is for. Only the id of a checkout that the club began proves it: payers cannot
       * write that.
       */
      const claimantOf = Effect.fnUntraced(function*(
        { metadata }: StripeSubscription,
        named: string | null | undefined
      ) {
        const ours = yield* checkouts.clubOf(metadata["organization_id"], metadata["checkout_id"])
        if (Option.isSome(ours)) return Option.some<Claimant>({ club_id: ours.value, isProven: true })
        const claimed = yield* repo.clubOf(named ?? metadata["organization_id"])
        return Option.map(claimed, (club_id): Claimant => ({ club_id, isProven: false }))
      })

      type Claiming = (subscription: StripeSubscription) => Effect.Effect<Option.Option<Claimant>>

      const read = Effect.fnUntraced(function*(id: string, claiming: Claiming) {
        const known = yield* repo.known(id)
        const subscription = Option.getOrUndefined(yield* api.subscription(id))
        if (subscription === undefined) return Option.some<MirrorOutcome>("ignored")
        const claimant = Option.isSome(known) ? Option.none<Claimant>() : yield* claiming(subscription)
        // Invoices from before the club was known have not been copied yet.
        const invoices = Option.exists(claimant, ({ isProven }) => isProven) ? yield* api.invoices(id) : []
        return yield* sql.withTransaction(apply({ known, subscription, invoices }, claimant)).pipe(faultsDie)
      })

      const readUntilUnchanged = Effect.fnUntraced(function*(id: string, claiming: Claiming) {
        for (let reading = 0; reading < maxReadings; reading++) {
          const outcome = yield* read(id, claiming)
          if (Option.isSome(outcome)) return outcome.value
        }
        return yield* new StripeUnreachable({ why: "it changes all the time", answered: false })
      })

      const subscription = Effect.fn("Mirror.subscription")((id: string, organization_id?: string | null) =>
        readUntilUnchanged(id, (subscription) => claimantOf(subscription, organization_id))
      )

      // Another club may have confirmed it first.
      const confirmed = Effect.fn("Mirror.confirmed")(function*(id: string, club_id: ClubId) {
        const outcome = yield* readUntilUnchanged(id, () => Effect.succeed(Option.some({ club_id, isProven: true })))
        const isTheirs = Option.exists(yield* repo.known(id), (known) => known.club_id === club_id)
        return isTheirs ? outcome : "ignored"
      })

      const invoice = Effect.fn("Mirror.invoice")(function*(id: string) {
        const found = yield* api.invoice(id)
        const subscription_id = Option.getOrUndefined(found)?.parent?.subscription_details?.subscription
        if (Option.isNone(found) || subscription_id === undefined) return "ignored"
        const outcome = yield* subscription(subscription_id)
        const known = Option.map(yield* repo.known(subscription_id), ({ club_id }) => club_id)
        // An invoice that was paid late may be for a former subscription of the club.
        const club_id = Option.getOrUndefined(Option.isSome(known) ? known : yield* invoicesRepo.clubOf(id))
        if (club_id === undefined) return outcome
        yield* sql.withTransaction(Effect.andThen(repo.lock(club_id), applyInvoice(club_id, found.value)))
          .pipe(faultsDie)
        return "done"
      })

      return Mirror.of({ confirmed, invoice, subscription })
    })
  ).pipe(Layer.provide([
    ChangesRepo.layer,
    CheckoutsRepo.layer,
    MirrorRepo.layer,
    Overages.layer,
    PooledRandomLayer,
    StripeInvoicesRepo.layer,
    StripeLedgerRepo.layer
  ]))
}
