import { Context, type Effect, type Redacted } from "effect"
import type { ClubId } from "../clubs/Club.ts"
import type { TemporarilyUnavailable } from "../http/errors.ts"
import type { InvalidCursor, PageAnswer, PageRequest } from "../http/Page.ts"
import type {
  AddonAlreadyContracted,
  AddonNotContracted,
  AddonNotFound,
  AddonNotRemovable,
  AddonUnavailable,
  BillingPortalUnavailable,
  NoUpcomingInvoice
} from "./Errors.ts"
import type { Invoice, UpcomingInvoice } from "./Invoice.ts"
import type { BillingStatus } from "./Status.ts"

/** What clubs have, owe and get back. Which provider keeps it is the layer's (`BILLING_PROVIDER`). */
export class Billing extends Context.Service<Billing, {
  /** Gives a new club the plan that clubs start on, where there is one; in the transaction that founds it. */
  open(club_id: ClubId): Effect.Effect<void>
  status(club_id: ClubId): Effect.Effect<BillingStatus>
  /** Charges the rest of the period at once. Answers the status with the add-on. */
  contract(
    club_id: ClubId,
    addon_key: string
  ): Effect.Effect<BillingStatus, AddonAlreadyContracted | AddonNotFound | AddonUnavailable>
  /** What was paid for the rest of the period is credit on the next invoice (contract, Endpoints 3). */
  remove(
    club_id: ClubId,
    addon_key: string
  ): Effect.Effect<BillingStatus, AddonNotContracted | AddonNotFound | AddonNotRemovable>
  /** Newest first. */
  invoices(club_id: ClubId, page: PageRequest): Effect.Effect<PageAnswer<Invoice>, InvalidCursor>
  /** `TemporarilyUnavailable`: the provider is not reached, and without it the figures would be wrong. */
  upcoming(club_id: ClubId): Effect.Effect<UpcomingInvoice, NoUpcomingInvoice | TemporarilyUnavailable>
  /** An address where the club's administrators see to payment methods and plan. Who has it can use it. */
  portal(club_id: ClubId): Effect.Effect<Redacted.Redacted, BillingPortalUnavailable>
}>()("turma/billing/Billing") {}
