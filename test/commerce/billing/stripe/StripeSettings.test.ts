import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Option, Redacted } from "effect"
import { stripeSettings } from "../../../../src/commerce/billing/settings/BillingSettings.ts"

const chosen = (variables: Record<string, string>) =>
  Effect.provide(stripeSettings, ConfigProvider.layer(ConfigProvider.fromUnknown(variables)))

const secrets = { STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: "whsec_1" }

describe("The settings of Stripe", () => {
  it.effect.each(["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"] as const)(
    "require %s where it is the provider",
    (variable) =>
      Effect.gen(function*() {
        const { [variable]: _, ...others } = secrets
        const error = yield* Effect.flip(chosen({ ...others, BILLING_PROVIDER: "stripe" }))
        assert.strictEqual(error.variable, variable)
        assert.notMatch(error.message, /_1\b/)
      })
  )

  it.effect("are left alone where it is not", () =>
    Effect.gen(function*() {
      assert.isTrue(Option.isNone(yield* chosen({ BILLING_PROVIDER: "local" })))
      assert.isTrue(Option.isNone(yield* chosen({})))
    }))

  it.effect("reach Stripe itself unless they name another server", () =>
    Effect.gen(function*() {
      const own = Option.getOrThrow(yield* chosen({ ...secrets, BILLING_PROVIDER: "stripe" }))
      assert.strictEqual(own.base_url, "https://api.stripe.com")
      assert.strictEqual(Redacted.value(own.key), "sk_test_1")
      assert.notInclude(JSON.stringify(own), "sk_test_1")
    }))
})
