import { assert, describe, it, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { Sealing } from "../../../../src/platform/sql/Sealing.ts"
import { SignedUrls } from "../../../../src/platform/storage/local/SignedUrls.ts"
import { StorageKey } from "../../../../src/platform/storage/Storage.ts"

const keyOf = (byte: number) => Redacted.make(new Uint8Array(32).fill(byte))
const [first, second, third] = [keyOf(1), keyOf(2), keyOf(3)] as const

const withKeys = (...keys: Parameters<typeof Sealing.layerKeys>) =>
  SignedUrls.layer.pipe(Layer.provide(Sealing.layerKeys(...keys)), Layer.provide(SecureRandom.layerWebCrypto))

const grantOf = (expires_at: DateTime.Utc) => ({
  kind: "upload" as const,
  key: StorageKey.make("a/b"),
  mime: "image/png",
  size_bytes: 3,
  expires_at
})

const inAnHour = Effect.map(DateTime.now, DateTime.add({ hours: 1 }))

const sign = Effect.gen(function*() {
  const urls = yield* SignedUrls
  return yield* urls.sign(grantOf(yield* inAnHour))
})

const verify = (token: Redacted.Redacted) =>
  Effect.flatMap(SignedUrls, (urls) => Effect.result(urls.verify(token, "upload"))).pipe(Effect.map(({ _tag }) => _tag))

describe("A signed token", () => {
  it.effect("says what was signed", () =>
    Effect.gen(function*() {
      const urls = yield* SignedUrls
      const grant = grantOf(yield* inAnHour)
      assert.deepStrictEqual(yield* urls.verify(yield* urls.sign(grant), "upload"), grant)
    }).pipe(Effect.provide(withKeys(first))))

  it.effect("of the key before is known still, and of one before that not", () =>
    Effect.gen(function*() {
      const token = yield* Effect.provide(sign, withKeys(first))
      assert.strictEqual(yield* Effect.provide(verify(token), withKeys(second, first)), "Success")
      assert.strictEqual(yield* Effect.provide(verify(token), withKeys(third, second)), "Failure")
      const anew = yield* Effect.provide(sign, withKeys(second, first))
      assert.strictEqual(yield* Effect.provide(verify(anew), withKeys(second)), "Success")
    }))

  it.effect("of another kind is unknown", () =>
    Effect.gen(function*() {
      const urls = yield* SignedUrls
      const failure = yield* Effect.flip(urls.verify(yield* sign, "download"))
      assert.strictEqual(failure._tag, "UrlInvalid")
    }).pipe(Effect.provide(withKeys(first))))

  it.effect.prop(
    "is unknown with any other character at any place",
    [Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 })), Schema.Literals(["A", "b", "-", ".", "="])],
    ([place, character]) =>
      Effect.gen(function*() {
        const token = Redacted.value(yield* sign)
        const at = place % token.length
        const changed = `${token.slice(0, at)}${character}${token.slice(at + 1)}`
        // The last character of a code of 32 bytes carries four bits, so other characters may mean the same.
        const isSame = changed === token ||
          (at === token.length - 1 && Buffer.from(changed.split(".")[1] ?? "", "base64url")
            .equals(Buffer.from(token.split(".")[1] ?? "", "base64url")))
        assert.strictEqual(yield* verify(Redacted.make(changed)), isSame ? "Success" : "Failure")
      }).pipe(Effect.provide(withKeys(first)))
  )
})

layer(withKeys(first))("An address", (it) => {
  it.effect("ends at its time", () =>
    Effect.gen(function*() {
      const token = yield* sign
      yield* TestClock.adjust("59 minutes")
      assert.strictEqual(yield* verify(token), "Success")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* verify(token), "Failure")
    }))
})
