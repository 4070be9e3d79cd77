import { assert, describe, it } from "@effect/vitest"
import { filterIn, textOfFilter, textOfValue } from "../../../../../src/console/views/webhooks/model/FilterText.ts"
import { asEventTypes, limitOf, textOfLimit } from "../../../../../src/console/views/webhooks/model/Typed.ts"

describe("What is entered about an endpoint", () => {
  it("is a filter where it is a JSON object, and none where it is empty", () => {
    assert.deepStrictEqual<unknown>(filterIn(" {\"field\": \"data.x\", \"exists\": true} "), {
      field: "data.x",
      exists: true
    })
    assert.isNull(filterIn("  \n"))
    for (const text of ["{", "null", "[]", "1", "\"x\"", "x"]) assert.isUndefined(filterIn(text), text)
  })

  it("is shown as a filter that is read back as it was", () => {
    const text = "{\"all\":[{\"field\":\"data.x\",\"gte\":1}]}"
    const filter = filterIn(text) ?? null
    assert.strictEqual(JSON.stringify(filterIn(textOfFilter(filter))), text)
    assert.strictEqual(textOfFilter(null), "")
  })

  it("is a limit, or none", () => {
    assert.strictEqual(limitOf(" 20 "), 20)
    assert.isNull(limitOf(" "))
    assert.strictEqual(textOfLimit(20), "20")
    assert.strictEqual(textOfLimit(null), "")
  })

  it("names types of events where it has their form", () => {
    assert.deepStrictEqual<unknown>(asEventTypes(["student.created", "<script>", "x"]), ["student.created"])
  })

  it("is told in short where an event has much of it", () => {
    assert.strictEqual(textOfValue(null), "null")
    assert.strictEqual(textOfValue("a".repeat(100)), `"${"a".repeat(79)}…`)
  })
})
