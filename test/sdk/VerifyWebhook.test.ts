import { assert, describe, it, vi } from "@effect/vitest"
import { Arbitrary, Effect, Schema } from "effect"
import { readFileSync } from "node:fs"
import { runInNewContext } from "node:vm"
import { Webhook } from "standardwebhooks"
import { Webhook as SvixWebhook } from "svix"
import { eventTypes } from "../../src/events/EventTypes.ts"
import {
  type ReceivedWebhook,
  verifyWebhook,
  WebhookVerificationError,
  type WebhookVerificationReason
} from "../../src/sdk/index.ts"
import { failureOf } from "./Scripted.ts"

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
  new URL("../vectors/signatures.json", import.meta.url),
  "utf8"
))

const reasonOf = async (received: ReceivedWebhook): Promise<WebhookVerificationReason> => {
  const failure = await failureOf(verifyWebhook(received))
  assert.instanceOf(failure, WebhookVerificationError)
  assert.notInclude(failure.message, "MfKQ9r8")
  return failure.reason
}

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
const otherSecret = `whsec_${Buffer.alloc(32, 9).toString("base64")}`
const now = 1_780_000_000_000
const seconds = Math.floor(now / 1000)

const body = JSON.stringify(eventTypes.find(({ type }) => type === "student.created")?.example)

const headersOf = (text: string, by = secret, at = seconds, id = "019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c") => ({
  "webhook-id": id,
  "webhook-timestamp": `${at}`,
  "webhook-signature": new Webhook(by).sign(id, new Date(at * 1000), text)
})

const headers = headersOf(body)
const received: ReceivedWebhook = { secret, headers, body, now }
const idOf = async (changes: Partial<ReceivedWebhook>) => (await verifyWebhook({ ...received, ...changes })).id
const id = "019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c"
const signature = headers["webhook-signature"]

describe("the vectors", () => {
  // The body is not an event, so `body_invalid` shows that the signature was accepted.
  it.each(vectors)("are accepted: $id", async (vector) => {
    const headers = { "webhook-id": vector.id, "webhook-timestamp": `${vector.timestamp}` }
    const given = { secret: vector.secret, body: vector.body, now: vector.timestamp * 1000 }
    const signed = { ...headers, "webhook-signature": vector.signature }
    assert.strictEqual(await reasonOf({ ...given, headers: signed }), "body_invalid")
    assert.strictEqual(
      await reasonOf({ ...given, body: `${vector.body} `, headers: signed }),
      "no_matching_signature"
    )
    const wrong = `v1,${"A".repeat(43)}= v2,unknown ${vector.signature}`
    assert.strictEqual(await reasonOf({ ...given, headers: { ...signed, "webhook-signature": wrong } }), "body_invalid")
  })

  it.each(must_reject)("are refused: %j", async (signature) => {
    const [vector] = vectors
    const headers = {
      "webhook-id": vector.id,
      "webhook-timestamp": `${vector.timestamp}`,
      "webhook-signature": signature
    }
    const given = { secret: vector.secret, body: vector.body, now: vector.timestamp * 1000 }
    assert.strictEqual(await reasonOf({ ...given, headers }), "no_matching_signature")
  })
})

