import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Fiber, Option } from "effect"
import { EndpointId } from "../../../../src/webhooks/model/EndpointId.ts"
import { signatureHeader, signatureOf } from "../../../../src/webhooks/send/Signature.ts"
import { keyOfSeed, publicBytesOf, publicKeyOf } from "../../../../src/webhooks/send/SigningKey.ts"
import { checkSignature } from "../../../../src/webhooks/workbench/inbox/checkSignature.ts"

const now = DateTime.makeUnsafe("2026-11-21T10:00:00Z")
const seconds = DateTime.toEpochMillis(now) / 1000
const body = Buffer.from("{}")
const [a, b, stranger] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte))
const one = EndpointId.make("0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a04")
const other = EndpointId.make("0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a05")
if (a === undefined || b === undefined || stranger === undefined) throw new Error("There are three")

const [key, strange] = [4, 5].map((byte) => keyOfSeed(new Uint8Array(32).fill(byte)))
if (key === undefined || strange === undefined) throw new Error("There are two")

const signers = [
  { endpoint_id: one, kind: "newest", secret: a, publicKey: null },
  { endpoint_id: other, kind: "previous", secret: b, publicKey: publicKeyOf(publicBytesOf(key)) }
] as const

const headers = (signature: string | undefined, timestamp = `${seconds}`, id = "msg_1") => ({
  "webhook-id": id,
  "webhook-timestamp": timestamp,
  "webhook-signature": signature
})
const signed = (secret: Uint8Array, at = seconds) => signatureOf(secret, "msg_1", at, body)
const check = (sent: Readonly<Record<string, string | undefined>>) =>
  Effect.map(checkSignature({ headers: sent, body }, signers, now), Option.getOrNull)

const nobody = { verified: false, endpoint_id: null, position: null, secret: null }

describe("A signature that an inbox judges", () => {
  it.effect("is nothing where there is none", () =>
    Effect.gen(function*() {
      assert.isNull(yield* check({ "webhook-id": "1" }))
    }))

  it.effect("names the endpoint whose newest secret has signed", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* check(headers(signed(a))), {
        verified: true,
        problem: null,
        endpoint_id: one,
        position: 1,
        secret: "newest",
        clock_seconds: 0
      })
    }))

  it.effect("names which of several fits, and a secret that was replaced", () =>
    Effect.gen(function*() {
      const found = yield* check(headers(`${signed(stranger)} v2,x ${signed(b)}`))
      assert.deepInclude(found, { verified: true, endpoint_id: other, position: 3, secret: "previous" })
    }))

  it.effect("names the endpoint whose key has signed, beside a secret or alone", () =>
    Effect.gen(function*() {
      const alone = yield* check(headers(signatureHeader([], "msg_1", seconds, body, [key])))
      assert.deepInclude(alone, { verified: true, endpoint_id: other, position: 1, secret: "previous" })
      const beside = yield* check(headers(signatureHeader([stranger], "msg_1", seconds, body, [strange, key])))
      assert.deepInclude(beside, { verified: true, endpoint_id: other, position: 3 })
      const nobodys = yield* check(headers(signatureHeader([stranger], "msg_1", seconds, body, [strange])))
      assert.deepInclude(nobodys, { verified: false, endpoint_id: null, problem: "no_match" })
    }))

  it.effect("is not looked for behind the sixteenth", () =>
    Effect.gen(function*() {
      const others = Array.from({ length: 15 }, () => "v1,x")
      assert.deepInclude(yield* check(headers([...others, signed(a)].join(" "))), { verified: true, position: 16 })
      assert.deepInclude(yield* check(headers([...others, "v1,x", signed(a)].join(" "))), { problem: "no_match" })
    }))

  it.effect("that is nobody's matches none", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* check(headers(signed(stranger))), {
        ...nobody,
        clock_seconds: 0,
        problem: "no_match"
      })
      assert.deepInclude(yield* check(headers("v1,")), { problem: "no_match" })
    }))

  it.effect("still names who signed where the clock refuses it, and by how much", () =>
    Effect.gen(function*() {
      assert.deepInclude(yield* check(headers(signed(a, seconds - 300), `${seconds - 300}`)), { verified: true })
      assert.deepInclude(yield* check(headers(signed(a, seconds - 301), `${seconds - 301}`)), {
        verified: false,
        problem: "timestamp_off",
        endpoint_id: one,
        clock_seconds: 301
      })
      assert.deepInclude(yield* check(headers(signed(a, seconds + 301), `${seconds + 301}`)), {
        problem: "timestamp_off",
        clock_seconds: -301
      })
    }))

  it.effect("says what is missing or unreadable", () =>
    Effect.gen(function*() {
      assert.deepInclude(yield* check(headers("")), { ...nobody, problem: "header_missing" })
      assert.deepInclude(yield* check(headers(signed(a), "")), { ...nobody, problem: "header_missing" })
      assert.deepInclude(yield* check({ "webhook-signature": signed(a) }), { ...nobody, problem: "header_missing" })
      for (const timestamp of ["now", "-1", "1.5", "9".repeat(40)]) {
        assert.deepInclude(yield* check(headers(signed(a), timestamp)), { ...nobody, problem: "timestamp_malformed" })
      }
    }))

  it.effect("costs no more than 64 verifications, however many sign and are listed", () =>
    Effect.gen(function*() {
      // Compares each of 16 signatures with each key in turn, so only the first four keys are checked.
      const strangers = Array.from({ length: 120 }, (_, n) => ({
        endpoint_id: one,
        kind: "newest" as const,
        secret: stranger,
        publicKey: publicKeyOf(publicBytesOf(keyOfSeed(new Uint8Array(32).fill(100 + n))))
      }))
      const listed = Array.from({ length: 15 }, () => `v1a,${Buffer.alloc(64).toString("base64")}`)
      const sent = headers([...listed, signatureHeader([], "msg_1", seconds, body, [key])].join(" "))
      const judged = (before: number) =>
        Effect.map(
          checkSignature({ headers: sent, body }, [...strangers.slice(0, before), signers[1], ...strangers], now),
          (check) => Option.getOrThrow(check).verified
        )
      assert.isTrue(yield* judged(3))
      assert.isFalse(yield* judged(4))
    }))

  it.effect("leaves the loop to others while a key is looked for", () =>
    Effect.gen(function*() {
      const judging = yield* Effect.forkChild(
        check(headers(signatureHeader([], "msg_1", seconds, body, [strange, key]))),
        { startImmediately: true }
      )
      assert.isUndefined(judging.pollUnsafe())
      assert.deepInclude(yield* Fiber.join(judging), { verified: true, position: 2 })
    }))
})
