import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { typingPause, useDelayed } from "../../../browser/client/Delayed.ts"
import { useDraft } from "../../../browser/client/Drafts.ts"
import { findPeople, type Person } from "../people.ts"
import { chosenIn, mentionAt, mentionsIn, withMention } from "./mentions.ts"

interface Field {
  readonly text: string
  readonly set: (text: string) => void
  /** Puts the caret there. */
  readonly place: (caret: number) => void
}

/** The people to mention in a text that somebody writes. */
export interface Mentions {
  readonly people: ReadonlyArray<Person>
  readonly marked: number
  /** The caret has moved. */
  readonly look: (caret: number) => void
  /** Moves the mark down, or up by a negative number. */
  readonly move: (by: number) => void
  readonly choose: (person: Person) => void
  readonly close: () => void
  /** The ids to send with the text. */
  readonly ids: () => ReadonlyArray<string>
  readonly clear: () => void
}

/** Offers people after an `@`, and keeps the chosen ones with the draft of this key. */
export const useMentions = (key: string, field: Field): Mentions => {
  const kept = useDraft(`${key}/mentions`)
  const caret = useSignal<number | undefined>(undefined)
  const found = useSignal<ReadonlyArray<Person>>([])
  const marked = useSignal(0)
  const begun = caret.value === undefined ? undefined : mentionAt(field.text, caret.value)
  const query = useDelayed(begun?.query, typingPause)
  const isAsked = query !== undefined && query === begun?.query
  useEffect(() => {
    if (!isAsked) return undefined
    let isWanted = true
    findPeople(query).then(
      (people) => {
        if (!isWanted) return
        found.value = people
        marked.value = 0
      },
      // Without the list the writer still has the text.
      () => (found.value = [])
    )
    return () => {
      isWanted = false
    }
  }, [query, isAsked])
  const people = begun === undefined ? [] : found.value
  const close = () => {
    caret.value = undefined
    found.value = []
  }
  return {
    people,
    marked: marked.value,
    look: (now) => {
      caret.value = now
    },
    move: (by) => {
      marked.value = (marked.peek() + by + people.length) % people.length
    },
    choose: ({ id, name }) => {
      if (begun === undefined) return
      const written = withMention(field.text, begun, name)
      kept.set(JSON.stringify([...chosenIn(kept.text), { id, name }]))
      field.set(written.text)
      close()
      field.place(written.caret)
    },
    close,
    ids: () => mentionsIn(field.text, chosenIn(kept.text)),
    clear: kept.clear
  }
}
