import { Effect } from "effect"
import type { ClubOpening } from "../../membership/clubs/ClubOpenings.ts"
import { provideShared } from "../../platform/provideShared.ts"
import { Billing } from "./Billing.ts"

/** A club starts with a plan, where clubs have any. */
export const billingOpening = Effect.map(Billing, ({ open }): ClubOpening => ({ id }) => open(id)).pipe(
  provideShared(Billing.layer)
)
