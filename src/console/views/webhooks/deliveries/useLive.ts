import { type Signal, useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { useList } from "../../../../browser/client/Lists.ts"
import type { LoadPage, LongList } from "../../../../browser/client/LongList.ts"
import { currentMillis } from "../../../../browser/client/Time.ts"
import type { Delivery } from "../model/Explanation.ts"
import {
  lateOf,
  leavesGap,
  type Listed,
  newerThan,
  newestOf,
  pruned,
  type ReceivedItems,
  rowAt,
  withRead
} from "../model/LiveRows.ts"
import type { Following } from "../parts/useFollowing.ts"
import { mostTogether, pageOf, useFollowed, type Wanted } from "./useFollowed.ts"

/** Number of changes that the list keeps before it is read again. */
const mostTold = 2000

/** How far one has scrolled, in pixels, when what is new no longer pushes the rest down. */
const away = 240

/** How often the list is read anew at most since it lacks something, in milliseconds. */
const renewEvery = 3000

/** A list that learns of news by itself. */
export interface LiveList {
  readonly list: LongList<Delivery>
  readonly following: Following
  /** Number of new deliveries held back because the reader is further down. */
  readonly unseen: number
  /** True if there may be more of them. */
  readonly isMoreUnseen: boolean
  readonly showUnseen: () => void
}

const useIsAway = () => {
  const isAway = useSignal(scrollY > away)
  useEffect(() => {
    const look = () => {
      isAway.value = scrollY > away
    }
    addEventListener("scroll", look, { passive: true })
    return () => removeEventListener("scroll", look)
  }, [])
  return isAway.value
}

interface Heard {
  readonly received: Signal<ReceivedItems<Delivery>>
  readonly listed: Signal<Listed | undefined>
  /** True if deliveries between the changes and the list may be missing. */
  readonly hasGap: Signal<boolean>
  /** The changes that arrive during a read of the first page. */
  since: Map<string, Delivery> | undefined
  /** The time of that read, and whether it reads all of the list anew. */
  asked: number
  isRenewing: boolean
}

const loadFirst = async (heard: Heard, wanted: Wanted, page: Parameters<LoadPage<Delivery>>[0]) => {
  const since = new Map<string, Delivery>()
  heard.since = since
  heard.asked = currentMillis()
  try {
    const read = await pageOf(wanted, page)
    if (page.signal.aborted) return read
    const before = heard.listed.peek()
    const listed = withRead(undefined, read)
    heard.listed.value = listed
    heard.received.value = new Map(since)
    // If only the first page was read anew, it no longer fits the pages after it.
    const isApart = before !== undefined && before.newest !== listed.newest && !heard.isRenewing
    heard.hasGap.value = isApart || leavesGap([...since.values()], listed.newest, mostTogether)
    heard.isRenewing = false
    return read
  } finally {
    if (heard.since === since) heard.since = undefined
  }
}

/** Reads pages, and keeps what of the list was read by them. */
const loading = (heard: Heard, wanted: Wanted): LoadPage<Delivery> => async (page) => {
  if (page.cursor === undefined) return loadFirst(heard, wanted, page)
  const read = await pageOf(wanted, page)
  if (!page.signal.aborted) heard.listed.value = withRead(heard.listed.peek(), read)
  return read
}

const hearing = (heard: Heard, bound: string) => (deliveries: ReadonlyArray<Delivery>) => {
  const { hasGap, listed, received } = heard
  if (leavesGap(deliveries, newestOf(received.peek(), listed.peek()), mostTogether)) hasGap.value = true
  const next = new Map(received.peek())
  for (const delivery of deliveries) {
    next.set(delivery.id, delivery)
    heard.since?.set(delivery.id, delivery)
  }
  const kept = pruned(next, bound, mostTold)
  // Dropped changes come with the rest, once the reader goes to the top.
  if (next.size > mostTold) hasGap.value = true
  received.value = kept
}

/** Reads the list anew if it lacks something, unless the reader is further down. */
const useRenewed = (lacks: boolean, heard: Heard, { error, isLoading, reload }: LongList<Delivery>) => {
  const isDue = lacks && !isLoading && error === undefined
  useEffect(() => {
    if (!isDue) return undefined
    const timer = setTimeout(reload, Math.max(0, heard.asked + renewEvery - currentMillis()))
    return () => clearTimeout(timer)
  }, [isDue])
}

/** The deliveries of a filter, page by page, with the changes since. One component follows one list. */
export const useLive = (key: string, wanted: Wanted): LiveList => {
  const received = useSignal<ReceivedItems<Delivery>>(new Map())
  const listed = useSignal<Listed | undefined>(undefined)
  const hasGap = useSignal(false)
  const heard = useRef<Heard>({ received, listed, hasGap, since: undefined, asked: 0, isRenewing: false }).current
  const list = useList(key, loading(heard, wanted), true)
  const isAway = useIsAway()
  const shownTo = useRef("")
  const all = newerThan(received.value, listed.value?.newest)
  const { status } = wanted.filter
  const late = lateOf(received.value, listed.value, (one) => status === undefined || one.status === status)
  if (!isAway) shownTo.current = all[0]?.id ?? ""
  const bound = shownTo.current === "" ? listed.value?.newest ?? "" : shownTo.current
  const newer = isAway ? all.filter(({ id }) => id <= bound) : all
  const following = useFollowed(key, wanted, hearing(heard, bound))
  const reload = () => {
    heard.isRenewing = true
    list.reload()
  }
  useRenewed(!isAway && (hasGap.value || late.length > 0), heard, { ...list, reload })
  return {
    following,
    unseen: isAway ? all.length - newer.length + late.length : 0,
    isMoreUnseen: hasGap.value,
    showUnseen: () => scrollTo(0, 0),
    list: {
      ...list,
      rows: list.rows + newer.length,
      total: list.total === undefined ? undefined : list.total + newer.length,
      item: (row) => rowAt(newer, list.item, received.value, row),
      look: (from, to) => list.look(Math.max(0, from - newer.length), Math.max(0, to - newer.length)),
      reload
    }
  }
}
