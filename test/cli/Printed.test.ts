import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { type Delivery, printed } from "../../src/cli/webhooks/Printed.ts"

const delivery = (body: string, changes: Partial<Delivery> = {}): Delivery => ({
  at: DateTime.makeUnsafe("2026-01-02T03:04:05Z"),
  id: "evt",
  timestamp: "1767323045",
  body: new TextEncoder().encode(body),
  verdict: "verified",
  status: 200,
  ...changes
})

describe("a printed delivery", () => {
  it("is plain lines", () => {
    assert.strictEqual(
      printed(delivery("{\"type\":\"webhook.test\",\"data\":{}}")),
      [
        "2026-01-02T03:04:05.000Z  webhook.test  verified, answered 200",
        "  webhook-id         evt",
        "  webhook-timestamp  1767323045 (2026-01-02T03:04:05.000Z)",
        "  {",
        "    \"type\": \"webhook.test\",",
        "    \"data\": {}",
        "  }"
      ].join("\n")
    )
  })

  it.each(["", "not json", "{\"type\":", "7", "null", "{\"type\":7}"])("says that it has no type: %j", (body) => {
    assert.include(printed(delivery(body)), "(no type)")
  })

  it("says what is missing, and shows a timestamp that is none as it came", () => {
    const lines = printed(delivery("", { id: undefined, timestamp: "soon" })).split("\n")
    assert.deepStrictEqual(lines.slice(1), [
      "  webhook-id         (missing)",
      "  webhook-timestamp  soon",
      "  (no body)"
    ])
  })

  it("keeps emoji whole", () => {
    assert.include(printed(delivery("{\"name\":\"👩‍🚀\"}")), "👩‍🚀")
  })

  it.prop("holds nothing that a terminal obeys, whatever was sent", [Schema.String, Schema.String], ([one, other]) => {
    const evil = `${one}\u001b[2J\u009b1m\r\u202e${other}`
    const said = printed(delivery(JSON.stringify({ type: evil }), { id: evil, timestamp: evil }))
    assert.notMatch(said.replaceAll("\n", ""), /[\p{Cc}\p{Bidi_Control}]/u)
    assert.notMatch(printed(delivery(evil)).replaceAll("\n", ""), /[\p{Cc}\p{Bidi_Control}]/u)
  })
})
