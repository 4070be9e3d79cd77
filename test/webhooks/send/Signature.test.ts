import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, DateTime, Effect, Option, Redacted, Result, Schema } from "effect"
import { readFileSync } from "node:fs"
import { Webhook } from "standardwebhooks"
import { Webhook as SvixWebhook } from "svix"
import { parseSecret } from "../../../src/webhooks/send/Secret.ts"
import { type Received, signatureHeader, signatureOf, verifySignature } from "../../../src/webhooks/send/Signature.ts"

const Vectors = Schema.Struct({
  vectors: Schema.NonEmptyArray(Schema.Struct({
    secret: Schema.String,
    id: Schema.String,
    timestamp: Schema.Int,
    body: Schema.String,
    signature: Schema.String
  })),
  must_reject: Schema.NonEmptyArray(Schema.String)
})

const { must_reject, vectors } = Schema.decodeUnknownSync(Schema.fromJsonString(Vectors))(readFileSync(
  new URL("../../vectors/signatures.json", import.meta.url),
  "utf8"
))

const bytesOf = (text: string) => new TextEncoder().encode(text)
const keyOf = (secret: string) => Redacted.value(Option.getOrThrow(parseSecret(secret)))
const at = (seconds: number) => DateTime.makeUnsafe(seconds * 1000)

const [vector] = vectors
const received: Received = {
  secrets: [keyOf(vector.secret)],
  id: vector.id,
  timestamp: `${vector.timestamp}`,
  signature: vector.signature,
  body: bytesOf(vector.body),
  now: at(vector.timestamp)
}
const judge = (changes: Partial<Received> = {}) => verifySignature({ ...received, ...changes })
const accepted = Result.void
const refused = (reason: "no_match" | "timestamp_malformed") => Result.fail({ reason })

describe("the signature of a webhook", () => {
  it.each(vectors)("of vector $id is the one that is given", ({ body, id, secret, signature, timestamp }) => {
    assert.strictEqual(signatureOf(keyOf(secret), id, timestamp, bytesOf(body)), signature)
  })

  it("is one for each secret in the header, newest first, separated by a space", () => {
    const [newest, previous] = [bytesOf("new".repeat(8)), bytesOf("old".repeat(8))]
    const body = bytesOf("{}")
    assert.strictEqual(
      signatureHeader([newest, previous], "msg", 1, body),
      `${signatureOf(newest, "msg", 1, body)} ${signatureOf(previous, "msg", 1, body)}`
    )
  })
})

describe("verifying a webhook", () => {
  it("accepts the vector", () => {
    assert.deepStrictEqual(judge(), accepted)
  })

  it.each(must_reject)("refuses %j", (signature) => {
    assert.deepStrictEqual(judge({ signature }), refused("no_match"))
  })

  it("accepts a wrong v1, an unknown v2 and a right v1 together", () => {
    const wrong = signatureOf(bytesOf("x".repeat(24)), vector.id, vector.timestamp, received.body)
    assert.deepStrictEqual(judge({ signature: `${wrong} v2,unknown ${vector.signature}` }), accepted)
  })

  it("accepts a signature of any of several secrets", () => {
    assert.deepStrictEqual(judge({ secrets: [bytesOf("x".repeat(24)), ...received.secrets] }), accepted)
  })

  it("accepts nothing without a secret", () => {
    assert.deepStrictEqual(judge({ secrets: [] }), refused("no_match"))
  })

  it.each([-300, 300])("accepts a clock that is exactly %i seconds off", (off) => {
    assert.deepStrictEqual(judge({ now: at(vector.timestamp + off) }), accepted)
  })

  it.each([-301, 301])("refuses a clock that is %i seconds off, and says by how much", (off) => {
    assert.deepStrictEqual(
      judge({ now: at(vector.timestamp + off) }),
      Result.fail({ reason: "timestamp_off", seconds: off })
    )
  })

  it.each(["soon", "-1", "1e9", "1614265330.5", "0x60", "9".repeat(400)])("refuses the timestamp %j", (timestamp) => {
    assert.deepStrictEqual(judge({ timestamp }), refused("timestamp_malformed"))
  })

  it.each(["id", "timestamp", "signature"] as const)("names the header that is missing or empty: %s", (name) => {
    const problem = Result.fail({ reason: "header_missing", header: `webhook-${name}` } as const)
    assert.deepStrictEqual(judge({ [name]: undefined }), problem)
    assert.deepStrictEqual(judge({ [name]: "" }), problem)
  })

  it("refuses another id, another time, another body and another secret", () => {
    const others: ReadonlyArray<Partial<Received>> = [
      { id: `${vector.id}x` },
      { timestamp: `${vector.timestamp + 1}` },
      { body: bytesOf(`${vector.body} `) },
      { secrets: [bytesOf("x".repeat(24))] }
    ]
    for (const other of others) assert.deepStrictEqual(judge(other), refused("no_match"))
  })
})

