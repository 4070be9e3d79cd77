import { Duration, Schema } from "effect"
import { ClubId } from "../../../identity/ids/ClubId.ts"
import { brandedId } from "../../../platform/schema/brandedId.ts"
import { InboxId } from "../../model/InboxId.ts"

/** UUIDv7. */
export const InboxRequestId = brandedId("WebhookInboxRequestId")
export type InboxRequestId = typeof InboxRequestId.Type

/** A sealed token opens only as that of this inbox. */
export const bindingOfToken = (id: InboxId): string => `webhook_inboxes:${id}:token`

/** A sealed part of a request opens only as that part. */
export const bindingOfRequest = (id: InboxRequestId, part: "body" | "head"): string =>
  `webhook_inbox_requests:${id}:${part}`

/** How long an inbox lives. */
export const inboxLife = Duration.hours(1)

/** The most inboxes of a club: the column `slot`. */
export const inboxLimit = 5

/** Number of newest requests kept of each. */
export const keptRequests = 100

/** The largest body that is kept, in bytes; more is 413. */
export const largestBody = 65_536

/** How an inbox is to answer. */
export const ConfiguredAnswer = Schema.Struct({
  status: Schema.Int,
  delay_ms: Schema.Int,
  retry_after_seconds: Schema.NullOr(Schema.Int)
})
export type ConfiguredAnswer = typeof ConfiguredAnswer.Type

/** A living inbox, for its senders. */
export const LivingInbox = Schema.Struct({
  club_id: ClubId,
  id: InboxId,
  erasures: Schema.Int,
  ...ConfiguredAnswer.fields
})
export type LivingInbox = typeof LivingInbox.Type
