import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { formatSecret, newSecret, parseSecret } from "../../../src/webhooks/send/Secret.ts"

const whsec = (length: number) => `whsec_${Buffer.alloc(length, 7).toString("base64")}`

describe("a signing secret", () => {
  it.effect("is 32 random bytes", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* newSecret, yield* newSecret]
      assert.strictEqual(Redacted.value(one).length, 32)
      assert.notDeepEqual(Redacted.value(one), Redacted.value(other))
    }).pipe(Effect.provide(SecureRandom.layerWebCrypto)))

  it.effect("is written as whsec_ and base64, and read back", () =>
    Effect.gen(function*() {
      const secret = yield* newSecret
      const text = formatSecret(secret)
      assert.match(Redacted.value(text), /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.deepStrictEqual(
        Option.map(parseSecret(Redacted.value(text)), Redacted.value),
        Option.some(Redacted.value(secret))
      )
    }).pipe(Effect.provide(SecureRandom.layerWebCrypto)))

  it.effect("is not shown by accident", () =>
    Effect.gen(function*() {
      const secret = yield* newSecret
      assert.notInclude(`${secret} ${formatSecret(secret)} ${JSON.stringify(formatSecret(secret))}`, "whsec_")
    }).pipe(Effect.provide(SecureRandom.layerWebCrypto)))

  it.each([24, 25, 32, 64])("may have %i bytes", (length) => {
    assert.strictEqual(Option.getOrThrow(Option.map(parseSecret(whsec(length)), Redacted.value)).length, length)
  })

  it.each([0, 23, 65, 4096])("may not have %i bytes", (length) => {
    assert.isTrue(Option.isNone(parseSecret(whsec(length))))
  })

  it.each([
    "",
    "whsec_",
    Buffer.alloc(32).toString("base64"),
    `WHSEC_${Buffer.alloc(32).toString("base64")}`,
    `${whsec(32)} `,
    `${whsec(32)}\n`,
    `whsec_${"_-".repeat(16)}`,
    `whsec_${"!".repeat(32)}`
  ])("is not %j", (text) => {
    assert.isTrue(Option.isNone(parseSecret(text)))
  })
})
