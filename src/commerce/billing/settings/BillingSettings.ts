import { Config, Effect, Option, type Redacted, Schema } from "effect"
import { optionalSetting, setting, SettingError } from "../../../platform/config/Setting.ts"

/** The variable that an error about the catalog names. */
export const catalogVariable = { variable: "BILLING_CATALOG", example: "/etc/turma/catalog.json" } as const

// The SDK adds Stripe's paths.
const isOrigin = Schema.makeFilter<string>((text) => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text
})

const Secret = Schema.Redacted(Schema.NonEmptyString)

const stripeKey = {
  variable: "STRIPE_SECRET_KEY",
  isSecret: true,
  meaning: "the secret key to Stripe; required with `BILLING_PROVIDER=stripe`",
  unset: "unset",
  expected: "a secret key of Stripe, because that is the BILLING_PROVIDER",
  example: "sk_live_secret"
} as const

const stripeWebhookSecret = {
  variable: "STRIPE_WEBHOOK_SECRET",
  isSecret: true,
  meaning: "secret of the signatures of Stripe's events at `/internal/billing/stripe`; required with " +
    "`BILLING_PROVIDER=stripe`",
  unset: "unset",
  expected: "the signing secret of Stripe's event destination, because Stripe is the BILLING_PROVIDER",
  example: "whsec_secret"
} as const

/** The provider that keeps the accounts of clubs, and its catalog. */
export const billingSettings = {
  BILLING_PROVIDER: setting({
    variable: "BILLING_PROVIDER",
    meaning:
      "keeper of plans and invoices: `none`, `local` or `stripe`. With `none` no club has a plan. `local` is our own ledger: " +
      "it moves no money and has no portal, and new clubs start on the catalog's first plan",
    fallback: "none",
    expected: "one of none, local, stripe",
    example: "local"
  }, (variable) => Config.Literals(["none", "local", "stripe"], variable)),
  BILLING_CATALOG: optionalSetting({
    ...catalogVariable,
    meaning: "JSON file of the plans, add-ons and resources that there are",
    unset: "the built-in example, `src/commerce/billing/catalog/catalog.json`",
    expected: "the path of a JSON file"
  }, Config.NonEmptyString),
  STRIPE_SECRET_KEY: optionalSetting(stripeKey, (variable) => Config.schema(Secret, variable)),
  STRIPE_WEBHOOK_SECRET: optionalSetting(stripeWebhookSecret, (variable) => Config.schema(Secret, variable)),
  STRIPE_BASE_URL: optionalSetting({
    variable: "STRIPE_BASE_URL",
    meaning: "where Stripe is called, for servers that speak as it does",
    unset: "`https://api.stripe.com`",
    expected: "an http or https URL without a path",
    example: "http://127.0.0.1:12111"
  }, (variable) => Config.schema(Schema.String.check(isOrigin), variable))
} as const

/** How Stripe is reached, and the secret by which its events are verified. */
export interface StripeSettings {
  readonly key: Redacted.Redacted
  readonly webhook_secret: Redacted.Redacted
  readonly base_url: string
}

/** The settings of Stripe; empty if another provider is set. Fails if a secret is missing. */
export const stripeSettings = Effect.gen(function*(): Effect.fn.Return<Option.Option<StripeSettings>, SettingError> {
  if ((yield* billingSettings.BILLING_PROVIDER.read) !== "stripe") return Option.none()
  const key = yield* billingSettings.STRIPE_SECRET_KEY.read
  const webhook_secret = yield* billingSettings.STRIPE_WEBHOOK_SECRET.read
  if (Option.isNone(key)) return yield* new SettingError(stripeKey)
  if (Option.isNone(webhook_secret)) return yield* new SettingError(stripeWebhookSecret)
  const base_url = Option.getOrElse(yield* billingSettings.STRIPE_BASE_URL.read, () => "https://api.stripe.com")
  return Option.some({ key: key.value, webhook_secret: webhook_secret.value, base_url })
})
