import { useSignal } from "@preact/signals"
import type { RefObject } from "preact"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { typingPause, useDelayed } from "../../../browser/client/Delayed.ts"
import { type Kept, useDraft } from "../../../browser/client/Drafts.ts"
import { findPeople, type Person } from "../people.ts"
import { chosenIn, mentionAt, mentionsIn, withMention } from "./mentions.ts"

/** The people to mention in a text that somebody writes. */
export interface Mentions {
  readonly people: ReadonlyArray<Person>
  /** The place of the marked person among them. */
  readonly marked: number
  /** The caret has moved. */
  readonly look: (caret: number) => void
  readonly choose: (person: Person) => void
  readonly close: () => void
  /** Takes a key that is for the list. Answers whether it was. */
  readonly press: (event: KeyboardEvent) => boolean
  /** The ids to send with the text. */
  readonly ids: () => Array<string>
  readonly clear: () => void
}

/** The people whose names begin so. Empty until typing stops. */
const useFound = (query: string | undefined): ReadonlyArray<Person> => {
  const found = useSignal<ReadonlyArray<Person>>([])
  const settled = useDelayed(query, typingPause)
  const isSettled = query !== undefined && settled === query
  useEffect(() => {
    if (!isSettled) return undefined
    const controller = new AbortController()
    findPeople(query, controller.signal).then(
      (people) => (found.value = people),
      // Without the list the writer still has the text.
      () => {
        if (!controller.signal.aborted) found.value = []
      }
    )
    return () => controller.abort()
  }, [settled, isSettled])
  return query === undefined ? [] : found.value
}

/** Offers people after an `@` in a field, and keeps the chosen ones with the draft of this key. */
export const useMentions = (key: string, text: Kept, field: RefObject<HTMLTextAreaElement | null>): Mentions => {
  const kept = useDraft(`${key}/mentions`)
  const caret = useSignal<number | undefined>(undefined)
  const marked = useSignal(0)
  const next = useRef<number>(undefined)
  const begun = caret.value === undefined ? undefined : mentionAt(text.text, caret.value)
  const people = useFound(begun?.query)
  const mark = people.length === 0 ? 0 : marked.value % people.length
  // A chosen name moves the caret, which a browser puts at the end of a new text.
  useLayoutEffect(() => {
    if (next.current === undefined) return
    field.current?.setSelectionRange(next.current, next.current)
    field.current?.focus()
    next.current = undefined
  }, [text.text])
  const close = () => {
    caret.value = undefined
    marked.value = 0
  }
  const choose = ({ id, name }: Person) => {
    if (begun === undefined) return
    const written = withMention(text.text, begun, name)
    kept.set(JSON.stringify([...chosenIn(kept.text), { id, name }]))
    next.current = written.caret
    text.set(written.text)
    close()
  }
  const act = (key: string) => {
    const person = people[mark]
    if (key === "ArrowDown") marked.value = mark + 1
    else if (key === "ArrowUp") marked.value = mark + people.length - 1
    else if (key === "Escape") close()
    else if ((key === "Enter" || key === "Tab") && person !== undefined) choose(person)
    else return false
    return true
  }
  return {
    people,
    marked: mark,
    look: (now) => {
      caret.value = now
    },
    choose,
    close,
    press: (event) => {
      if (people.length === 0 || event.ctrlKey || event.metaKey || !act(event.key)) return false
      event.preventDefault()
      event.stopPropagation()
      return true
    },
    ids: () => [...mentionsIn(text.text, chosenIn(kept.text))],
    clear: kept.clear
  }
}
