import { Context, type Effect, type Redacted } from "effect"
import type { ClubId, OrganizationId } from "../../../identity/ids/ClubId.ts"
import type { NotFound, TemporarilyUnavailable } from "../../../platform/http/errors.ts"
import type { InvalidCursor, PageAnswer, PageRequest } from "../../../platform/http/Page.ts"
import type { Invoice, UpcomingInvoice } from "../ledger/Invoice.ts"
import type { ClaimId, PlanOffer, UnconfirmedSubscription } from "./BillingCheckout.ts"
import type {
  AddonAlreadyContracted,
  AddonNotContracted,
  AddonNotFound,
  AddonNotRemovable,
  AddonUnavailable,
  BillingPortalUnavailable,
  NoUpcomingInvoice,
  PlanAlreadyContracted,
  PlanNotFound,
  SubscriptionEnded
} from "./BillingErrors.ts"
import type { BillingStatus } from "./BillingStatus.ts"

/** Plans, add-ons and invoices of clubs, as one provider keeps them. */
export class BillingProvider extends Context.Service<BillingProvider, {
  /**
   * Gives a new club the starting plan, if the catalog has one, in the transaction that creates the club.
   * `TemporarilyUnavailable`, here and for every change: the clock is doubtful, and a charge stays for good.
   */
  open(club_id: ClubId): Effect.Effect<void, TemporarilyUnavailable>
  status(club_id: ClubId): Effect.Effect<BillingStatus>
  /** Charges the rest of the period at once. Returns the status with the add-on. */
  contract(
    club_id: ClubId,
    addon_key: string
  ): Effect.Effect<BillingStatus, AddonAlreadyContracted | AddonNotFound | AddonUnavailable | TemporarilyUnavailable>
  /** The rest of the paid charge becomes credit on the next invoice (contract, Endpoints 3). */
  remove(
    club_id: ClubId,
    addon_key: string
  ): Effect.Effect<BillingStatus, AddonNotContracted | AddonNotFound | AddonNotRemovable | TemporarilyUnavailable>
  /** Newest first. */
  invoices(club_id: ClubId, page: PageRequest): Effect.Effect<PageAnswer<Invoice>, InvalidCursor>
  /** `TemporarilyUnavailable`: the provider is not reached, and without it the figures would be wrong. */
  upcoming(club_id: ClubId): Effect.Effect<UpcomingInvoice, NoUpcomingInvoice | TemporarilyUnavailable>
  /** An address where the club's administrators manage payment methods and plan. Anyone with the address can use it. */
  portal(club_id: ClubId): Effect.Effect<Redacted.Redacted, BillingPortalUnavailable>
  /** The plans that a club can buy by itself; empty without a payment provider. */
  readonly plans: ReadonlyArray<PlanOffer>
  /** An address where the club buys this plan. Anyone with the address can pay there. */
  checkout(
    club_id: ClubId,
    organization_id: OrganizationId,
    plan_key: string
  ): Effect.Effect<Redacted.Redacted, BillingPortalUnavailable | PlanAlreadyContracted | PlanNotFound>
  /** Subscriptions that were bought elsewhere and say that they are for the club. Newest first. */
  unconfirmed(club_id: ClubId, page: PageRequest): Effect.Effect<PageAnswer<UnconfirmedSubscription>, InvalidCursor>
  /** Makes such a subscription the club's plan. `TemporarilyUnavailable`: the provider is not reached. */
  confirm(
    club_id: ClubId,
    id: ClaimId
  ): Effect.Effect<BillingStatus, NotFound | PlanAlreadyContracted | SubscriptionEnded | TemporarilyUnavailable>
}>()("turma/commerce/billing/provider/BillingProvider") {}