describe("an event", () => {
  it.each(eventTypes.map(({ example, type }) => ({ example, type })))(
    "$type is answered as it came",
    async ({ example }) => {
      const text = JSON.stringify(example)
      assert.deepStrictEqual<unknown>(
        await verifyWebhook({ secret, headers: headersOf(text), body: text, now }),
        example
      )
    }
  )

  it("may come as text or bytes, with headers of any kind", async () => {
    const bytes = new TextEncoder().encode(body)
    const large = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
    const given = [
      { body: bytes },
      { body: bytes.buffer },
      { body: Buffer.from(`--${body}`).subarray(2) },
      { headers: new Headers(headers) },
      { headers: { ...large, host: "a", cookie: undefined } },
      { headers: lists },
      { headers: new Map(Object.entries(headers)) }
    ]
    assert.deepStrictEqual(await Promise.all(given.map(idOf)), given.map(() => id))
  })

  it("may come as bytes of another realm, as in tests of jsdom", async () => {
    const letters = [...Buffer.from(body)]
    const foreign = ["Uint8Array.from(letters)", "Uint8Array.from(letters).buffer"]
    const given = foreign.map((code) => ({ body: runInNewContext(code, { letters }) }))
    assert.deepStrictEqual(await Promise.all(given.map(idOf)), given.map(() => id))
  })

  it("is verified by any of several secrets and signatures", async () => {
    const both = `${headersOf(body, otherSecret)["webhook-signature"]} ${signature}`
    const given = [
      { secret: [otherSecret, secret] },
      { secret: secret.replace("whsec_", "") },
      { headers: { ...headers, "webhook-signature": both } },
      { headers: { ...headers, "webhook-signature": both }, secret: otherSecret }
    ]
    assert.deepStrictEqual(await Promise.all(given.map(idOf)), given.map(() => id))
  })

  it("may be as old or as new as was said", async () => {
    assert.strictEqual(await idOf({ now: seconds * 1000 - 300_000 }), id)
    assert.strictEqual(await idOf({ now: seconds * 1000 + 300_999 }), id)
    assert.strictEqual(await idOf({ now: (seconds + 3600) * 1000, toleranceSeconds: 3600 }), id)
    const fresh = headersOf(body, secret, Math.floor(Date.now() / 1000))
    assert.strictEqual(await idOf({ headers: fresh, now: undefined }), id)
  })
})

