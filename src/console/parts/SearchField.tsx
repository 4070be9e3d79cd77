import { useSignal } from "@preact/signals"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { typingPause } from "../client/Delayed.ts"

interface SearchFieldProps {
  readonly label: string
  /** What is searched for. */
  readonly value: string
  readonly change: (text: string) => void
}

/** What is searched for in a list, told once nothing more is typed. */
export const SearchField = ({ change, label, value }: SearchFieldProps) => {
  const text = useSignal(value)
  const told = useRef(value)
  // Going back changes what is searched for. What was told from here is no news: more may have been typed since.
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
