import { Effect, Option } from "effect"
import type { ClubId, OrganizationId } from "../../../identity/ids/ClubId.ts"
import type { PageRequest } from "../../../platform/http/Page.ts"
import { PublicUrls } from "../../../platform/http/ServerSettings.ts"
import { AccountsRepo } from "../account/AccountsRepo.ts"
import { BillingCatalog } from "../catalog/BillingCatalog.ts"
import { PlanOffer, UnconfirmedSubscription } from "../provider/BillingCheckout.ts"
import { BillingPortalUnavailable, PlanAlreadyContracted, PlanNotFound } from "../provider/BillingErrors.ts"
import { StripeApi } from "./api/StripeApi.ts"
import { CheckoutsRepo } from "./mirror/CheckoutsRepo.ts"

/**
 * The part of `Billing` by which clubs buy plans at Stripe, and see the claims of subscriptions that were bought
 * elsewhere.
 */
export const makeStripeCheckout = Effect.gen(function*() {
  const { dashboard } = yield* PublicUrls
  const accounts = yield* AccountsRepo
  const api = yield* StripeApi
  const catalog = yield* BillingCatalog
  const checkouts = yield* CheckoutsRepo

  const checkoutUnavailable = (why: string) =>
    Effect.andThen(
      Effect.logWarning("Stripe gave no address of a checkout", { why }),
      Effect.fail(new BillingPortalUnavailable({ error: { message: "No plan can be bought at this moment" } }))
    )

  // The checkout is stored before Stripe is called, so that its subscription is known to be the club's.
  const checkout = Effect.fn("Billing.checkout")(function*(
    club_id: ClubId,
    organization_id: OrganizationId,
    plan_key: string
  ) {
    const price = catalog.plans.find(({ key }) => key === plan_key)?.stripe_price
    if (price === undefined) return yield* new PlanNotFound()
    if (Option.isSome(yield* accounts.find(club_id, "stripe"))) return yield* new PlanAlreadyContracted()
    const checkout_id = yield* checkouts.begin(club_id)
    const metadata = { organization_id, checkout_id }
    return yield* Effect.catch(
      api.checkout({ price, metadata, return_url: dashboard.href }),
      ({ _tag }) => checkoutUnavailable(_tag)
    )
  })

  const unconfirmed = Effect.fn("Billing.unconfirmed")((club_id: ClubId, page: PageRequest) =>
    Effect.map(checkouts.claims(club_id, page), ({ data, next_cursor }) => ({
      next_cursor,
      data: data.map(({ created_at, id, plan_key, subscription_id: external_id }) => {
        const name = catalog.plans.find(({ key }) => key === plan_key)?.name ?? plan_key
        return new UnconfirmedSubscription({ id, external_id, created_at, plan: { key: plan_key, name } })
      })
    }))
  )

  return {
    plans: catalog.plans.map(({ key, monthly_price_cents, name }) =>
      new PlanOffer({ key, name, monthly_price_cents, currency: catalog.currency })
    ),
    checkout,
    unconfirmed
  }
})