describe("a request is refused", () => {
  const without = (name: string) => Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name))
  const names = ["webhook-id", "webhook-timestamp", "webhook-signature"]
  const both = new Headers(headers)
  for (const [name, value] of Object.entries(headers)) both.append(name, value)

  const refused: ReadonlyArray<readonly [string, Partial<ReceivedWebhook>, WebhookVerificationReason]> = [
    ...names.flatMap((name) =>
      [
        [`without ${name}`, { headers: without(name) }, "header_missing"],
        [`with ${name} empty`, { headers: { ...headers, [name]: "" } }, "header_missing"],
        [`with ${name} in a list of two`, { headers: { ...headers, [name]: ["a", "b"] } }, "header_duplicated"],
        [`with ${name} in two spellings`, { headers: { ...headers, [name.toUpperCase()]: "a" } }, "header_duplicated"],
        [
          `with ${name} twice, joined`,
          { headers: { ...headers, [name]: both.get(name) ?? "" } },
          "header_duplicated"
        ]
      ] as const
    ),
    ["without headers", { headers: {} }, "header_missing"],
    ["without headers at all", { headers: new Headers() }, "header_missing"],
    ["with headers twice", { headers: both }, "header_duplicated"],
    ...["soon", "-1", "1e9", "1.5", "0x60", " ", "9".repeat(400)].map((timestamp) =>
      [
        `with the time ${timestamp}`,
        { headers: { ...headers, "webhook-timestamp": timestamp } },
        "timestamp_invalid"
      ] as const
    ),
    ["too old", { now: (seconds + 301) * 1000 }, "timestamp_too_old"],
    ["too new", { now: (seconds - 301) * 1000 }, "timestamp_too_new"],
    ["with a secret of another", { secret: otherSecret }, "no_matching_signature"],
    ["with another body", { body: `${body} ` }, "no_matching_signature"],
    ["with another id", { headers: { ...headers, "webhook-id": "another" } }, "no_matching_signature"],
    ["with another time", { headers: { ...headers, "webhook-timestamp": `${seconds + 1}` } }, "no_matching_signature"],
    ...["nonsense", signature.slice(3), signature.slice(0, -4), `${signature}A`, signature.replace("v1", "v2")].map((
      bad
    ) => [`signed ${bad}`, { headers: { ...headers, "webhook-signature": bad } }, "no_matching_signature"] as const),
    ...["", "whsec_", "whsec_a", "whsec_MfKQ9r8_KYqrTwjUPD8ILPZIo2LaLaSw", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS"].map(
      (bad) => [`with the secret ${bad}`, { secret: bad }, "secret_invalid"] as const
    ),
    ["with one bad secret of two", { secret: [secret, "whsec_?"] }, "secret_invalid"],
    ["without a secret", { secret: [] }, "secret_invalid"],
    ["with a body that is no JSON", { body: "{", headers: headersOf("{") }, "body_invalid"],
    ["with a body that is no event", { body: "[]", headers: headersOf("[]") }, "body_invalid"]
  ]

  it.each(refused)("%s", async (_, changes, reason) => {
    assert.strictEqual(await reasonOf({ ...received, ...changes }), reason)
  })

  it.each([undefined, null, [undefined, secret]])("with a secret that is not there: %j", async (nothing) => {
    const given = { ...received }
    Object.assign(given, { secret: nothing })
    assert.strictEqual(await reasonOf(given), "secret_invalid")
  })

  it.each(names)("with %s null", async (name) => {
    const given = { ...received, headers: { ...headers } }
    Object.assign(given.headers, { [name]: null })
    assert.strictEqual(await reasonOf(given), "header_missing")
  })

  it.each([
    { toleranceSeconds: Number.NaN },
    { toleranceSeconds: -1 },
    { now: Number.NaN }
  ])("as a mistake of the receiver's where no time could be too old: %j", async (bad) => {
    const old = headersOf(body, secret, 1000)
    assert.instanceOf(await failureOf(verifyWebhook({ secret, headers: old, body, ...bad })), RangeError)
  })

  it("with hundreds of signatures for the work of one, whatever its size", async () => {
    const sign = vi.spyOn(crypto.subtle, "sign")
    const verify = vi.spyOn(crypto.subtle, "verify")
    try {
      const many = Array.from({ length: 400 }, () => `v1,${"A".repeat(43)}=`).join(" ")
      const given = { ...received, secret: [secret, otherSecret], headers: { ...headers, "webhook-signature": many } }
      assert.strictEqual(await reasonOf(given), "no_matching_signature")
      assert.strictEqual(await idOf({ headers: { ...headers, "webhook-signature": `${many} ${signature}` } }), id)
      assert.strictEqual(sign.mock.calls.length + verify.mock.calls.length, 3)
    } finally {
      vi.restoreAllMocks()
    }
  })

  it("with a signature that differs in any one bit", async () => {
    const bytes = Buffer.from(signature.slice(3), "base64")
    const others = Array.from(
      { length: 256 },
      (_, bit) => bytes.map((byte, place) => byte ^ (place === bit >> 3 ? 1 << (bit & 7) : 0))
    )
    const reasons = await Promise.all(others.map((other) => {
      const bad = `v1,${Buffer.from(other).toString("base64")}`
      return reasonOf({ ...received, headers: { ...headers, "webhook-signature": bad } })
    }))
    assert.deepStrictEqual(new Set(reasons), new Set(["no_matching_signature"]))
  })

  it("with a signature that is right and longer, or shorter by a zero", async () => {
    const at = Array.from({ length: 5000 }, (_, place) => `${id}-${place}`)
      .map((one) => headersOf(body, secret, seconds, one))
      .find((one) => one["webhook-signature"].endsWith("AA=")) ?? headers
    const bytes = Buffer.from(at["webhook-signature"].slice(3), "base64")
    assert.deepStrictEqual([bytes.length, bytes.at(-1)], [32, 0])
    assert.strictEqual(await idOf({ headers: at }), id)
    const reasons = [bytes.subarray(0, 31), Buffer.concat([bytes, Buffer.of(0)])].map((other) => {
      const bad = { ...at, "webhook-signature": `v1,${other.toString("base64")}` }
      return reasonOf({ ...received, headers: bad })
    })
    assert.deepStrictEqual(await Promise.all(reasons), ["no_matching_signature", "no_matching_signature"])
  })

  it("with a body that was parsed", async () => {
    const parsed: ReceivedWebhook = { ...received }
    Object.assign(parsed, { body: JSON.parse(body) })
    assert.strictEqual(await reasonOf(parsed), "body_not_raw")
  })

  it("with bytes that are no UTF-8, although they are signed", async () => {
    const bytes = Uint8Array.of(0x22, 0xff, 0x22)
    const key = await crypto.subtle.importKey(
      "raw",
      Buffer.from(secret.slice(6), "base64"),
      {
        name: "HMAC",
        hash: "SHA-256"
      },
      false,
      ["sign"]
    )
    const signed = Buffer.concat([Buffer.from(`${id}.${seconds}.`), bytes])
    const made = Buffer.from(await crypto.subtle.sign("HMAC", key, signed)).toString("base64")
    const given = { ...received, body: bytes, headers: { ...headers, "webhook-signature": `v1,${made}` } }
    assert.strictEqual(await reasonOf(given), "body_invalid")
  })
})

