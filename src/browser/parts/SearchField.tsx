import { useSignal } from "@preact/signals"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { typingPause } from "../client/Delayed.ts"

interface SearchFieldProps {
  readonly label: string
  /** The search text of the list. */
  readonly value: string
  readonly change: (text: string) => void
}

/** The search text of a list. It reports the text once typing stops. */
export const SearchField = ({ change, label, value }: SearchFieldProps) => {
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
  return (
    <input
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
