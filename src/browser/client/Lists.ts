import { type Signal, signal } from "@preact/signals"
import { useLayoutEffect } from "preact/hooks"
import type { TurmaError } from "../../sdk/index.ts"
import { fullPages } from "./FullPages.ts"
import type { LoadPage, LongList } from "./LongList.ts"
import {
  itemAt,
  type Page,
  type Paged,
  rereadPages,
  rowsOf,
  unread,
  wantedPages,
  withItem,
  withPage,
  withReread
} from "./Paged.ts"
import { type CachedRead, makeReadCache } from "./ReadCache.ts"
import { failureOf, type Read } from "./Reads.ts"
import { makeRecovery } from "./Recovery.ts"
import { isWithdrawn } from "./Withdrawn.ts"

/** Number of items of a page: the most that the API answers. */
const pageSize = 100

/** Number of unused lists that stay in memory, for a reader who goes back. */
const mostKept = 10

/** Rows from one to another, which is not one of them. */
interface Rows {
  readonly from: number
  readonly to: number
}

interface Entry<A> extends CachedRead {
  readonly paged: Signal<Paged<A>>
  readonly error: Signal<TurmaError | undefined>
  /** Number of pages being read. */
  readonly pending: Signal<number>
  load: LoadPage<A>
  readers: number
  /** The rows shown last, and the rows to show once there is a reader. */
  seen: Rows
  wanted: Rows
  readonly look: (from: number, to: number) => void
  /** Reads from the beginning and forgets the rows so far. */
  readonly begin: () => void
  /** The same, but what is known stays until the answer. */
  readonly renew: () => void
  readonly stop: () => void
}

const make = <A>(first: LoadPage<A>, isFollowed: boolean): Entry<A> => {
  let controller = new AbortController()
  const reading = new Set<number>()
  const paged = signal<Paged<A>>(unread(pageSize))
  const error = signal<TurmaError | undefined>(undefined)
  const pending = signal(0)

  const stop = () => {
    controller.abort()
    controller = new AbortController()
    reading.clear()
    pending.value = 0
  }

  /** Does what reads, and keeps why it failed, unless it was ended. */
  const run = async (work: (signal: AbortSignal) => Promise<void>) => {
    const { signal } = controller
    pending.value++
    try {
      await work(signal)
      if (signal.aborted) return
      error.value = undefined
      recovery.worked()
    } catch (thrown) {
      if (signal.aborted) return
      error.value = failureOf(thrown)
      if (isWithdrawn(error.value)) paged.value = unread(pageSize)
      recovery.failed(error.value)
    } finally {
      if (!signal.aborted) pending.value--
    }
    // The cursor of the next page may be known only now.
    if (!signal.aborted && error.peek() === undefined) look(entry.seen.from, entry.seen.to)
  }

  const readPage = (number: number) =>
    run(async (signal) => {
      reading.add(number)
      try {
        const page = await entry.load({ cursor: paged.peek().cursors[number], limit: pageSize, signal })
        if (!signal.aborted) paged.value = withPage(paged.peek(), number, page)
      } finally {
        if (!signal.aborted) reading.delete(number)
      }
    })

  const readFrom = async (cursor: string | undefined, count: number, signal: AbortSignal): Promise<Array<Page<A>>> => {
    const page = await entry.load({ cursor, limit: pageSize, signal })
    const next = page.next_cursor ?? undefined
    return count <= 1 || next === undefined ? [page] : [page, ...await readFrom(next, count - 1, signal)]
  }

  const look = (from: number, to: number) => {
    entry.wanted = { from, to }
    if (entry.readers === 0) return
    entry.seen = { from, to }
    for (const number of wantedPages(paged.peek(), from, to)) if (!reading.has(number)) void readPage(number)
  }

  const readAnew = () => {
    stop()
    paged.value = unread(pageSize)
    entry.seen = { from: 0, to: 1 }
    void readPage(0)
  }

  const begin = () => {
    error.value = undefined
    readAnew()
  }

  const renew = () => {
    if (paged.peek().pages.size === 0) {
      begin()
      return
    }
    stop()
    void run(async (signal) => {
      const page = await entry.load({ cursor: undefined, limit: pageSize, signal })
      if (!signal.aborted) paged.value = withPage(unread(pageSize), 0, page)
    })
  }

  const refresh = () => {
    // Why it failed stays on the page until there is an answer.
    if (paged.peek().pages.size === 0) {
      readAnew()
      return
    }
    // A list that follows a stream learns of news by itself.
    if (isFollowed && error.peek() === undefined) return
    stop()
    const { first, last } = rereadPages(paged.peek(), entry.seen.from, entry.seen.to)
    void run(async (signal) => {
      const pages = await readFrom(paged.peek().cursors[first], last - first + 1, signal)
      if (!signal.aborted) paged.value = withReread(paged.peek(), first, pages)
    })
  }

  const recovery = makeRecovery(() => {
    if (entry.isUsed() && !entry.isRunning()) refresh()
  })

  const entry: Entry<A> = {
    paged,
    error,
    pending,
    load: first,
    readers: 0,
    seen: { from: 0, to: 1 },
    wanted: { from: 0, to: 1 },
    look,
    begin,
    renew,
    stop,
    refresh,
    clear: () => {
      stop()
      paged.value = unread(pageSize)
      error.value = undefined
    },
    // A reader who goes back finds their place in the list, and the list is read anew.
    survivesChanges: true,
    isUsed: () => entry.readers > 0,
    isRunning: () => pending.peek() > 0,
    isRefused: () => error.peek()?.status === 401
  }
  return entry
}

const lists = makeReadCache<Entry<unknown>>(mostKept)

const entryOf = (key: string, read: LoadPage<unknown>, isFollowed: boolean, shown?: Entry<unknown>) => {
  // The API may answer any page short, and a page is found by its rows.
  const load = fullPages(read)
  const entry = lists.take(key, () => make(load, isFollowed), shown)
  entry.load = load
  return entry
}

/**
 * A list that is read page by page as it is looked at. The key names the request and its filters: `${club}/students?…`.
 * Read anew when the page is looked at again and after `changed`, unless it is followed: then it begins anew whenever
 * somebody comes to it.
 */
export function useList<A>(key: string, load: LoadPage<A>, isFollowed?: boolean): LongList<A>
// The entry of a key comes from the `load` of the same key.
export function useList(key: string, load: LoadPage<unknown>, isFollowed = false): LongList<unknown> {
  const entry = entryOf(key, load, isFollowed)
  // Left at once, as a read is.
  useLayoutEffect(() => {
    // The list on the page stays the known one, even if its shelf has forgotten it since.
    const used = entryOf(key, load, isFollowed, entry)
    used.readers++
    if (isFollowed) used.begin()
    else if (used.readers === 1) used.refresh()
    used.look(used.wanted.from, used.wanted.to)
    return () => {
      used.readers--
      if (used.readers === 0) used.stop()
    }
  }, [key])
  const known = entry.paged.value
  const error = entry.error.value
  return {
    rows: rowsOf(known),
    total: known.total,
    item: (row) => itemAt(known, row),
    isLoading: entry.pending.value > 0 || known.pages.size === 0 && error === undefined,
    error,
    look: entry.look,
    reload: isFollowed ? entry.renew : entry.refresh,
    replace: (item, isSame) => {
      entry.paged.value = withItem(entry.paged.peek(), item, isSame)
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
