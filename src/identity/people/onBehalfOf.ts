import { Context } from "effect"
import { OnBehalfOf } from "../../platform/sql/Connections.ts"
import type { SessionClub } from "./Identity.ts"
import type { Session } from "./Session.ts"

/**
 * Adds on whose behalf statements run. Those of a club's members, keys and students share the club's part of the
 * connections; outside of clubs, each session has its own.
 */
export const onBehalfOf =
  (identity: { readonly club: SessionClub } | { readonly session: Session }) =>
  <R>(context: Context.Context<R>): Context.Context<R> =>
    Context.add(context, OnBehalfOf, "club" in identity ? identity.club.id : identity.session.id)
