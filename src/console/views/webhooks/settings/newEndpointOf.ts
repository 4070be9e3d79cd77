import { clubPage } from "../../../club/View.ts"

/** The query parameter of the page for a new endpoint that names an inbox. */
export const inboxParameter = "inbox"

/** The page for a new endpoint whose events are handed to this inbox. */
export const newEndpointOf = (club: { readonly organization_id: string }, inboxId: string): string =>
  `${clubPage(club, "webhooks", "new")}?${inboxParameter}=${encodeURIComponent(inboxId)}`
