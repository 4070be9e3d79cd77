import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  administration,
  AllowedRoles,
  ClubMember,
  ClubMemberInPerson,
  clubPath
} from "../../identity/authentication/Authentication.ts"
import { ClubWrites } from "../../identity/limits/RateLimit.ts"
import { KeyFeature } from "../../identity/people/Scope.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import { NotFound, TemporarilyUnavailable } from "../../platform/http/errors.ts"
import { field } from "../../platform/http/Field.ts"
import { NoStore } from "../../platform/http/NoStore.ts"
import { Data, InvalidCursor, Page, PageQuery, WholeList } from "../../platform/http/Page.ts"
import { Idempotent } from "../../platform/idempotency/Idempotency.ts"
import { CatalogKey } from "./catalog/PlanCatalog.ts"
import { Invoice, UpcomingInvoice } from "./ledger/Invoice.ts"
import {
  BeginCheckout,
  BillingCheckout,
  ClaimId,
  PlanOffer,
  UnconfirmedSubscription,
  Url
} from "./provider/BillingCheckout.ts"
import {
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
} from "./provider/BillingErrors.ts"
import { BillingStatus } from "./provider/BillingStatus.ts"

const ContractAddon = Schema.Struct({
  key: CatalogKey.pipe(field(
    "The key of one of the `available_addons`; see `unavailable_reason` for whether the plan allows it",
    "assistant_pack"
  ))
}).annotate({ identifier: "ContractAddon", description: "What is contracted" })

export class BillingPortal extends Schema.Class<BillingPortal>("BillingPortal")(Schema.Struct({
  url: Schema.RedactedFromValue(Url).pipe(field(
    "The page, for a short while. Anyone with the address can use it",
    "https://billing.stripe.com/p/session/test_a1B2c3"
  ))
}).annotate({ identifier: "BillingPortal", description: "Where the payment provider's portal is" })) {}

/** A club's plan, add-ons, usage and invoices (contract, Billing status and Endpoints 3). */
export class BillingApi extends HttpApiGroup.make("billing")
  .add(
    HttpApiEndpoint.post("contract", "/billing/addons", {
      params: clubPath,
      payload: ContractAddon,
      success: Data(BillingStatus).pipe(HttpApiSchema.status(201)),
      error: [AddonAlreadyContracted, AddonNotFound, AddonUnavailable, TemporarilyUnavailable]
    }).annotateMerge(described(
      "Contract an add-on",
      "The add-on is active at once. The rest of the period is charged at once, to the cent; from then on it is invoiced each month with the plan. 409 where the club has it, has no plan, has a plan that does not allow it, or the payment was refused"
    )).middleware(Idempotent),
    // The contract shows the status itself here, in no `data`.
    HttpApiEndpoint.delete("remove", "/billing/addons/:addonKey", {
      // Any text: an unknown key gets an answer of its own.
      params: { ...clubPath, addonKey: Schema.String.pipe(field("The key of the add-on", "assistant_pack")) },
      success: BillingStatus,
      error: [AddonNotContracted, AddonNotFound, AddonNotRemovable, TemporarilyUnavailable]
    }).annotateMerge(described(
      "Remove an add-on",
      "It ends at once. The next invoice credits, to the cent, the payment for the rest of the period. This answer is the status itself, without `data`"
    )),
    HttpApiEndpoint.get("invoices", "/billing/invoices", {
      params: clubPath,
      query: PageQuery,
      success: Page(Invoice),
      error: InvalidCursor
    }).annotateMerge(described(
      "List the invoices, newest first",
      "Issued invoices, with their lines; empty for a club that never had a plan"
    )),
    HttpApiEndpoint.get("upcoming", "/billing/invoices/upcoming", {
      params: clubPath,
      success: Data(UpcomingInvoice),
      error: [NoUpcomingInvoice, TemporarilyUnavailable]
    }).annotateMerge(described(
      "Read what the next invoice will say",
      "As things are now, with overage so far. Credit is a line below zero; what is more than the other lines is carried to the invoice after it"
    )),
    HttpApiEndpoint.post("checkout", "/billing/checkout", {
      params: clubPath,
      payload: BeginCheckout,
      success: Data(BillingCheckout),
      error: [BillingPortalUnavailable, PlanAlreadyContracted, PlanNotFound]
    }).annotateMerge(described(
      "Get an address at which the club buys a plan",
      "The provider's, for a day. Nothing is charged before somebody pays there. The club has the plan once it is paid. 501 if no plan can be bought"
    )).middleware(NoStore),
    HttpApiEndpoint.get("unconfirmed", "/billing/subscriptions", {
      params: clubPath,
      query: PageQuery,
      success: Page(UnconfirmedSubscription),
      error: InvalidCursor
    }).annotateMerge(described(
      "List the subscriptions that nobody has confirmed",
      "Newest first. Bought elsewhere than by the club's own checkout, by somebody who says that they are for this club"
    )),
    HttpApiEndpoint.post("confirm", "/billing/subscriptions/:subscriptionId/confirm", {
      params: { ...clubPath, subscriptionId: ClaimId.pipe(field("The `id` of an unconfirmed subscription")) },
      success: Data(BillingStatus),
      error: [NotFound, PlanAlreadyContracted, SubscriptionEnded, TemporarilyUnavailable]
    }).annotateMerge(described(
      "Make a subscription that was bought elsewhere the club's plan",
      "From then on it is the club's plan, and its add-ons and invoices are the club's. It cannot be undone here. 409 where the club has a plan, or the subscription has ended"
    ))
  )
  .annotateEndpoints(AllowedRoles, administration)
  .add(
    HttpApiEndpoint.get("status", "/billing", { params: clubPath, success: Data(BillingStatus) })
      .annotateMerge(described(
        "Read plan, add-ons and usage",
        "As they are at this moment. A club of an environment without billing is not `managed`, and nothing is limited for it"
      )),
    HttpApiEndpoint.get("plans", "/billing/plans", { params: clubPath, success: WholeList(PlanOffer) })
      .annotateMerge(described(
        "List the plans that the club can buy",
        "All of them on one page; empty if no plan can be bought"
      ))
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .add(HttpApiEndpoint.post("portal", "/billing/portal", {
    params: clubPath,
    success: Data(BillingPortal),
    error: BillingPortalUnavailable
  }).annotateMerge(described(
    "Get an address of the payment provider's portal",
    "For one visit, so ask anew each time. There, administrators see to payment methods and the plan. Answers 501 where portal_available is false"
  )).middleware(NoStore).annotate(AllowedRoles, administration).middleware(ClubWrites)
    .middleware(ClubMemberInPerson))
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "billing")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Billing")
  .annotate(OpenApi.Description, "A club's plan, use, limits and invoices")
{}
