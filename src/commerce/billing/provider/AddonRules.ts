import { Effect, Option } from "effect"
import type { Account } from "../account/Account.ts"
import { addonOf, isOffered } from "../catalog/Entitlement.ts"
import type { PlanCatalog } from "../catalog/PlanCatalog.ts"
import {
  AddonAlreadyContracted,
  AddonNotContracted,
  AddonNotFound,
  AddonNotRemovable,
  AddonUnavailable
} from "./BillingErrors.ts"

/** A locked account, with whatever else the provider knows of it. */
interface WithAccount {
  readonly account: Account
}

const contractedBy = ({ addons }: Account, addon_key: string) =>
  Option.fromUndefinedOr(addons.find((one) => one.addon_key === addon_key))

/** The add-on that a club is about to contract, or the reason against it. `locked`: empty without a plan. */
export const checkContract = Effect.fnUntraced(function*<Locked extends WithAccount>(
  catalog: PlanCatalog,
  locked: Option.Option<Locked>,
  addon_key: string
) {
  const addon = addonOf(catalog, addon_key)
  if (addon === undefined) return yield* new AddonNotFound()
  if (Option.isNone(locked)) return yield* new AddonUnavailable()
  const { account } = locked.value
  if (Option.isSome(contractedBy(account, addon_key))) return yield* new AddonAlreadyContracted()
  if (!isOffered(catalog, account.plan_key, addon_key)) return yield* new AddonUnavailable()
  return { addon, locked: locked.value }
})

/**
 * The add-on that a club is about to remove, or why it cannot. An add-on that has left the catalog can still be removed.
 */
export const checkRemoval = Effect.fnUntraced(function*<Locked extends WithAccount>(
  catalog: PlanCatalog,
  locked: Option.Option<Locked>,
  addon_key: string
) {
  const addon = addonOf(catalog, addon_key)
  const contracted = Option.flatMap(locked, ({ account }) => contractedBy(account, addon_key))
  if (Option.isNone(locked) || Option.isNone(contracted)) {
    return yield* addon === undefined ? new AddonNotFound() : new AddonNotContracted()
  }
  if (addon !== undefined && !addon.removable) return yield* new AddonNotRemovable()
  return { contracted: contracted.value, locked: locked.value }
})
