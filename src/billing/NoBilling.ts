import { Effect, Layer } from "effect"
import { afterCursor, whole } from "../http/Page.ts"
import { Billing } from "./Billing.ts"
import { BillingCatalog } from "./BillingCatalog.ts"
import { addonOf, unmanaged } from "./Entitlements.ts"
import {
  AddonNotContracted,
  AddonNotFound,
  AddonUnavailable,
  BillingPortalUnavailable,
  NoUpcomingInvoice
} from "./Errors.ts"
import { Metering } from "./Metering.ts"

const make = Effect.map(BillingCatalog, (catalog) => {
  const hasNo = <Failure>(addon_key: string, failure: () => Failure) =>
    Effect.suspend(() => Effect.fail(addonOf(catalog, addon_key) === undefined ? new AddonNotFound() : failure()))
  return Billing.of({
    open: () => Effect.void,
    status: () => Effect.succeed(unmanaged),
    contract: (_, addon_key) => hasNo(addon_key, () => new AddonUnavailable()),
    remove: (_, addon_key) => hasNo(addon_key, () => new AddonNotContracted()),
    invoices: (_, { cursor }) => Effect.as(afterCursor(cursor), whole([])),
    upcoming: () => Effect.suspend(() => Effect.fail(new NoUpcomingInvoice())),
    portal: () => Effect.suspend(() => Effect.fail(new BillingPortalUnavailable()))
  })
})

/** No club has a plan, whatever the tables say, and nothing is asked of them. */
export const NoBillingLayer = Layer.merge(Layer.effect(Billing, make), Metering.unlimited)
