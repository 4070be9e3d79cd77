import { Effect } from "effect"
import { asMember } from "../../identity/people/asMember.ts"
import { versioned } from "../../platform/http/Contract.ts"
import { data, whole } from "../../platform/http/Page.ts"
import { group } from "../../platform/http/server/group.ts"
import { BillingApi, BillingPortal } from "./Api.ts"
import { Billing } from "./Billing.ts"
import { BillingCheckout } from "./provider/BillingCheckout.ts"

/** Answers the routes of `BillingApi`. */
export const BillingHttp = group(
  versioned(BillingApi),
  "billing",
  Effect.fn(function*(handlers) {
    const billing = yield* Billing
    return handlers.handleAll({
      status: asMember((_, { club }) => Effect.map(billing.status(club.id), data)),
      contract: asMember(({ payload }, { club }) => Effect.map(billing.contract(club.id, payload.key), data)),
      remove: asMember(({ params }, { club }) => billing.remove(club.id, params.addonKey)),
      invoices: asMember(({ query }, { club }) => billing.invoices(club.id, query)),
      upcoming: asMember((_, { club }) => Effect.map(billing.upcoming(club.id), data)),
      plans: () => Effect.succeed(whole(billing.plans)),
      checkout: asMember(({ payload }, { club }) =>
        Effect.map(
          billing.checkout(club.id, club.organization_id, payload.plan),
          (url) => data(new BillingCheckout({ url }))
        )
      ),
      unconfirmed: asMember(({ query }, { club }) => billing.unconfirmed(club.id, query)),
      confirm: asMember(({ params }, { club }) => Effect.map(billing.confirm(club.id, params.subscriptionId), data)),
      portal: asMember((_, { club }) => Effect.map(billing.portal(club.id), (url) => data(new BillingPortal({ url }))))
    })
  })
)
