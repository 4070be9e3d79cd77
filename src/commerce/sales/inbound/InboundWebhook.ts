import { Schema } from "effect"
import { ApiError } from "../../../platform/http/ApiError.ts"
import { field } from "../../../platform/http/Field.ts"
import { anyText, text } from "../../../platform/http/Text.ts"
import { brandedId } from "../../../platform/schema/brandedId.ts"
import { Instant } from "../../../platform/schema/Instant.ts"
import { InstantOrNull } from "../../../platform/schema/Instant.ts"
import { PlatformKey } from "../platform/Platform.ts"

/** UUIDv7. */
export const InboundWebhookId = brandedId("InboundWebhookId")
export type InboundWebhookId = typeof InboundWebhookId.Type

/** Binds a sealed secret to its address. */
export const bindingOfSecret = (id: InboundWebhookId): string => `inbound_webhooks:${id}:secret`

/** Binds a sealed token to its address. */
export const bindingOfToken = (id: InboundWebhookId): string => `inbound_webhooks:${id}:token`

/** The address for a sales platform (http-surface, Inbound sales platforms). */
export const InboundWebhook = Schema.Struct({
  id: InboundWebhookId.pipe(field("Names the address. Later ones have greater ids")),
  platform: PlatformKey.pipe(field("The sales platform that writes to it")),
  name: Schema.String.pipe(field("What administrators call it", "Hotmart")),
  url: Schema.RedactedFromValue(Schema.String.annotate({ format: "uri" })).pipe(field(
    "Enter this URL on the platform. It holds a token, so show it to nobody else",
    "https://api.flauta.example/webhooks/hotmart/3q2-7wEr5t6yZ8uI9oP0aSdFgHjKlMnB"
  )),
  secret_set: Schema.Boolean
    .pipe(field("True if the platform's secret is set. It is never shown; without one, nothing is accepted unless `token_only`")),
  token_only: Schema.Boolean.pipe(field(
    "True if requests are accepted unverified while no secret is set. Anyone who knows the URL can then send sales",
    false
  )),
  enabled: Schema.Boolean.pipe(field("True if it takes requests. While false, the platform gets 404")),
  previous_token_expires_at: InstantOrNull
    .pipe(field("Until when the URL replaced last works too; null if no replaced URL works", null)),
  last_event_at: InstantOrNull.pipe(field("When something came in last; null: never")),
  created_at: Instant.pipe(field("When it was created")),
  updated_at: Instant.pipe(field("When it was changed last"))
}).annotate({ identifier: "InboundWebhook", description: "An address of the club that a sales platform writes to" })
export type InboundWebhook = typeof InboundWebhook.Type

const Name = text(1, 120)
const Secret = Schema.RedactedFromValue(anyText(1, 500))
const secretExample = "hottok-a1b2c3d4e5f6"

export const CreateInboundWebhook = Schema.Struct({
  platform: PlatformKey.pipe(field("The sales platform that is to write to it. It cannot be changed later")),
  name: Schema.optionalKey(Name)
    .pipe(field("Its name for administrators; the platform's name if absent", "Hotmart, flute")),
  secret: Schema.optionalKey(Secret).pipe(field(
    "The platform's signing secret, as the platform shows it; some platforms have a form of it that is checked",
    secretExample
  )),
  token_only: Schema.optionalKey(Schema.Boolean)
    .pipe(field("True accepts unverified requests while no secret is set; false if absent", false))
})

/** Absent is unchanged. */
export const PatchInboundWebhook = Schema.Struct({
  name: Schema.optionalKey(Name).pipe(field("What administrators call it", "Hotmart, flute")),
  secret: Schema.optionalKey(Schema.NullOr(Secret)).pipe(field(
    "The platform's signing secret from now on. Null removes it: then every request is refused unless `token_only`",
    secretExample
  )),
  enabled: Schema.optionalKey(Schema.Boolean)
    .pipe(field("False to answer the platform 404, true to take things in again")),
  token_only: Schema.optionalKey(Schema.Boolean)
    .pipe(field("True accepts unverified requests while no secret is set", false))
})

/** A supported platform, and its setup by an administrator. */
export const SalesPlatform = Schema.Struct({
  key: PlatformKey.pipe(field("Names the platform, in product mappings and addresses too")),
  name: Schema.String.pipe(field("The platform's own name", "Hotmart")),
  signature: Schema.String
    .pipe(field("How it signs what it sends, in English", "The account's hottok in X-HOTMART-HOTTOK")),
  setup_steps: Schema.Array(Schema.String).pipe(field("The administrator's steps there, in English", [
    "In Hotmart, open Tools, then Webhook (API and notifications)."
  ])),
  events: Schema.Array(Schema.String)
    .pipe(field("The platform's own names of the events that something follows from; others are ignored", [
      "PURCHASE_APPROVED"
    ]))
}).annotate({ identifier: "SalesPlatform", description: "A sales platform, and how to connect it" })

/** The most of these addresses in a club. */
export const inboundWebhookLimit = 50

/** The club has as many as it may. Deleted ones do not count. */
export class InboundWebhookLimitReached extends ApiError<InboundWebhookLimitReached>()("InboundWebhookLimitReached", {
  status: 409,
  code: "inbound_webhook_limit_reached",
  message: {
    en: `A club has at most ${inboundWebhookLimit} inbound webhooks: delete one first`,
    "pt-BR": "O clube chegou ao máximo de endereços de plataformas: exclua um antes."
  }
}) {}

/** The secret has not the form of the platform's secrets. */
export class SecretInvalid extends ApiError<SecretInvalid>()("SecretInvalid", {
  status: 422,
  code: "secret_invalid",
  message: {
    en: "secret must be one that this platform makes",
    "pt-BR": "O segredo não tem o formato dos segredos desta plataforma."
  }
}) {}
