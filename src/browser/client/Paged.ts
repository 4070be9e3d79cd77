// A long list with only the visible part in memory. Pure: it neither reads nor shows.

/** A page of a list of the API. */
export interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly next_cursor?: string | null
}

/** A list that is known in part. Every page but the last has `size` items. */
export interface Paged<A> {
  readonly size: number
  /** Where each page begins, as far as it is known; the first begins without a cursor. */
  readonly cursors: ReadonlyArray<string | undefined>
  /** The pages that are in memory, by their number, the last used last. */
  readonly pages: ReadonlyMap<number, ReadonlyArray<A>>
  /** Number of items, once the end is known. */
  readonly total: number | undefined
}

/** The most pages in memory. */
export const mostPages = 20

/** Nothing is known yet. */
export const unread = <A>(size: number): Paged<A> => ({
  size,
  cursors: [undefined],
  pages: new Map(),
  total: undefined
})

/** Number of known rows: those of the known pages, and one that stands for more. */
export const rowsOf = <A>({ cursors, pages, size, total }: Paged<A>): number => {
  if (total !== undefined) return total
  return pages.size === 0 && cursors.length === 1 ? 0 : (cursors.length - 1) * size + 1
}

/** The item in this row, if it is in memory. */
export const itemAt = <A>({ pages, size }: Paged<A>, row: number): A | undefined =>
  pages.get(Math.floor(row / size))?.[row % size]

/** The pages to read for these rows, as far as their cursors are known. */
export const wantedPages = <A>(
  { cursors, pages, size, total }: Paged<A>,
  from: number,
  to: number
): ReadonlyArray<number> => {
  const last = Math.min(Math.floor(Math.max(from, to - 1) / size), cursors.length - 1)
  const first = Math.min(Math.floor(from / size), last)
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  return numbers.filter((number) =>
    !pages.has(number) && (total === undefined || number === 0 || number * size < total)
  )
}

/** With this page, which was read from its cursor; pages that were used longest ago make room. */
export const withPage = <A>(paged: Paged<A>, number: number, { data, next_cursor }: Page<A>): Paged<A> => {
  const pages = new Map(paged.pages)
  pages.delete(number)
  pages.set(number, data)
  for (const key of pages.keys()) {
    if (pages.size <= mostPages) break
    pages.delete(key)
  }
  const isLast = next_cursor === null || next_cursor === undefined
  const cursors = isLast ? paged.cursors.slice(0, number + 1) : [...paged.cursors]
  if (!isLast) cursors[number + 1] = next_cursor
  return {
    size: paged.size,
    cursors,
    pages,
    total: isLast ? number * paged.size + data.length : paged.total
  }
}

/** The most pages of a list that are read again to bring it up to date. */
const mostReread = 10

/**
 * The pages to read anew, one after another, so that the visible rows are current. In a short list these are all known
 * pages, and in a long one only the visible ones.
 */
export const rereadPages = <A>(
  { cursors, pages, size }: Paged<A>,
  from: number,
  to: number
): { readonly first: number; readonly last: number } => {
  const known = Math.max(0, ...pages.keys())
  if (known < mostReread) return { first: 0, last: known }
  const last = Math.min(Math.floor(Math.max(from, to - 1) / size), cursors.length - 1)
  return { first: last < mostReread ? 0 : Math.min(Math.floor(from / size), last), last }
}

/**
 * Replaces the pages from the first of these on. They were read one after another, and everything after them is unread
 * again.
 */
export const withReread = <A>(paged: Paged<A>, first: number, pages: ReadonlyArray<Page<A>>): Paged<A> => {
  const before: Paged<A> = {
    size: paged.size,
    cursors: paged.cursors.slice(0, first + 1),
    pages: new Map([...paged.pages].filter(([number]) => number < first)),
    total: undefined
  }
  return pages.reduce((known, page, index) => withPage(known, first + index, page), before)
}

/** With this item in place of the one that is the same, wherever it is in memory. */
export const withItem = <A>(paged: Paged<A>, item: A, isSame: (known: A) => boolean): Paged<A> => ({
  ...paged,
  pages: new Map([...paged.pages].map(([number, items]) => [
    number,
    items.some(isSame) ? items.map((known) => isSame(known) ? item : known) : items
  ]))
})
