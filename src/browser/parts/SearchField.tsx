import { useSignal } from "@preact/signals"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { typingPause } from "../client/Delayed.ts"

interface SearchFieldProps {
  readonly label: string
  /** The search text of the list. */
  readonly value: string
  readonly change: (text: string) => void
  /** True if the reader comes to the page for this field. */
  readonly isFocused?: boolean
}

/** The search text of a list. It reports the text once typing stops. */
export const SearchField = ({ change, isFocused = false, label, value }: SearchFieldProps) => {
  const field = useRef<HTMLInputElement>(null)
  const text = useSignal(value)
  const told = useRef(value)
  // Going back changes the search text. A text reported from here is not news: the reader may have typed more since.
  useLayoutEffect(() => {
    if (value === told.current) return
    told.current = value
    text.value = value
  }, [value])
  useEffect(() => {
    const timer = setTimeout(() => {
      const wanted = text.peek().trim()
      if (wanted === told.current) return
      told.current = wanted
      change(wanted)
    }, typingPause)
    return () => clearTimeout(timer)
  }, [text.value])
  // After the page has led its reader to its start.
  useEffect(() => {
    if (isFocused) field.current?.focus()
  }, [])
  return (
    <input
      ref={field}
      class="search-field"
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={100}
      value={text.value}
      onInput={(event) => (text.value = event.currentTarget.value)}
    />
  )
}
