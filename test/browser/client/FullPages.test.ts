import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { fullPages, matchingItems } from "../../../src/browser/client/FullPages.ts"

/** Answers these pages one after the other, each with the cursor of the next. Lists the requests for them. */
const lists = (pages: ReadonlyArray<ReadonlyArray<number>>) => {
  const asked: Array<string> = []
  const load = fullPages(({ cursor, limit }) => {
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

/** This many items, in pages of the requested length, and the lengths of the requests. */
const counted = (count: number) => {
  const asked: Array<number> = []
  const load = ({ cursor, limit }: { readonly cursor: string | undefined; readonly limit: number }) => {
    asked.push(limit)
    const from = Number(cursor ?? 0)
    const to = Math.min(count, from + limit)
    const data = Array.from({ length: to - from }, (_, index) => from + index)
    return Promise.resolve({ data, next_cursor: to < count ? String(to) : null })
  }
  return { asked, load }
}

/** Reads all pages of a list one after another. */
const pagesOf = (load: ReturnType<typeof fullPages<number>>, limit: number) =>
  Effect.promise(async () => {
    const { signal } = new AbortController()
    const pages: Array<ReadonlyArray<number>> = []
    const readFrom = async (cursor: string | undefined): Promise<void> => {
      const { data, next_cursor } = await load({ cursor, limit, signal })
      pages.push(data)
      if (next_cursor !== null && next_cursor !== undefined) await readFrom(next_cursor)
    }
    await readFrom(undefined)
    return pages
  })

describe("What suits of a list", () => {
  it.effect.prop("is all there once, in full pages", [
    Schema.Array(Schema.Boolean).check(Schema.isMaxLength(400)),
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))
  ], ([suiting, limit]) =>
    Effect.gen(function*() {
      const { load } = counted(suiting.length)
      const pages = yield* pagesOf(fullPages(matchingItems(load, (item) => suiting[item] === true)), limit)
      assert.deepStrictEqual(pages.flat(), suiting.flatMap((suits, item) => suits ? [item] : []))
      for (const page of pages.slice(0, -1)) assert.strictEqual(page.length, limit)
    }))

  it.effect("is read in whole pages, however few of it are missing", () =>
    Effect.gen(function*() {
      const { asked, load } = counted(1000)
      const [first] = yield* pagesOf(fullPages(matchingItems(load, (item) => item < 99 || item >= 990)), 100)
      assert.deepStrictEqual(first?.slice(-2), [98, 990])
      // The last page is requested again, because the next page begins within it.
      assert.deepStrictEqual(asked, Array.from({ length: 11 }, () => 100))
    }))
})
