import { assert, describe, it } from "@effect/vitest"
import { DateTime, Redacted, Schema } from "effect"
import { createHmac } from "node:crypto"
import { operatorPass, passKeys } from "../../../src/console/server/OperatorPass.ts"
import { isPass, type PassKeys } from "../../../src/platform/http/Pass.ts"

// A lone surrogate cannot be encoded as UTF-8: every lone surrogate becomes the same bytes.
const Secret = Schema.String.check(
  Schema.isMinLength(1),
  Schema.isMaxLength(60),
  Schema.makeFilter((text: string) => text.isWellFormed())
)
const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const Moment = between(0, 4_102_444_800_000)

const keyOf = (byte: number) => Redacted.make(new Uint8Array(32).fill(byte))
const keysOf = (secret: string): PassKeys => passKeys(secret, [keyOf(7)])
const passOf = (keys: PassKeys, now: number) => operatorPass(keys, DateTime.makeUnsafe(now))
const passAt = (secret: string, now: number) => passOf(keysOf(secret), now)

const hours = 3_600_000
const known = "a-long-random-text"

describe("A pass of an operator", () => {
  it.prop(
    "is taken for twelve hours and not a moment longer",
    [Secret, Moment, between(0, 24 * hours)],
    ([secret, now, later]) => {
      const { pass, until } = passAt(secret, now)
      assert.strictEqual(until.epochMilliseconds, now + 12 * hours)
      assert.strictEqual(isPass(keysOf(secret), pass, now + later), later < 12 * hours)
      assert.isTrue(isPass(keysOf(secret), pass, now + 12 * hours - 1))
      assert.isFalse(isPass(keysOf(secret), pass, now + 12 * hours))
    }
  )

  it.prop("of another secret is none", [Secret, Secret, Moment], ([secret, other, now]) => {
    assert.strictEqual(isPass(keysOf(secret), passAt(other, now).pass, now), secret === other)
  })

  it.prop(
    "is none with any part of it changed, left out or added",
    [Secret, Moment, between(0, 1000), between(0, 2), Schema.String.check(Schema.isMaxLength(2))],
    ([secret, now, at, cut, added]) => {
      const { pass } = passAt(secret, now)
      const place = at % (pass.length + 1)
      const forged = `${pass.slice(0, place)}${added}${pass.slice(place + cut)}`
      assert.strictEqual(isPass(keysOf(secret), forged, now), forged === pass)
    }
  )

  it("cannot be made, or told from others, by who knows the secret alone: the service's own key is in it too", () => {
    const other = passKeys(known, [keyOf(8)])
    assert.notStrictEqual(passOf(other, 0).pass, passAt(known, 0).pass)
    assert.isFalse(isPass(keysOf(known), passOf(other, 0).pass, 0))
  })

  it("goes on where that key is another now, while the one before still counts", () => {
    const { pass } = passAt(known, 0)
    assert.isTrue(isPass(passKeys(known, [keyOf(8), keyOf(7)]), pass, 0))
    assert.isFalse(isPass(passKeys(known, [keyOf(8)]), pass, 0))
    assert.isFalse(isPass(passKeys("another", [keyOf(8), keyOf(7)]), pass, 0))
    assert.strictEqual(
      passOf(passKeys(known, [keyOf(8), keyOf(7)]), 0).pass,
      passOf(passKeys(known, [keyOf(8)]), 0).pass
    )
  })

  it("is written in one way: what stands for the same bytes is none", () => {
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    const { pass } = passAt(known, 0)
    const taken = [...letters].filter((letter) => isPass(keysOf(known), pass.slice(0, -1) + letter, 0))
    assert.deepStrictEqual(taken, [pass.slice(-1)])
  })

  it.each(["", ".", "0.", known, `9999999999999.${"A".repeat(43)}`, "\u0000", "1".repeat(9000)])(
    "is not what somebody made up: %s",
    (text) => {
      assert.isFalse(isPass(keysOf(known), text, 0))
    }
  )

  it("is not signed with the secret itself, so that nothing else that it signs is a pass", () => {
    const until = String(12 * hours)
    const signed = createHmac("sha256", known).update(until).digest("base64url")
    assert.isFalse(isPass(keysOf(known), `${until}.${signed}`, 0))
    assert.notInclude(passAt(known, 0).pass, signed)
  })
})
