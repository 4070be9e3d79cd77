import { useEffect, useRef } from "preact/hooks"
import { place, query } from "../../../browser/client/Location.ts"
import type { LongList } from "../../../browser/client/LongList.ts"
import type { Comment } from "./comments.ts"
import { threadsToOpen } from "./sought.ts"

const elementOf = (id: string) => document.getElementById(`comment-${id}`)

/** The address that has led to its comment. A reader who scrolls on is not led back. */
let led: unknown

/** Leads to this comment if the address names it: `…?comment=<id>`. */
export const useLead = (id: string): void => {
  const isSought = query.value.get("comment") === id
  useEffect(() => {
    if (!isSought || led === place.peek()) return
    led = place.peek()
    elementOf(id)?.scrollIntoView({ block: "center" })
    elementOf(id)?.focus({ preventScroll: true })
  }, [isSought, place.value])
}

/** The most pages that are read for a comment: it may be older than all of them. */
const mostPages = 5

/** Reads on for the comment that the address names, and answers the ids of the threads to open for it. */
export const useSought = (list: LongList<Comment>, comments: ReadonlyArray<Comment>): ReadonlySet<string> => {
  const sought = query.value.get("comment")
  const tries = useRef(0)
  const opened = useRef<ReadonlySet<string>>(new Set())
  if (opened.current.size === 0) opened.current = threadsToOpen(comments, sought)
  useEffect(() => {
    if (sought === null || elementOf(sought) !== null || list.isLoading || list.total !== undefined) return
    if (list.rows === 0 || tries.current >= mostPages) return
    tries.current++
    list.look(list.rows - 1, list.rows)
  })
  return opened.current
}
