import { Effect, Layer, Option } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { afterCursor, type PageRequest, whole } from "../../platform/http/Page.ts"
import { toContract, toRemove } from "./AddonRules.ts"
import { Billing } from "./Billing.ts"
import { BillingCatalog } from "./BillingCatalog.ts"
import { unmanaged } from "./Entitlements.ts"
import { BillingPortalUnavailable, NoUpcomingInvoice } from "./Errors.ts"
import { Metering } from "./Metering.ts"

/** What answers for plans where nobody sells them. */
export const withoutCheckout = {
  plans: [],
  checkout: () =>
    Effect.suspend(() =>
      Effect.fail(new BillingPortalUnavailable({ error: { message: "No plan can be bought here" } }))
    ),
  unconfirmed: (_: ClubId, { cursor }: PageRequest) => Effect.as(afterCursor(cursor), whole([])),
  confirm: () => Effect.suspend(() => Effect.fail(new NotFound()))
}

const make = Effect.map(BillingCatalog, (catalog) =>
  Billing.of({
    open: () => Effect.void,
    status: () => Effect.succeed(unmanaged),
    contract: (_, addon_key) => Effect.as(toContract(catalog, Option.none(), addon_key), unmanaged),
    remove: (_, addon_key) => Effect.as(toRemove(catalog, Option.none(), addon_key), unmanaged),
    invoices: (_, { cursor }) => Effect.as(afterCursor(cursor), whole([])),
    upcoming: () => Effect.suspend(() => Effect.fail(new NoUpcomingInvoice())),
    portal: () => Effect.suspend(() => Effect.fail(new BillingPortalUnavailable())),
    ...withoutCheckout
  }))

/** No club has a plan, whatever the tables say, and nothing is asked of them. */
export const NoBillingLayer = Layer.merge(Layer.effect(Billing, make), Metering.unlimited)
