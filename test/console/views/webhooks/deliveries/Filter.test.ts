import { assert, describe, it } from "@effect/vitest"
import { filterOf, isNarrow } from "../../../../../src/console/views/webhooks/deliveries/Filter.ts"

const event = "019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c"

describe("The filter of an address", () => {
  it("is what the address says, an id wherever it was copied from", () => {
    const query = new URLSearchParams({ status: "failed", event: `webhook-id: ${event.toUpperCase()}` })
    assert.deepStrictEqual(filterOf(query), { status: "failed", event_id: event })
  })

  it("leaves out what makes no sense, which the API would refuse", () => {
    for (const name of ["student", "event", "endpoint", "since", "status", "type"]) {
      assert.isFalse(isNarrow(filterOf(new URLSearchParams({ [name]: "No" }))), name)
    }
  })
})
