import { Effect } from "effect"
import { CurrentMember } from "../../identity/people/Identity.ts"
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
      status: () => CurrentMember.use(({ club }) => Effect.map(billing.status(club.id), data)),
      contract: ({ payload }) =>
        CurrentMember.use(({ club }) => Effect.map(billing.contract(club.id, payload.key), data)),
      remove: ({ params }) => CurrentMember.use(({ club }) => billing.remove(club.id, params.addonKey)),
      invoices: ({ query }) => CurrentMember.use(({ club }) => billing.invoices(club.id, query)),
      upcoming: () => CurrentMember.use(({ club }) => Effect.map(billing.upcoming(club.id), data)),
      plans: () => Effect.succeed(whole(billing.plans)),
      checkout: ({ payload }) =>
        CurrentMember.use(({ club }) =>
          Effect.map(
            billing.checkout(club.id, club.organization_id, payload.plan),
            (url) => data(new BillingCheckout({ url }))
          )
        ),
      unconfirmed: ({ query }) => CurrentMember.use(({ club }) => billing.unconfirmed(club.id, query)),
      confirm: ({ params }) =>
        CurrentMember.use(({ club }) => Effect.map(billing.confirm(club.id, params.subscriptionId), data)),
      portal: () =>
        CurrentMember.use(({ club }) => Effect.map(billing.portal(club.id), (url) => data(new BillingPortal({ url }))))
    })
  })
)
