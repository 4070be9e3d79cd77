import { assert, describe, it } from "@effect/vitest"
import { type Thread, unread, withNewest, withOlder } from "../../../src/browser/client/Thread.ts"

interface Message {
  readonly number: number
}

/** A page from one number down to another. */
const page = (from: number, to: number, next_cursor: string | null = null) => ({
  data: Array.from({ length: from - to + 1 }, (_, index): Message => ({ number: from - index })),
  next_cursor
})

const numbers = ({ messages, older }: Thread<Message>) => [messages.map(({ number }) => number), older]

describe("A conversation's messages", () => {
  it("are in their order, the oldest first, from the newest page on", () => {
    assert.deepStrictEqual(numbers(withNewest<Message>(unread, page(5, 3, "older"))), [[3, 4, 5], "older"])
  })

  it("grow by what is written meanwhile, and what was read before stays", () => {
    const known = withOlder(withNewest<Message>(unread, page(5, 3, "older")), page(2, 1))
    assert.deepStrictEqual(numbers(known), [[1, 2, 3, 4, 5], null])
    assert.deepStrictEqual(numbers(withNewest(known, page(6, 4, "again"))), [[1, 2, 3, 4, 5, 6], null])
  })

  it("have no gaps: where more was written than a page holds, it begins anew", () => {
    const known = withNewest<Message>(unread, page(5, 3, "older"))
    assert.deepStrictEqual(numbers(withNewest(known, page(8, 6, "next"))), [[3, 4, 5, 6, 7, 8], "older"])
    assert.deepStrictEqual(numbers(withNewest(known, page(9, 7, "next"))), [[7, 8, 9], "next"])
  })

  it("have each message once, though pages overlap", () => {
    const known = withNewest<Message>(unread, page(5, 3, "older"))
    assert.deepStrictEqual(numbers(withOlder(known, page(4, 1))), [[1, 2, 3, 4, 5], null])
  })

  it("stay where a page has none", () => {
    const known = withNewest<Message>(unread, page(2, 1))
    assert.deepStrictEqual(withNewest(known, { data: [], next_cursor: null }), known)
  })
})
