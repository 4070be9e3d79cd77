import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { OwnRequest } from "../../../src/operations/mcp/InProcess.ts"
import { makeKeptLists } from "../../../src/operations/mcp/Lists.ts"

const admin = { acts_as: "admin", scopes: null, tools: null } as const
const request: OwnRequest = { method: "POST", url: "/mcp", headers: { "mcp-protocol-version": "2025-11-25" } }
const list = (id: unknown, params?: object) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/list",
  ...(params === undefined ? {} : { params })
})

/** Answers with the number of the call in a list of tools, or with the test's answer. */
const counted = (
  answer: (call: number) => string = (call) => `{"jsonrpc":"2.0","id":0,"result":{"tools":[${call}]}}`
) => {
  const asked: Array<number> = []
  const listed = makeKeptLists()
  return {
    asked,
    answer: (rights: Parameters<typeof listed>[0], message: unknown, sent = request) =>
      Effect.map(
        listed(rights, () => Effect.sync(() => ({ status: 200, headers: {}, body: answer(asked.push(1)) })))(
          sent,
          message
        ),
        ({ body }): unknown => JSON.parse(body)
      )
  }
}

describe("A list of tools", () => {
  it.effect("is made once for the same rights, and answered to each message by its id", () =>
    Effect.gen(function*() {
      const { answer, asked } = counted()
      yield* answer(admin, list(1))
      for (const id of [2, "a\"", -1]) {
        assert.deepStrictEqual(yield* answer(admin, list(id)), { jsonrpc: "2.0", id, result: { tools: [1] } })
      }
      const scopes = ["students:read", "webhooks:write"] as const
      yield* answer({ ...admin, scopes }, list(1))
      yield* answer({ ...admin, scopes: scopes.toReversed() }, list(1))
      assert.lengthOf(asked, 2)
    }))

  it.effect("is another for other rights, other tools, another version and other parameters", () =>
    Effect.gen(function*() {
      const { answer, asked } = counted()
      const others = [
        answer({ ...admin, acts_as: "viewer" }, list(1)),
        answer({ ...admin, scopes: ["students:read"] }, list(1)),
        answer({ ...admin, tools: ["students:read"] }, list(1)),
        answer(admin, list(1), { ...request, headers: { "mcp-protocol-version": "2025-06-18" } }),
        answer(admin, list(1, { cursor: "a" })),
        answer(admin, list(1))
      ]
      yield* Effect.all(others)
      assert.lengthOf(asked, others.length)
    }))

  it.effect("is not kept where it failed, and what is no plain list passes", () =>
    Effect.gen(function*() {
      const failing = counted(() => `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"No"}}`)
      const passing = counted()
      for (const _ of [1, 2]) {
        yield* failing.answer(admin, list(1))
        for (const message of [list(null), list(1.5), { ...list(1), jsonrpc: "1.0" }, { ...list(1), method: "ping" }]) {
          yield* passing.answer(admin, message)
        }
        yield* passing.answer(admin, list(1, { _meta: { a: "x".repeat(3_000) } }))
      }
      assert.lengthOf(failing.asked, 2)
      assert.lengthOf(passing.asked, 10)
    }))

  it.effect("makes room for others", () =>
    Effect.gen(function*() {
      const { answer, asked } = counted()
      yield* answer(admin, list(1))
      yield* Effect.forEach(Array.from({ length: 40 }, (_, n) => n), (cursor) => answer(admin, list(1, { cursor })))
      yield* answer(admin, list(1))
      assert.lengthOf(asked, 42)
    }))
})
