import type { SessionClub } from "./Identity.ts"
import type { Session } from "./Session.ts"

/**
 * For `OnBehalfOf`: statements of a club's members and students share the club's part of the connections; outside of clubs,
 * each session has its own.
 */
export const onBehalfOf = (identity: { readonly session: Session; readonly club?: SessionClub }): string =>
  identity.club?.id ?? identity.session.id
