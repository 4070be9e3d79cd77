import { assert, describe, it } from "@effect/vitest"
import { backIn, feedFilterIn, sinceOf } from "../../../../../src/console/views/webhooks/feed/Back.ts"

const read = (text: string) => new URLSearchParams(text)

describe("The events of an address", () => {
  it("begin a day back, unless it says otherwise", () => {
    assert.strictEqual(backIn(read("")), "24")
    assert.strictEqual(backIn(read("back=720")), "720")
    assert.strictEqual(backIn(read("back=all")), "all")
    assert.strictEqual(backIn(read("back=-1")), "24")
  })

  it("begin with a minute, or with the oldest there is", () => {
    const now = Date.UTC(2026, 7, 31, 12, 30, 45)
    assert.strictEqual(sinceOf("24", now), "2026-08-30T12:30:00.000Z")
    assert.strictEqual(sinceOf("1", now), "2026-08-31T11:30:00.000Z")
    assert.isUndefined(sinceOf("all", now))
  })

  it("are those of a type and a student, where it names such", () => {
    const student = "0198a0c4-5b1e-7d62-8f3a-2c9e4b7d1a04"
    assert.deepStrictEqual(feedFilterIn(read(`type=student.created&student=${student}`)), {
      type: "student.created",
      student_id: student
    })
    assert.deepStrictEqual(feedFilterIn(read("type=<script>&student=x")), {})
  })
})