const Key = Arbitrary.map(
  Arbitrary.array(Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))), {
    minLength: 24,
    maxLength: 64
  }),
  (bytes) => `whsec_${Buffer.from(bytes).toString("base64")}`
)
const Id = Arbitrary.map(Arbitrary.schema(Schema.String), (text) => `msg_${text.replaceAll(/[^\w-]/g, "-")}`)
const Off = Schema.Int.check(Schema.isBetween({ minimum: -300, maximum: 300 }))
const libraries = { standardwebhooks: Webhook, svix: SvixWebhook }

describe.each(["standardwebhooks", "svix"] as const)("beside the library %s", (name) => {
  it.effect.prop(
    "what is signed there is accepted here, and nothing else of it",
    { key: Key, other: Key, id: Id, text: Schema.String, off: Off },
    Effect.fnUntraced(function*({ id, key, off, other, text }) {
      const at = seconds + off
      const body = JSON.stringify({ type: "student.created", data: text })
      const headers = {
        "webhook-id": id,
        "webhook-timestamp": `${at}`,
        "webhook-signature": new libraries[name](key).sign(id, new Date(at * 1000), body)
      }
      const given = { secret: [other, key], headers, body, now }
      const event: unknown = yield* Effect.promise(() => verifyWebhook(given))
      assert.deepStrictEqual(event, { type: "student.created", data: text })
      const changed = { ...given, body: `${body} ` }
      assert.strictEqual(yield* Effect.promise(() => reasonOf(changed)), "no_matching_signature")
    })
  )
})

describe("a public key instead of a secret", () => {
  const Asymmetric = Schema.Struct({
    vectors: Schema.NonEmptyArray(Schema.Struct({
      public: Schema.String,
      id: Schema.String,
      timestamp: Schema.Int,
      body: Schema.String,
      signature: Schema.String
    }))
  })
  const [vector] = Schema.decodeUnknownSync(Schema.fromJsonString(Asymmetric))(readFileSync(
    new URL("../vectors/asymmetric-signatures.json", import.meta.url),
    "utf8"
  )).vectors
  const publicOnly: ReceivedWebhook = {
    secret: vector.public,
    headers: {
      "webhook-id": vector.id,
      "webhook-timestamp": `${vector.timestamp}`,
      "webhook-signature": `v1,AAAA ${vector.signature}`
    },
    body: vector.body,
    now: vector.timestamp * 1000
  }
  const otherKey = `whpk_${Buffer.alloc(32, 1).toString("base64")}`

  // The body is not an event, so `body_invalid` shows that the signature was accepted.
  it("verifies v1a, beside other keys and secrets too", async () => {
    assert.strictEqual(await reasonOf(publicOnly), "body_invalid")
    assert.strictEqual(await reasonOf({ ...publicOnly, secret: [otherKey, secret, vector.public] }), "body_invalid")
  })

  it("verifies neither another body, nor v1, nor what another key has signed", async () => {
    const asV1 = vector.signature.replace("v1a,", "v1,")
    const refused = [
      { body: `${vector.body} ` },
      { secret: otherKey },
      { secret },
      { headers: { ...Object(publicOnly.headers), "webhook-signature": asV1 } }
    ]
    const reasons = await Promise.all(refused.map((changes) => reasonOf({ ...publicOnly, ...changes })))
    assert.deepStrictEqual(reasons, refused.map(() => "no_matching_signature"))
  })

  it("is looked for among twelve signatures at most", async () => {
    const after = (count: number) => ({
      ...publicOnly,
      headers: {
        ...Object(publicOnly.headers),
        "webhook-signature": `${"v1a,AAAA ".repeat(count)}${vector.signature}`
      }
    })
    assert.strictEqual(await reasonOf(after(11)), "body_invalid")
    assert.strictEqual(await reasonOf(after(12)), "no_matching_signature")
  })

  it("has 32 bytes", async () => {
    const none = ["whpk_", "whpk_AAAA", vector.public.replace("=", "")]
    const reasons = await Promise.all(none.map((one) => reasonOf({ ...publicOnly, secret: one })))
    assert.deepStrictEqual(reasons, none.map(() => "secret_invalid"))
  })
})
