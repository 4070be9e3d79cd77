import { Effect } from "effect"
import type { ClubOpening } from "../../membership/clubs/ClubOpenings.ts"
import { provideShared } from "../../platform/provideShared.ts"
import { Gamifications } from "./Gamifications.ts"

/** A club starts with a ladder and rules, named in its language. */
export const gamificationOpening = Effect.map(
  Gamifications,
  ({ open }): ClubOpening => ({ id, locale }) => open(id, locale)
).pipe(provideShared(Gamifications.layer))
