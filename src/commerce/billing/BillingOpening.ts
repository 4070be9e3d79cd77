import { Effect } from "effect"
import type { ClubOpening } from "../../membership/clubs/ClubOpenings.ts"
import { provideShared } from "../../platform/provideShared.ts"
import { Billing } from "./Billing.ts"

/** Gives a new club its starting plan, if the environment has plans. */
export const billingOpening = Effect.map(Billing, ({ open }): ClubOpening => ({ id }) => open(id))
  .pipe(provideShared(Billing.layer))
