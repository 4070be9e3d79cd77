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

/** An account that is locked, with what else its keeper knows of it. */
interface WithAccount {
  readonly account: Account
}

const contractedBy = ({ addons }: Account, addon_key: string) =>
  Option.fromUndefinedOr(addons.find((one) => one.addon_key === addon_key))

/** The add-on that a club is about to contract, or why it cannot. `held`: none without a plan. */
export const checkContract = Effect.fnUntraced(
  function*<Held extends WithAccount>(catalog: PlanCatalog, held: Option.Option<Held>, addon_key: string) {
    const addon = addonOf(catalog, addon_key)
    if (addon === undefined) return yield* new AddonNotFound()
    if (Option.isNone(held)) return yield* new AddonUnavailable()
    const { account } = held.value
    if (Option.isSome(contractedBy(account, addon_key))) return yield* new AddonAlreadyContracted()
    if (!isOffered(catalog, account.plan_key, addon_key)) return yield* new AddonUnavailable()
    return { addon, held: held.value }
  }
)

/**
 * The add-on that a club is about to remove, or why it cannot. What the catalog does not have any more can still be removed
 * by those who have it.
 */
export const checkRemoval = Effect.fnUntraced(
  function*<Held extends WithAccount>(catalog: PlanCatalog, held: Option.Option<Held>, addon_key: string) {
    const addon = addonOf(catalog, addon_key)
    const contracted = Option.flatMap(held, ({ account }) => contractedBy(account, addon_key))
    if (Option.isNone(held) || Option.isNone(contracted)) {
      return yield* addon === undefined ? new AddonNotFound() : new AddonNotContracted()
    }
    if (addon !== undefined && !addon.removable) return yield* new AddonNotRemovable()
    return { contracted: contracted.value, held: held.value }
  }
)
