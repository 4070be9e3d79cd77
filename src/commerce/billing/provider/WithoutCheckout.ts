import { Effect } from "effect"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { NotFound } from "../../../platform/http/errors.ts"
import { afterCursor, type PageRequest, whole } from "../../../platform/http/Page.ts"
import { BillingPortalUnavailable } from "./BillingErrors.ts"

/** The answers about checkout for providers without plans to buy. */
export const withoutCheckout = {
  plans: [],
  checkout: () =>
    Effect.suspend(() =>
      Effect.fail(new BillingPortalUnavailable({ error: { message: "No plan can be bought here" } }))
    ),
  unconfirmed: (_: ClubId, { cursor }: PageRequest) => Effect.as(afterCursor(cursor), whole([])),
  confirm: () => Effect.suspend(() => Effect.fail(new NotFound()))
}
