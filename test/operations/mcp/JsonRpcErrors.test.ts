import { assert, describe, it } from "@effect/vitest"
import { withPlainErrors } from "../../../src/operations/mcp/JsonRpcErrors.ts"

const plain = (message: unknown): unknown => JSON.parse(withPlainErrors(JSON.stringify(message)))

describe("An error of the protocol", () => {
  it("has the members that JSON-RPC names, and no other", () => {
    const error = { _tag: "InvalidParams", code: -32_602, message: "No such tool", data: { name: "a" }, stack: "b" }
    const expected = { jsonrpc: "2.0", id: 1, error: { code: -32_602, message: "No such tool", data: { name: "a" } } }
    assert.deepStrictEqual(plain({ jsonrpc: "2.0", id: 1, error }), expected)
    const result = { jsonrpc: "2.0", id: 2, result: { isError: true, error: "kept" } }
    assert.deepStrictEqual(plain([{ jsonrpc: "2.0", id: 1, error }, result]), [expected, result])
  })

  it("says nothing of what went wrong inside", () => {
    const expected = { jsonrpc: "2.0", id: null, error: { code: -32_603, message: "Internal error" } }
    const defect = { _tag: "Defect", code: 1, message: "A defect occurred", data: { password: "a" } }
    assert.deepStrictEqual(plain({ jsonrpc: "2.0", id: -32_603, error: defect }), expected)
    const cause = { _tag: "Cause", code: 0, message: "[{}]", data: [{ _tag: "Die", defect: "a" }] }
    assert.deepStrictEqual(plain({ jsonrpc: "2.0", error: cause }), expected)
    assert.deepStrictEqual(plain({ jsonrpc: "2.0", id: "a", error: { ...cause, code: -32_602, message: "No" } }), {
      jsonrpc: "2.0",
      id: "a",
      error: { code: -32_602, message: "No" }
    })
  })

  it("is looked for in messages alone", () => {
    for (const text of ["", "{", `{"result":{"error":1}}`, `{"error":"a"}`, `["error"]`]) {
      assert.strictEqual(withPlainErrors(text), text)
    }
  })
})
