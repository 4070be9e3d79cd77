import { assert, it } from "@effect/vitest"
import { type Paint, requestText } from "../../../src/operations/telemetry/RequestText.ts"

const plain: Paint = (_, text) => text
const marked: Paint = (format, text) => `<${format}>${text}</>`

const request = { method: "GET", route: "/v1/clubs/:clubId", status: 200, millis: 12 }
const caller = { session_kind: "admin", account_id: "a1" } as const

it.each([
  [request, "GET /v1/clubs/:clubId 200 12 ms"],
  [
    { ...request, status: 401, code: "unauthenticated", millis: 1234 },
    "GET /v1/clubs/:clubId 401 unauthenticated 1.2 s"
  ],
  [{ ...request, caller }, "GET /v1/clubs/:clubId 200 12 ms admin a1"],
  [
    { ...request, caller: { ...caller, session_kind: "student", organization_id: "c1" } as const },
    "GET /v1/clubs/:clubId 200 12 ms student a1 of club c1"
  ]
])("a request is a line for people (%#)", (answered, line) => {
  assert.strictEqual(requestText(answered, plain), line)
})

it.each([[204, "green"], [304, "cyan"], [404, "yellow"], [503, "red"]])("a status of %i is %s", (status, color) => {
  assert.include(requestText({ ...request, status }, marked), `<${color}>${status}</>`)
})
