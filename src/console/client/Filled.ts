import type { LoadPage } from "./LongList.ts"

/**
 * Pages that are full as long as there is more: where a filter finds little, the API answers short pages, and it is asked
 * on for as many as are missing.
 */
export const filled = <A>(load: LoadPage<A>): LoadPage<A> => {
  const fill: LoadPage<A> = async ({ cursor, limit, signal }) => {
    const { data, next_cursor } = await load({ cursor, limit, signal })
    const isWhole = next_cursor === null || next_cursor === undefined
    if (isWhole || data.length >= limit) return { data, next_cursor: next_cursor ?? null }
    const rest = await fill({ cursor: next_cursor, limit: limit - data.length, signal })
    return { ...rest, data: [...data, ...rest.data] }
  }
  return fill
}