const Key = Arbitrary.map(
  Arbitrary.array(Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))), {
    minLength: 24,
    maxLength: 64
  }),
  (bytes) => Uint8Array.from(bytes)
)
const Letter = Schema.Union([
  Schema.String,
  Schema.Literals(["😀", "👩‍🚀", "ç", "ã", "日本", "\u0000", "\ud800", "\u2028"])
])
const Text = Arbitrary.map(Arbitrary.array(Arbitrary.schema(Letter)), (letters) => letters.join(""))
const Id = Arbitrary.map(Arbitrary.schema(Schema.String), (text) => `msg_${text.replaceAll(".", "-")}`)
const Off = Schema.Int.check(Schema.isBetween({ minimum: -200, maximum: 200 }))

const libraries = { standardwebhooks: Webhook, svix: SvixWebhook }
const base64 = (key: Uint8Array) => `whsec_${Buffer.from(key).toString("base64")}`

// The libraries read the machine's clock.
const moment = (off: number) => Math.floor(Date.now() / 1000) + off

describe.each(["standardwebhooks", "svix"] as const)("beside the library %s", (name) => {
  it.prop("what we sign is accepted there", [Key, Key, Id, Text, Off], ([key, other, id, text, off]) => {
    const timestamp = moment(off)
    const headers = {
      "webhook-id": id,
      "webhook-timestamp": `${timestamp}`,
      "webhook-signature": signatureHeader([other, key], id, timestamp, bytesOf(text))
    }
    for (const secret of [key, other]) {
      new libraries[name](base64(secret)).verify(text, headers, { jsonParse: false })
      assert.throws(() => new libraries[name](base64(secret)).verify(`${text} `, headers, { jsonParse: false }))
    }
  })

  it.prop("what is signed there is accepted here", [Key, Id, Text, Off], ([key, id, text, off]) => {
    const timestamp = moment(off)
    const signature = new libraries[name](base64(key)).sign(id, new Date(timestamp * 1000), text)
    const request = {
      secrets: [key],
      id,
      timestamp: `${timestamp}`,
      signature,
      body: bytesOf(text),
      now: at(timestamp)
    }
    assert.deepStrictEqual(verifySignature(request), accepted)
    assert.deepStrictEqual(verifySignature({ ...request, body: bytesOf(`${text} `) }), refused("no_match"))
  })
})

/** The libraries read bodies as text. This is another HMAC-SHA256 over bytes. */
const independently = async (key: Uint8Array<ArrayBuffer>, id: string, timestamp: number, body: Uint8Array) => {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"])
  const signed = await crypto.subtle.sign("HMAC", imported, Buffer.concat([bytesOf(`${id}.${timestamp}.`), body]))
  return `v1,${Buffer.from(signed).toString("base64")}`
}

describe("bodies of arbitrary bytes", () => {
  it.effect.prop(
    "are signed as they are and accepted, and no changed byte is",
    {
      key: Key,
      id: Id,
      body: Schema.Uint8Array,
      timestamp: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4e9 }))
    },
    Effect.fnUntraced(function*({ body, id, key, timestamp }) {
      const signature = signatureOf(key, id, timestamp, body)
      assert.strictEqual(signature, yield* Effect.promise(() => independently(key, id, timestamp, body)))
      const request = { secrets: [key], id, timestamp: `${timestamp}`, signature, body, now: at(timestamp) }
      assert.deepStrictEqual(verifySignature(request), accepted)
      for (const index of body.keys()) {
        const changed = body.with(index, (body[index] ?? 0) ^ 1)
        assert.deepStrictEqual(verifySignature({ ...request, body: changed }), refused("no_match"))
      }
    })
  )
})
