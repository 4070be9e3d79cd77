import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { filled } from "../../../src/console/client/Filled.ts"

/** Answers these pages one after the other, each with the cursor of the next, and says what it was asked for. */
const lists = (pages: ReadonlyArray<ReadonlyArray<number>>) => {
  const asked: Array<string> = []
  const load = filled(({ cursor, limit }) => {
    asked.push(`${cursor ?? "begin"} ${limit}`)
    const at = Number(cursor ?? 0)
    const next_cursor = at + 1 < pages.length ? String(at + 1) : null
    return Promise.resolve({ data: pages[at] ?? [], next_cursor })
  })
  const page = (limit: number) =>
    Effect.promise(() => Promise.resolve(load({ cursor: undefined, limit, signal: new AbortController().signal })))
  return { asked, page }
}

describe("A page of a filtered list", () => {
  it.effect("is asked on for as long as it is short, for what is missing", () =>
    Effect.gen(function*() {
      const { asked, page } = lists([[1], [], [2, 3], [4]])
      assert.deepStrictEqual(yield* page(3), { data: [1, 2, 3], next_cursor: "3" })
      assert.deepStrictEqual(asked, ["begin 3", "1 2", "2 2"])
    }))

  it.effect("is the last one where there is nothing more", () =>
    Effect.gen(function*() {
      const { page } = lists([[1], []])
      assert.deepStrictEqual(yield* page(3), { data: [1], next_cursor: null })
    }))
})
