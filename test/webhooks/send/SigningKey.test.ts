import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option, Redacted, Result, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { verify } from "node:crypto"
import { readFileSync } from "node:fs"
import { signatureHeader, signatureOf, verifySignature } from "../../../src/webhooks/send/Signature.ts"
import {
  formatPublicKey,
  keyOfSeed,
  newSeed,
  parsePublicKey,
  publicBytesOf
} from "../../../src/webhooks/send/SigningKey.ts"

const Vectors = Schema.Struct({
  vectors: Schema.NonEmptyArray(Schema.Struct({
    private: Schema.String,
    public: Schema.String,
    id: Schema.String,
    timestamp: Schema.Int,
    body: Schema.String,
    signature: Schema.String
  })),
  must_reject: Schema.NonEmptyArray(Schema.String)
})

const { must_reject, vectors } = Schema.decodeUnknownSync(Schema.fromJsonString(Vectors))(readFileSync(
  new URL("../../vectors/asymmetric-signatures.json", import.meta.url),
  "utf8"
))

const [vector] = vectors
const seed = Buffer.from(vector.private.slice("whsk_".length), "base64").subarray(0, 32)
const key = keyOfSeed(seed)
const body = Buffer.from(vector.body)
const publicKey = Option.getOrThrow(parsePublicKey(vector.public))

const judge = (signature: string, changes: { readonly body?: Buffer; readonly secrets?: Array<Uint8Array> } = {}) =>
  verifySignature({
    secrets: [],
    publicKeys: [publicKey],
    id: vector.id,
    timestamp: `${vector.timestamp}`,
    signature,
    body,
    now: DateTime.makeUnsafe(vector.timestamp * 1000),
    ...changes
  })

const refused = Result.fail({ reason: "no_match" as const })

describe("a v1a signature", () => {
  it("is that of the vector, and its public key too", () => {
    assert.strictEqual(signatureHeader([], vector.id, vector.timestamp, body, [key]), vector.signature)
    assert.strictEqual(formatPublicKey(publicBytesOf(key)), vector.public)
  })

  it("comes after those of v1, each newest first", () => {
    const secrets = [Buffer.from("new".repeat(8)), Buffer.from("old".repeat(8))]
    const older = keyOfSeed(Buffer.alloc(32, 1))
    const header = signatureHeader(secrets, vector.id, vector.timestamp, body, [key, older])
    const [first, second, third, fourth = "", ...others] = header.split(" ")
    assert.deepStrictEqual(
      [first, second],
      secrets.map((secret) => signatureOf(secret, vector.id, vector.timestamp, body))
    )
    assert.strictEqual(third, vector.signature)
    const signed = Buffer.from(`${vector.id}.${vector.timestamp}.${vector.body}`)
    const olderPublic = Option.getOrThrow(parsePublicKey(formatPublicKey(publicBytesOf(older))))
    assert.isTrue(verify(null, signed, olderPublic, Buffer.from(fourth.slice(4), "base64")))
    assert.lengthOf(others, 0)
  })

  it("is verified by the public key, alone and among others", () => {
    assert.deepStrictEqual(judge(vector.signature), Result.void)
    assert.deepStrictEqual(judge(`v1,wrong v2,unknown v1a,AAAA ${vector.signature}`), Result.void)
  })

  it.each(must_reject)("is refused as %j", (signature) => {
    assert.deepStrictEqual(judge(signature), refused)
  })

  it("is refused for another body, and where nobody gave a public key", () => {
    assert.deepStrictEqual(judge(vector.signature, { body: Buffer.from("{}") }), refused)
    const { id, signature } = vector
    const now = DateTime.makeUnsafe(vector.timestamp * 1000)
    const received = { secrets: [], id, signature, timestamp: `${vector.timestamp}`, body, now }
    assert.deepStrictEqual(verifySignature(received), refused)
  })

  it("is looked for among twelve at most", () => {
    const wrong = Array.from({ length: 11 }, () => "v1a,AAAA").join(" ")
    assert.deepStrictEqual(judge(`${wrong} ${vector.signature}`), Result.void)
    assert.deepStrictEqual(judge(`${wrong} v1a,AAAA ${vector.signature}`), refused)
  })
})

describe("a public key", () => {
  it.each([
    vector.public.replace("whpk_", "whsec_"),
    vector.public.slice(0, -1),
    `${vector.public} `,
    "whpk_",
    "whpk_AAAA",
    vector.private
  ])("is none as %j", (text) => {
    assert.isTrue(Option.isNone(parsePublicKey(text)))
  })

  it.effect("belongs to a seed of its own", () =>
    Effect.gen(function*() {
      const seeds = yield* Effect.forEach([1, 2], () => newSeed)
      const keys = seeds.map((one) => formatPublicKey(publicBytesOf(keyOfSeed(Redacted.value(one)))))
      assert.notStrictEqual(keys[0], keys[1])
      for (const one of keys) assert.isTrue(Option.isSome(parsePublicKey(one)), one)
    }).pipe(Effect.provide(SecureRandom.layerWebCrypto)))
})
