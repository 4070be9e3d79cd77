import { Effect, Layer, Option } from "effect"
import { afterCursor, whole } from "../http/Page.ts"
import { toContract, toRemove } from "./AddonRules.ts"
import { Billing } from "./Billing.ts"
import { BillingCatalog } from "./BillingCatalog.ts"
import { unmanaged } from "./Entitlements.ts"
import { BillingPortalUnavailable, NoUpcomingInvoice } from "./Errors.ts"
import { Metering } from "./Metering.ts"

const make = Effect.map(BillingCatalog, (catalog) =>
  Billing.of({
    open: () => Effect.void,
    status: () => Effect.succeed(unmanaged),
    contract: (_, addon_key) => Effect.as(toContract(catalog, Option.none(), addon_key), unmanaged),
    remove: (_, addon_key) => Effect.as(toRemove(catalog, Option.none(), addon_key), unmanaged),
    invoices: (_, { cursor }) => Effect.as(afterCursor(cursor), whole([])),
    upcoming: () => Effect.suspend(() => Effect.fail(new NoUpcomingInvoice())),
    portal: () => Effect.suspend(() => Effect.fail(new BillingPortalUnavailable()))
  }))

/** No club has a plan, whatever the tables say, and nothing is asked of them. */
export const NoBillingLayer = Layer.merge(Layer.effect(Billing, make), Metering.unlimited)
