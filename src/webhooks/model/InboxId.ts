import { Option, Schema } from "effect"
import { brandedId } from "../../platform/schema/brandedId.ts"

/** UUIDv7. */
export const InboxId = brandedId("WebhookInboxId")
export type InboxId = typeof InboxId.Type

/** The start of the stored URL of an endpoint that delivers to an inbox. */
export const inboxScheme = "inbox:"

/** The stored URL of such an endpoint. No URL that a person sends has this form: the address rules demand https. */
export const inboxUrl = (id: InboxId): string => `${inboxScheme}${id}`

const decodeId = Schema.decodeUnknownOption(InboxId)

/** The inbox that a stored URL names. */
export const inboxIn = (url: string): Option.Option<InboxId> =>
  url.startsWith(inboxScheme) ? decodeId(url.slice(inboxScheme.length)) : Option.none()
