import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { isKeyToken, keyTokenOf, makeKeyToken } from "../../../src/identity/keys/KeyToken.ts"

const made = Effect.runSync(Effect.replicateEffect(makeKeyToken, 50).pipe(Effect.provide(SecureRandom.layerWebCrypto)))
const isKey = (text: string) => isKeyToken(Redacted.make(text))

describe("the token of a key", () => {
  it("is turma_, 8 characters that name the key, and 49 that are its secret and checksum", () => {
    for (const { prefix, token } of made) {
      assert.match(Redacted.value(token), new RegExp(`^turma_${prefix}_[0-9A-Za-z]{49}$`))
      assert.match(prefix, /^[0-9A-Za-z]{8}$/)
      assert.isTrue(isKeyToken(token))
    }
    assert.strictEqual(new Set(made.map(({ prefix }) => prefix)).size, made.length)
    assert.strictEqual(new Set(made.map(({ token }) => Redacted.value(token))).size, made.length)
  })

  it("keeps its name with another secret", () => {
    const [{ prefix, token }] = [made[0] ?? assert.fail("none was made")]
    const next = Effect.runSync(keyTokenOf(prefix).pipe(Effect.provide(SecureRandom.layerWebCrypto)))
    assert.strictEqual(next.prefix, prefix)
    assert.isTrue(isKeyToken(next.token))
    assert.notStrictEqual(Redacted.value(next.token), Redacted.value(token))
  })

  it.prop(
    "is told from a word with one other character by its checksum",
    [Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 63 })), Schema.Literals([..."09AZaz_-."])],
    ([at, other]) => {
      const text = Redacted.value((made[0] ?? assert.fail("none was made")).token)
      assert.strictEqual(text.length, 64)
      const changed = `${text.slice(0, at)}${other}${text.slice(at + 1)}`
      assert.strictEqual(isKey(changed), changed === text)
    }
  )

  it("is no token of a session, nothing longer or shorter, and nothing of other characters", () => {
    const text = Redacted.value((made[0] ?? assert.fail("none was made")).token)
    const others = [
      "",
      "turma_",
      "a".repeat(43),
      text.slice(0, -1),
      `${text}0`,
      ` ${text}`,
      `${text}\n`,
      text.toUpperCase()
    ]
    assert.deepStrictEqual(others.filter(isKey), [])
  })
})
