import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { useList } from "../../../client/Lists.ts"
import type { LongList } from "../../../client/LongList.ts"
import type { Delivery } from "../model/Explanation.ts"
import { newerThan, rowAt, type Told } from "../model/LiveRows.ts"
import { type Following, pageOf, useFollowed, type Wanted } from "./useFollowed.ts"

/** How much is told before the list is read anew. */
const mostTold = 2000

/** How far one has scrolled, in pixels, when what is new no longer pushes the rest down. */
const away = 240

/** A list that tells of itself what is new. */
export interface LiveList {
  readonly list: LongList<Delivery>
  readonly following: Following
  /** How many are new, and held back because somebody reads further down. */
  readonly unseen: number
  readonly showUnseen: () => void
}

/** The id of the newest that was read, once anything was: empty for an empty list. */
const useNewest = (list: LongList<Delivery>) => {
  const newest = useSignal<string | undefined>(undefined)
  const wasLoading = useRef(false)
  useEffect(() => {
    if (newest.peek() !== undefined) return
    const first = list.item(0)
    if (first !== undefined) newest.value = first.id
    else if (wasLoading.current && !list.isLoading && list.error === undefined) newest.value = ""
    wasLoading.current = list.isLoading
  })
  return newest
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

/** The deliveries that are wanted, page by page, and what is told of them since. One component follows one list. */
export const useLive = (key: string, wanted: Wanted): LiveList => {
  const list = useList(key, (page) => pageOf(wanted, page), true)
  const told = useSignal<Told<Delivery>>(new Map())
  const newest = useNewest(list)
  const isAway = useIsAway()
  const shownTo = useRef<string | undefined>(undefined)
  const reload = () => {
    told.value = new Map()
    newest.value = undefined
    shownTo.current = undefined
    list.reload()
  }
  const following = useFollowed(key, wanted, (deliveries) => {
    const next = new Map(told.peek())
    for (const delivery of deliveries) next.set(delivery.id, delivery)
    if (next.size > mostTold) reload()
    else told.value = next
  })
  const all = newerThan(told.value, newest.value)
  const bound = shownTo.current ?? newest.value ?? ""
  const newer = isAway ? all.filter(({ id }) => id <= bound) : all
  if (!isAway) shownTo.current = all[0]?.id
  return {
    following,
    unseen: all.length - newer.length,
    showUnseen: () => scrollTo(0, 0),
    list: {
      ...list,
      rows: list.rows + newer.length,
      item: (row) => rowAt(newer, list.item, told.value, row),
      look: (from, to) => list.look(Math.max(0, from - newer.length), Math.max(0, to - newer.length)),
      reload
    }
  }
}
