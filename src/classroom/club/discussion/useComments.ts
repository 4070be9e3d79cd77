import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { type Change, type Comment, isShown } from "./comments.ts"

/** Shows a change of a comment over what was read. */
interface Overlay {
  /** The comment as it was read. The overlay ends once it is read anew. */
  readonly read: Comment
  readonly shown: Comment
}

/** The shown comments, and their changes before the service has them. */
export interface KnownComments {
  readonly shown: ReadonlyArray<Comment>
  /** Changes a comment. Made again after the answer, a change leaves the comment as it is. */
  readonly change: (id: string, change: Change) => void
  /** Shows one more. */
  readonly add: (comment: Comment) => void
  /** Shows `now` in place of an added one. Without `now` it is shown no longer. */
  readonly settle: (id: string, now?: Comment) => void
}

/** The read comments with what the reader does to them. Added ones stand at `end`, until they are among the read ones. */
export const useComments = (read: ReadonlyArray<Comment>, end: "first" | "last"): KnownComments => {
  const overlays = useSignal<ReadonlyMap<string, Overlay>>(new Map())
  const added = useSignal<ReadonlyArray<Comment>>([])
  const known = new Map(read.map((comment) => [comment.id, comment]))
  // A write may end after the next render, so it looks into what is read then.
  const latest = useRef(known)
  latest.current = known
  const overlaid = (comment: Comment, { read, shown }: Overlay = { read: comment, shown: comment }) =>
    read === comment ? shown : comment
  const ofRead = read.map((comment) => overlaid(comment, overlays.value.get(comment.id)))
  const ofReader = added.value.filter(({ id }) => !known.has(id))
  return {
    shown: (end === "first" ? [...ofReader, ...ofRead] : [...ofRead, ...ofReader]).filter(isShown),
    change: (id, change) => {
      const read = latest.current.get(id)
      if (read === undefined) added.value = added.peek().map((one) => one.id === id ? change(one) : one)
      else {
        const shown = change(overlaid(read, overlays.peek().get(id)))
        overlays.value = new Map(overlays.peek()).set(id, { read, shown })
      }
    },
    add: (comment) => {
      added.value = end === "first" ? [comment, ...added.peek()] : [...added.peek(), comment]
    },
    settle: (id, now) => {
      added.value = added.peek().flatMap((one) => one.id !== id ? [one] : now === undefined ? [] : [now])
    }
  }
}
