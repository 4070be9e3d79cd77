import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import type { TurmaError } from "../../sdk/index.ts"
import { session } from "./Api.ts"
import type { LoadPage, LongList } from "./LongList.ts"
import { itemAt, type Paged, rowsOf, unread, wantedPages, withItem, withPage } from "./Paged.ts"
import { failureOf, type Read } from "./Reads.ts"

/** How many items a page has: what the API answers at most. */
const pageSize = 100

/** A list that is read page by page as it is looked at. The key names the request and its filters. */
export const useList = <A>(key: string, load: LoadPage<A>): LongList<A> => {
  const paged = useSignal<Paged<A>>(unread(pageSize))
  const error = useSignal<TurmaError | undefined>(undefined)
  const pending = useSignal(0)
  const running = useRef({ controller: new AbortController(), pages: new Set<number>() })
  const seen = useRef({ from: 0, to: 1 })

  const readPage = async (number: number) => {
    const { controller: { signal }, pages } = running.current
    pages.add(number)
    pending.value++
    try {
      const page = await load({ cursor: paged.peek().cursors[number], limit: pageSize, signal })
      if (signal.aborted) return
      paged.value = withPage(paged.peek(), number, page)
      error.value = undefined
    } catch (thrown) {
      if (!signal.aborted) error.value = failureOf(thrown)
    } finally {
      if (!signal.aborted) {
        pages.delete(number)
        pending.value--
      }
    }
    // Where the next page begins may be known only now.
    if (!signal.aborted && error.peek() === undefined) look(seen.current.from, seen.current.to)
  }

  const look = (from: number, to: number) => {
    seen.current = { from, to }
    for (const number of wantedPages(paged.peek(), from, to)) {
      if (!running.current.pages.has(number)) void readPage(number)
    }
  }

  const begin = () => {
    running.current.controller.abort()
    running.current = { controller: new AbortController(), pages: new Set() }
    pending.value = 0
    paged.value = unread(pageSize)
    error.value = undefined
    seen.current = { from: 0, to: 1 }
    void readPage(0)
  }

  useEffect(() => {
    begin()
    return () => running.current.controller.abort()
  }, [key])

  // What was refused since the session had ended is asked again in the next.
  useEffect(() =>
    session.subscribe((now) => {
      if (now === "open" && error.peek()?.status === 401) begin()
    }), [])

  const known = paged.value
  return {
    rows: rowsOf(known),
    total: known.total,
    item: (row) => itemAt(known, row),
    isLoading: pending.value > 0,
    error: error.value,
    look,
    reload: begin,
    replace: (item, isSame) => {
      paged.value = withItem(paged.peek(), item, isSame)
    }
  }
}

/** A list that is short enough to be read whole, by `useRead`: it is read again when something of it changes. */
export const wholeList = <A>({ data, error, isLoading, reload }: Read<ReadonlyArray<A>>): LongList<A> => ({
  rows: data?.length ?? 0,
  total: data?.length,
  item: (row) => data?.[row],
  isLoading,
  error,
  look: () => {},
  reload,
  replace: () => {}
})

/** All items of a list of the API, however many pages it has: of one that is short enough to be read whole. */
export const allOf = async <A>(items: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const item of items) all.push(item)
  return all
}
