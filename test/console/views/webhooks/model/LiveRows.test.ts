import { assert, describe, it } from "@effect/vitest"
import { idIn } from "../../../../../src/console/client/Ids.ts"
import { newerThan, rowAt } from "../../../../../src/console/views/webhooks/model/LiveRows.ts"

const read = [{ id: "c", status: "pending" }, { id: "b", status: "pending" }, { id: "a", status: "pending" }]
const told = new Map(
  [{ id: "b", status: "succeeded" }, { id: "e", status: "pending" }, { id: "d", status: "failed" }].map((one) => [
    one.id,
    one
  ])
)

describe("A list that was read, and what was told of it since", () => {
  it("shows what is newer first, and what changed in its place", () => {
    const newer = newerThan(told, "c")
    const rows = [0, 1, 2, 3, 4, 5].map((row) => rowAt(newer, (at) => read[at], told, row))
    assert.deepStrictEqual(rows.map((row) => row?.id), ["e", "d", "c", "b", "a", undefined])
    assert.strictEqual(rows[3]?.status, "succeeded")
    assert.strictEqual(rows[4]?.status, "pending")
  })

  it("holds everything to be new for an empty list, and nothing before it was read", () => {
    assert.deepStrictEqual(newerThan(told, "").map(({ id }) => id), ["e", "d", "b"])
    assert.deepStrictEqual(newerThan(told, undefined), [])
  })
})

describe("What somebody looks for", () => {
  it.each([
    ["019D4860-d9c0-7f21-8b6c-0d1e2f3a4b5c"],
    ["webhook-id: 019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c"],
    [`{"id":"019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c","type":"student.created"}`]
  ])("is found in %s", (text) => {
    assert.strictEqual(idIn(text), "019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c")
  })

  it("is nothing where there is no id", () => {
    assert.isUndefined(idIn("student.created"))
  })
})
