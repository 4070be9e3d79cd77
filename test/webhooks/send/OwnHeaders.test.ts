import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { DateTime } from "effect"
import { EventId } from "../../../src/events/EventType.ts"
import { headersWith } from "../../../src/webhooks/send/AttemptHeaders.ts"
import { changed, isDenied, judgeHeaders } from "../../../src/webhooks/send/OwnHeaders.ts"

const problem = (asked: Readonly<Record<string, string | null>>) =>
  Result.match(judgeHeaders(asked), { onSuccess: () => "", onFailure: ({ message }) => message })

describe("A header of an endpoint's own", () => {
  it.each([
    "Connection",
    "keep-alive",
    "Proxy-Authorization",
    "TE",
    "trailer",
    "Transfer-Encoding",
    "UPGRADE",
    "Host",
    "Content-Type",
    "content-length",
    "Content-Encoding",
    "cookie",
    "Set-Cookie",
    "Webhook-Id",
    "webhook-signature",
    "webhook-anything",
    "User-Agent",
    "date",
    "Expect",
    "Accept-Encoding",
    "Forwarded",
    "X-Forwarded-For",
    "HTTP2-Settings",
    "via",
    "sec-fetch-site",
    "X-HTTP-Method-Override",
    "X-Original-URL",
    "X-Real-IP",
    "CF-Connecting-IP",
    "CloudFront-Viewer-Address",
    "X-Amzn-Oidc-Identity",
    "X-Amzn-Mtls-Clientcert",
    "X-Azure-ClientIP",
    "X-ARR-ClientCert",
    "X-MS-Client-Principal-Name",
    "X-Goog-IAP-JWT-Assertion",
    "X-AppEngine-User-IP",
    "Cf-Access-Jwt-Assertion",
    "Cf-Cert-Verified",
    "CF-IPCity",
    "cf-region-code",
    "CF-Postal-Code",
    "cf-timezone",
    "X-Client-Geo-Location",
    "X-Client-Cert",
    "X-Client-Cert-Present",
    "X-TLS-Client-Cert",
    "X-TLS-Client-Cert-Info",
    "Client-Cert",
    "Client-Cert-Chain",
    "Front-End-Https",
    "X-URL-Scheme",
    "X-Amz-Apigw-Id",
    "X-Amz-Cf-Id",
    "x-amz-sns-message-type",
    "Fastly-SSL",
    "Fly-Client-IP",
    "X-Vercel-Forwarded-For",
    "X-NF-Client-Connection-IP",
    "X-Envoy-External-Address",
    "Akamai-Origin-Hop",
    "SSL-Client-Verify",
    "Client-IP"
  ])("is not %s, however its words are joined", (name) => {
    assert.strictEqual(problem({ [name]: "x" }), `headers.${name}: is set by the service or the connection`)
    assert.notStrictEqual(problem({ [name]: null }), "")
    const joined = name.replaceAll("-", "_")
    assert.strictEqual(problem({ [joined]: "x" }), `headers.${joined}: is set by the service or the connection`)
  })

  it.each([
    "Authorization",
    "CF-Access-Client-Id",
    "CF-Access-Client-Secret",
    "cf-access-token",
    "X-Vercel-Protection-Bypass",
    "X-Goog-Api-Key",
    "X-Client-Id",
    "x_api_key"
  ])("may be %s, which a receiver or its proxy asks for", (name) => {
    assert.strictEqual(problem({ [name]: "x" }), "")
  })

  it("is none that the service sends", () => {
    const id = EventId.make("019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c")
    for (const name in headersWith(id, DateTime.makeUnsafe(0), "v1,x")) assert.isTrue(isDenied(name), name)
  })

  it.each(["", "a b", "a:b", "a\r\nb", "ä", "a\u0000", "(a)", "x".repeat(101)])("has no name like %j", (name) => {
    assert.include(problem({ [name]: "x" }), "must be a token")
  })

  it.each(["", " a", "a ", "\ta", "a\r\nx-b: c", "a\nb", "a\rb", "a\u0000b", "ä", "a\u007f", "x".repeat(1001)])(
    "has no value like %j",
    (value) => {
      const told = problem({ "x-a": value })
      assert.include(told, "headers.x-a: must be 1 to 1000 characters")
      if (value.length > 1) assert.notInclude(told, value)
    }
  )

  it.each(["x", "Bearer a.b-c_d~e+f/g==", "a\tb c", "x".repeat(1000)])("may have the value %j", (value) => {
    assert.strictEqual(problem({ Authorization: value }), "")
  })

  it("is refused where it is sent twice, in whatever case", () => {
    assert.strictEqual(problem({ "X-Key": "1", "x-key": "2" }), "headers.x-key: is sent twice")
  })

  it("is set, left or taken away by its name, and there are 20 at most", () => {
    const changes = (asked: Readonly<Record<string, string | null>>) => Result.getOrThrow(judgeHeaders(asked))
    const after = Result.getOrThrow(changed({ a: "1", b: "2", c: "3" }, changes({ A: null, B: "4", d: "5", e: null })))
    assert.deepStrictEqual(after, { b: "4", c: "3", d: "5" })
    const many = (count: number) =>
      changes(Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, "1"])))
    assert.isTrue(Result.isSuccess(changed({}, many(20))))
    assert.isTrue(Result.isFailure(changed({}, many(21))))
    assert.isTrue(Result.isFailure(changed({ a: "1" }, many(20))))
  })

  it.prop(
    "never breaks the request, whatever is asked for",
    [Schema.Record(Schema.String, Schema.String)],
    ([asked]) => {
      const judged = judgeHeaders(asked)
      if (Result.isFailure(judged)) return
      for (const [name, value] of judged.success) {
        assert.match(name, /^[!-~]+$/)
        assert.notMatch(`${name}${value}`, /[\r\n\0]/)
      }
    }
  )
})
