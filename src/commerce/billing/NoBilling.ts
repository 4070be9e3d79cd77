import { Effect, Layer, Option } from "effect"
import { afterCursor, whole } from "../../platform/http/Page.ts"
import { withoutCheckout } from "./provider/WithoutCheckout.ts"

import { Metering } from "./account/Metering.ts"
import { BillingCatalog } from "./catalog/BillingCatalog.ts"
import { checkContract, checkRemoval } from "./provider/AddonRules.ts"
import { BillingPortalUnavailable, NoUpcomingInvoice } from "./provider/BillingErrors.ts"
import { BillingProvider } from "./provider/BillingProvider.ts"
import { unmanaged } from "./provider/BillingStatus.ts"

const make = Effect.map(BillingCatalog, (catalog) =>
  BillingProvider.of({
    open: () => Effect.void,
    status: () => Effect.succeed(unmanaged),
    contract: (_, addon_key) => Effect.as(checkContract(catalog, Option.none(), addon_key), unmanaged),
    remove: (_, addon_key) => Effect.as(checkRemoval(catalog, Option.none(), addon_key), unmanaged),
    invoices: (_, { cursor }) => Effect.as(afterCursor(cursor), whole([])),
    upcoming: () => Effect.suspend(() => Effect.fail(new NoUpcomingInvoice())),
    portal: () => Effect.suspend(() => Effect.fail(new BillingPortalUnavailable())),
    ...withoutCheckout
  }))

/** Billing for environments in which clubs have no plan, whatever the tables contain. Does not query the database. */
export const NoBillingLayer = Layer.merge(Layer.effect(BillingProvider, make), Metering.unlimited)
