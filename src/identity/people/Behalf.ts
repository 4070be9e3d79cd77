import { Effect } from "effect"
import { OnBehalfOf } from "../../platform/sql/Connections.ts"
import type { SessionClub } from "./Identity.ts"
import type { Session } from "./Session.ts"

/** Everything that a club's members and students ask for counts as the club's; outside of clubs, each session is alone. */
export const onBehalf =
  (identity: { readonly session: Session; readonly club?: SessionClub }) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(work, OnBehalfOf, identity.club?.id ?? identity.session.id)
