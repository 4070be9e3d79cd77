import { type Signal, signal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { forgetTabStored, readTabStored, writeTabStored } from "./BrowserStorage.ts"
import { personId } from "./Person.ts"

const prefix = "turma-draft "

/** The drafts of one person in this tab. */
const ofPerson = (person: string) => `${prefix}${person} `

/** A text that somebody writes. It survives a failed request, an ended session and a reload of the tab. */
export interface Kept {
  readonly text: string
  readonly set: (text: string) => void
  /** It was sent, or its author gave it up. */
  readonly clear: () => void
}

const keep = (key: string, text: string) => {
  // An empty text is not a draft.
  if (text === "") forgetTabStored(key)
  else writeTabStored(key, text)
}

/** Known drafts, so that two readers of a draft show the same. */
const known = new Map<string, Signal<string>>()

const draftOf = (key: string): Signal<string> => {
  const found = known.get(key)
  if (found !== undefined) return found
  const made = signal(readTabStored(key) ?? "")
  known.set(key, made)
  return made
}

/** The draft of the signed-in person with this key: `lessons/respirar/comment`. Empty before they write. */
export const useDraft = (key: string): Kept => {
  const stored = `${ofPerson(personId.value ?? "")}${key};`
  const draft = useMemo(() => draftOf(stored), [stored])
  const set = (text: string) => {
    draft.value = text
    keep(stored, text)
  }
  return { text: draft.value, set, clear: () => set("") }
}

let person: string | undefined

// Somebody who signs out leaves nothing for the next person of this browser.
personId.subscribe((now) => {
  if (person !== undefined && now !== person) {
    forgetTabStored(ofPerson(person))
    known.clear()
  }
  person = now
})
