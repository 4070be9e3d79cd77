import { assert, describe, it } from "@effect/vitest"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { negotiated, varyOf } from "../../../../src/platform/http/server/Negotiation.ts"

const asked = (method: string, headers: Record<string, string>) =>
  HttpServerRequest.fromWeb(new Request("https://turma.example/", { method, headers }))

const tagged = (status: number) => HttpServerResponse.text("a", { status, headers: { etag: "\"a\"" } })

describe("That one has an answer already", () => {
  it.each([["GET", 200], ["GET", 206], ["HEAD", 200]] as const)(
    "is heard of a read that succeeds: %s %i",
    (method, status) => {
      assert.isDefined(negotiated(asked(method, { "if-none-match": "\"a\"" }), tagged(status)))
    }
  )

  it.each([["GET", 302], ["GET", 404], ["GET", 416], ["POST", 200], ["PUT", 200], ["DELETE", 200]] as const)(
    "is heard of nothing else: %s %i",
    (method, status) => {
      assert.isUndefined(negotiated(asked(method, { "if-none-match": "\"a\"" }), tagged(status)))
      assert.isUndefined(negotiated(asked(method, { "if-none-match": "*" }), tagged(status)))
    }
  )
})

describe("Vary", () => {
  it("adds to what an answer says by itself", () => {
    const long = "a".repeat(2000)
    const vary = (text: string, headers: Record<string, string>) =>
      varyOf(HttpServerResponse.text(text, { contentType: "text/html", headers }))
    assert.strictEqual(vary("a", {}), "Origin")
    assert.strictEqual(vary(long, {}), "Origin, Accept-Encoding")
    assert.strictEqual(vary(long, { vary: "Accept" }), "Accept, Origin, Accept-Encoding")
    assert.strictEqual(vary(long, { vary: "Accept", "cache-control": "no-store" }), "Accept, Origin")
  })

  it("names the language once, where an answer has sentences", () => {
    const vary = (headers: Record<string, string>) => varyOf(HttpServerResponse.text("a", { headers }), true)
    assert.strictEqual(vary({}), "Origin, Accept-Language")
    assert.strictEqual(vary({ vary: "Accept, Accept-Language" }), "Accept, Accept-Language, Origin")
  })
})
