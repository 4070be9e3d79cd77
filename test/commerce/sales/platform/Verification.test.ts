import { assert, describe, it } from "@effect/vitest"
import { DateTime, Redacted, Result } from "effect"
import { createHmac } from "node:crypto"
import { Webhook } from "standardwebhooks"
import { Stripe } from "stripe"
import type { InboundRequest, PlatformKey } from "../../../../src/commerce/sales/platform/Platform.ts"
import { platformOf } from "../../../../src/commerce/sales/platform/Platforms.ts"
import { receivedAt, requestOf } from "./Fixture.ts"

const body = "{\"name\":\"João ✓\"}"
const secrets = {
  right: `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
  wrong: `whsec_${Buffer.alloc(32, 8).toString("base64")}`
}
const received = DateTime.toEpochMillis(receivedAt)

const hmac = (algorithm: string, secret: string) => createHmac(algorithm, secret).update(body).digest("hex")

/** A request that the platform signs with `secret`, `age` seconds before it arrives. */
const signedBy: Record<PlatformKey, (secret: string, age: number) => InboundRequest> = {
  hotmart: (secret) => requestOf({ body, headers: { "x-hotmart-hottok": secret } }),
  kiwify: (secret) => requestOf({ body, query: new URLSearchParams({ signature: hmac("sha1", secret) }) }),
  stripe: (secret, age) =>
    requestOf({
      body,
      headers: {
        "stripe-signature": Stripe.webhooks.generateTestHeaderString({
          payload: body,
          secret,
          timestamp: received / 1000 - age
        })
      }
    }),
  hubla: (secret) => requestOf({ body, headers: { "x-hubla-token": secret } }),
  eduzz: (secret) => requestOf({ body, headers: { "x-signature": hmac("sha256", secret) } }),
  generic: (secret, age) => {
    const at = received - age * 1000
    return requestOf({
      body,
      headers: {
        "webhook-id": "msg_1",
        "webhook-timestamp": `${at / 1000}`,
        "webhook-signature": new Webhook(secret).sign("msg_1", new Date(at), body)
      }
    })
  }
}

const keys = ["hotmart", "kiwify", "stripe", "hubla", "eduzz", "generic"] as const
const overBody = ["kiwify", "stripe", "eduzz", "generic"] as const
const overTime = ["stripe", "generic"] as const

const isGenuine = (key: PlatformKey, request: InboundRequest, secret: string = secrets.right) => {
  const verified = platformOf(key).verify(request, Redacted.make(secret))
  if (Result.isFailure(verified)) assert.deepStrictEqual(verified.failure, { _tag: "BadSignature" })
  return Result.isSuccess(verified)
}

const mapped = (request: InboundRequest, change: (value: string) => string): InboundRequest => ({
  ...request,
  headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, change(value ?? "")])),
  query: new URLSearchParams([...request.query].map(([name, value]): [string, string] => [name, change(value)]))
})

describe.each(keys)("a request of %s", (key) => {
  const request = signedBy[key](secrets.right, 0)

  it("is genuine with the secret of its address", () => {
    assert.isTrue(isGenuine(key, request))
  })

  it("is refused with another secret, or none", () => {
    assert.isFalse(isGenuine(key, request, secrets.wrong))
    assert.isFalse(isGenuine(key, request, `${secrets.right} `))
    assert.isFalse(isGenuine(key, request, ""))
  })

  it("is refused without a signature, or with an empty one", () => {
    assert.isFalse(isGenuine(key, { ...request, headers: {}, query: new URLSearchParams() }))
    assert.isFalse(isGenuine(key, mapped(request, () => "")))
    assert.isFalse(isGenuine(key, mapped(request, () => ""), ""))
  })

  it("is refused with one character of the signature changed, more or less", () => {
    const ends = [
      (value: string) => `${value.slice(0, -2)}${value.at(-2) === "0" ? "1" : "0"}${value.at(-1)}`,
      (value: string) => value.slice(0, -1),
      (value: string) => `${value}0`
    ]
    for (const change of ends) assert.isFalse(isGenuine(key, mapped(request, change)))
  })

  it("is refused with text that no header should hold", () => {
    for (const text of ["\u0000", "é".repeat(40), "t=,v1=", "t=1e9,v1=00", "v1,", "v1=0,t=0", "=".repeat(9_999)]) {
      assert.isFalse(isGenuine(key, mapped(request, () => text)))
    }
  })
})

describe.each(overBody)("the body of %s", (key) => {
  it("is refused with one byte changed, more or less", () => {
    const request = signedBy[key](secrets.right, 0)
    for (const place of [0, 9, request.body.length - 1]) {
      const bytes = request.body.map((byte, n) => n === place ? byte ^ 1 : byte)
      assert.isFalse(isGenuine(key, { ...request, body: bytes }))
    }
    assert.isFalse(isGenuine(key, { ...request, body: request.body.slice(1) }))
    assert.isFalse(isGenuine(key, { ...request, body: Buffer.concat([request.body, Buffer.from(" ")]) }))
  })
})

describe.each(overTime)("the time of %s", (key) => {
  it("may differ by 300 seconds, and no more", () => {
    assert.deepStrictEqual(
      [300, 301, -300, -301].map((age) => isGenuine(key, signedBy[key](secrets.right, age))),
      [true, false, true, false]
    )
  })
})

describe.each(["kiwify", "eduzz"] as const)("an empty secret of %s", (key) => {
  it("signs nothing", () => {
    assert.isFalse(isGenuine(key, signedBy[key]("", 0), ""))
  })
})

describe("the signature of kiwify", () => {
  it("is in lower case and none of SHA-256", () => {
    const with_ = (signature: string) => requestOf({ body, query: new URLSearchParams({ signature }) })
    assert.isTrue(isGenuine("kiwify", with_(hmac("sha1", secrets.right))))
    assert.isFalse(isGenuine("kiwify", with_(hmac("sha256", secrets.right))))
  })
})

describe("the token of hotmart", () => {
  const inBody = (hottok: unknown) => requestOf({ body: JSON.stringify({ hottok }) })

  it("may come in the body", () => {
    assert.isTrue(isGenuine("hotmart", inBody(secrets.right)))
    assert.isFalse(isGenuine("hotmart", inBody(secrets.wrong)))
    assert.isFalse(isGenuine("hotmart", inBody([secrets.right])))
    assert.isFalse(isGenuine("hotmart", inBody("")))
  })

  it("is not looked for in the body if the header came", () => {
    const request = inBody(secrets.right)
    assert.isFalse(isGenuine("hotmart", { ...request, headers: { "x-hotmart-hottok": secrets.wrong } }))
    assert.isFalse(isGenuine("hotmart", { ...request, headers: { "x-hotmart-hottok": "" } }))
  })

  it("is in no body that is not JSON", () => {
    for (const text of ["", "{", "null", "[]", "\"hottok\""]) {
      assert.isFalse(isGenuine("hotmart", requestOf({ body: text })))
    }
  })
})

describe("the header of stripe", () => {
  const { headers } = signedBy.stripe(secrets.right, 0)
  const [time, signature] = (headers["stripe-signature"] ?? "").split(",")
  const isGenuineWith = (header: string) =>
    isGenuine("stripe", requestOf({ body, headers: { "stripe-signature": header } }))

  it("may hold several signatures while the secret is rolled, one of which is enough", () => {
    assert.isTrue(isGenuineWith(`${time},v1=${"0".repeat(64)},${signature}`))
    assert.isTrue(isGenuineWith(`${time}, ${signature}, v1=${"0".repeat(64)}`))
  })

  it("costs the bytes of its body once, however many signatures there are", () => {
    const large = "x".repeat(262_144)
    const fastest = (count: number) => {
      const header = [time, ...Array.from({ length: count }, () => "v1=0")].join(",")
      const request = requestOf({ body: large, headers: { "stripe-signature": header } })
      return Math.min(...Array.from({ length: 5 }, () => {
        const start = performance.now()
        assert.isFalse(isGenuine("stripe", request))
        return performance.now() - start
      }))
    }
    assert.isBelow(fastest(2000), 600 * fastest(1))
  })

  it("counts for nothing in another version, or for another time", () => {
    assert.isFalse(isGenuineWith(`${time},${signature?.replace("v1", "v0")}`))
    assert.isFalse(isGenuineWith(`t=${received / 1000 - 1},${signature}`))
    assert.isFalse(isGenuineWith(`${signature}`))
  })
})

describe("the secret of generic", () => {
  it("is whsec_ and 24 to 64 bytes in base64, and any text elsewhere", () => {
    const of = (bytes: number) => Redacted.make(`whsec_${Buffer.alloc(bytes).toString("base64")}`)
    const check = platformOf("generic").checkSecret
    assert.deepStrictEqual([24, 64].map((bytes) => check?.(of(bytes))), [null, null])
    for (const secret of [of(23), of(65), Redacted.make("secret"), Redacted.make(""), Redacted.make("whsec_*")]) {
      assert.strictEqual(check?.(secret)?.en, "whsec_ and 24 to 64 bytes in base64")
    }
    for (const key of keys) if (key !== "generic") assert.isUndefined(platformOf(key).checkSecret)
  })

  it("signs nothing if it is not one", () => {
    assert.isFalse(isGenuine("generic", signedBy.generic(secrets.right, 0), "secret"))
  })
})
