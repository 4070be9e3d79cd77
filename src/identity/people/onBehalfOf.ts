import { Effect } from "effect"
import { OnBehalfOf } from "../../platform/sql/Connections.ts"
import type { SessionClub } from "./Identity.ts"
import type { Session } from "./Session.ts"

/**
 * Statements of a club's members and students share the club's part of the connections; outside of clubs, each session
 * has its own.
 */
export const onBehalfOf =
  (identity: { readonly session: Session; readonly club?: SessionClub }) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(work, OnBehalfOf, identity.club?.id ?? identity.session.id)
