import { useEffect } from "preact/hooks"
import { place as address, query } from "../../../browser/client/Location.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import { clubId } from "../View.ts"
import { keyOf, type Place, threadOf } from "./calls.ts"
import type { Comment } from "./comments.ts"

const elementOf = (id: string) => document.getElementById(`comment-${id}`)

/** The address that has led to its comment. A reader who scrolls on is not led back. */
let led: unknown

/** Leads to this comment if the address names it: `…?comment=<id>`. */
export const useLead = (id: string): void => {
  const isSought = query.value.get("comment") === id
  useEffect(() => {
    if (!isSought || led === address.peek()) return
    led = address.peek()
    elementOf(id)?.scrollIntoView({ block: "center" })
    elementOf(id)?.focus({ preventScroll: true })
  }, [isSought, address.value])
}

/** The thread of the comment that the address names. Undefined if the discussion at this place has no such comment. */
export const useSought = (place: Place): { readonly thread: Comment | undefined; readonly isLoading: boolean } => {
  const sought = query.value.get("comment")
  const { data, error } = useRead(
    sought === null ? undefined : `${clubId}/${keyOf(place)}/of/${sought}`,
    async (signal) => ({ thread: await threadOf(place, sought ?? "", signal) })
  )
  return { thread: data?.thread, isLoading: sought !== null && data === undefined && error === undefined }
}
