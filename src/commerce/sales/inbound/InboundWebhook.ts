import { Effect, Schema } from "effect"
import { ApiError } from "../../../platform/http/ApiError.ts"
import { text } from "../../../platform/http/Text.ts"
import { PlatformKey } from "../platform/Platform.ts"

/** UUIDv7. */
export const InboundWebhookId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("InboundWebhookId"))
export type InboundWebhookId = typeof InboundWebhookId.Type

/** Binds a sealed secret to its address. */
export const bindingOfSecret = (id: InboundWebhookId): string => `inbound_webhooks:${id}:secret`

/** Binds a sealed token to its address. */
export const bindingOfToken = (id: InboundWebhookId): string => `inbound_webhooks:${id}:token`

const Instant = Schema.DateTimeUtcFromDate

/**
 * Where a sales platform writes to (http-surface, Inbound sales platforms). Whoever knows `url` may write, provided that
 * the platform's `secret` signs it; `token_only` accepts what comes while there is no secret.
 */
export const InboundWebhook = Schema.Struct({
  id: InboundWebhookId,
  platform: PlatformKey,
  name: Schema.String,
  url: Schema.RedactedFromValue(Schema.String),
  secret_set: Schema.Boolean,
  token_only: Schema.Boolean,
  enabled: Schema.Boolean,
  last_event_at: Schema.NullOr(Instant),
  created_at: Instant,
  updated_at: Instant
}).annotate({ identifier: "InboundWebhook" })
export type InboundWebhook = typeof InboundWebhook.Type

const Name = text(1, 120)
const Secret = Schema.RedactedFromValue(text(1, 500))

/** Named as the platform unless a name is given. */
export const CreateInboundWebhook = Schema.Struct({
  platform: PlatformKey,
  name: Schema.optionalKey(Name),
  secret: Schema.optionalKey(Secret),
  token_only: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(false)))
})

/** Absent is unchanged. Without a secret, requests are accepted only with `token_only`. */
export const PatchInboundWebhook = Schema.Struct({
  name: Schema.optionalKey(Name),
  secret: Schema.optionalKey(Schema.NullOr(Secret)),
  enabled: Schema.optionalKey(Schema.Boolean),
  token_only: Schema.optionalKey(Schema.Boolean)
})

/** A supported platform, and what an administrator sets up there. */
export const SalesPlatform = Schema.Struct({
  key: PlatformKey,
  name: Schema.String,
  signature: Schema.String,
  setup_steps: Schema.Array(Schema.String),
  events: Schema.Array(Schema.String)
}).annotate({ identifier: "SalesPlatform" })

/** How many of these addresses a club has at most. */
export const inboundWebhookLimit = 50

/** The club has as many as it may. Deleted ones do not count. */
export class InboundWebhookLimitReached extends ApiError<InboundWebhookLimitReached>()("InboundWebhookLimitReached", {
  status: 409,
  code: "inbound_webhook_limit_reached",
  message: `A club has at most ${inboundWebhookLimit} inbound webhooks: delete one first`
}) {}

/** The secret has not the form of the platform's secrets. */
export class SecretInvalid extends ApiError<SecretInvalid>()("SecretInvalid", {
  status: 422,
  code: "secret_invalid",
  message: "secret must be one that this platform makes"
}) {}
