import type { LoadPage } from "./LongList.ts"

/**
 * Full pages, as long as there are more items. The API may answer a short or empty page, for example if a filter finds
 * little. `filled` then asks on for the missing items.
 */
export const fullPages = <A>(load: LoadPage<A>): LoadPage<A> => {
  const fill: LoadPage<A> = async ({ cursor, limit, signal }) => {
    const { data, next_cursor } = await load({ cursor, limit, signal })
    const isWhole = next_cursor === null || next_cursor === undefined
    if (isWhole || data.length >= limit) return { data, next_cursor: next_cursor ?? null }
    const rest = await fill({ cursor: next_cursor, limit: limit - data.length, signal })
    return { ...rest, data: [...data, ...rest.data] }
  }
  return fill
}

/** As many as the API lists at most. */
const most = 100

/**
 * The items that suit. It asks the API for whole pages, even to fill a small rest. If a page has more than fit, the
 * cursor says how many of its items are used: `12 …`.
 */
export const matchingItems =
  <A>(load: LoadPage<A>, suits: (item: A) => boolean): LoadPage<A> => async ({ cursor, limit, signal }) => {
    const [, done = "0", from = ""] = /^(\d+) (.*)$/s.exec(cursor ?? "") ?? []
    const { data, next_cursor } = await load({ cursor: from === "" ? undefined : from, limit: most, signal })
    const left = data.flatMap((item, place) => place >= Number(done) && suits(item) ? [{ item, place }] : [])
    const page = left.slice(0, limit)
    const next = next_cursor === null || next_cursor === undefined ? null : `0 ${next_cursor}`
    return {
      data: page.map(({ item }) => item),
      next_cursor: left.length > limit ? `${(page.at(-1)?.place ?? 0) + 1} ${from}` : next
    }
  }
