import { Effect } from "effect"
import type { ClubOpening } from "../../membership/clubs/ClubOpenings.ts"
import { provideShared } from "../../platform/provideShared.ts"
import { Communities } from "./Communities.ts"

/** A club starts with an unpublished community of its name. */
export const communityOpening = Effect.map(
  Communities,
  ({ open }): ClubOpening => ({ id, locale, name }) => open(id, { name, locale })
).pipe(provideShared(Communities.layer))
