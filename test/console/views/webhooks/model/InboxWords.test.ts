import { assert, describe, it } from "@effect/vitest"
import {
  type InboxRequest,
  newestFirst,
  signatureSentence,
  verdictOf,
  withCome
} from "../../../../../src/console/views/webhooks/model/InboxWords.ts"

const request = (number: number, more: Partial<InboxRequest> = {}): InboxRequest => ({
  id: `0198a0c4-5b1e-7d62-8f3a-${String(number).padStart(12, "0")}`,
  number,
  received_at: "2026-08-14T12:00:02.000Z",
  method: "POST",
  query: "",
  source: "http",
  size_bytes: 512,
  status: 200,
  delay_ms: 0,
  repeated: false,
  signature: null,
  ...more
})

type Signature = NonNullable<InboxRequest["signature"]>

const signature = (more: Partial<Signature> = {}): Signature => ({
  verified: true,
  problem: null,
  endpoint_id: "0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a04",
  position: 1,
  secret: "newest",
  clock_seconds: 0,
  ...more
})

const told = (of: Signature | null, name: string | undefined = "Our CRM") =>
  signatureSentence(of, () => name, { language: "en", number: String })

describe("What came to an inbox", () => {
  it("is listed newest first, each once, as it was told last", () => {
    const came = withCome(withCome(new Map(), [request(1), request(2)]), [request(2, { status: 503 }), request(3)])
    assert.deepStrictEqual(newestFirst(came).map(({ number, status }) => [number, status]), [[3, 200], [2, 503], [
      1,
      200
    ]])
  })

  it("is kept while it is one of the newest hundred", () => {
    const all = Array.from({ length: 130 }, (_, index) => request(index + 1))
    const numbers = newestFirst(withCome(new Map(), all)).map(({ number }) => number)
    assert.lengthOf(numbers, 100)
    assert.strictEqual(numbers.at(-1), 31)
  })

  it("is verified, not verified or not signed", () => {
    assert.strictEqual(verdictOf(signature()), "verified")
    assert.strictEqual(verdictOf(signature({ verified: false, problem: "no_match" })), "refused")
    assert.strictEqual(verdictOf(null), "unsigned")
  })

  it("says whose secret has signed it, and which", () => {
    assert.strictEqual(told(signature()), "A receiver would accept it: it is signed with a secret or key of Our CRM.")
    assert.match(told(signature({ position: 2 })), /Our CRM\. It is signature 2 of the header\.$/)
    assert.match(told(signature({ secret: "previous" })), /give the receiver the newest one\.$/)
    assert.match(
      signatureSentence(signature(), () => undefined, { language: "en", number: String }),
      /a secret or key of an endpoint that is deleted\.$/
    )
  })

  it("says why a receiver would refuse it", () => {
    const refused = (problem: Signature["problem"], clock_seconds: number | null = null) =>
      told(signature({ verified: false, problem, clock_seconds, endpoint_id: null, position: null, secret: null }))
    assert.match(refused("header_missing"), /webhook-id or webhook-timestamp is missing/)
    assert.match(refused("timestamp_malformed"), /not a time in seconds/)
    assert.match(refused("timestamp_off", -400), /its timestamp is 400 seconds off/)
    assert.match(refused("no_match"), /no signature matches/)
    assert.match(told(null), /did not sign it\.$/)
  })
})
