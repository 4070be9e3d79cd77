import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { said, spoken } from "../../client/Language.ts"

const words = spoken(
  { search: "Search by title or file name" },
  { search: "Busque por título ou nome do arquivo" }
)

/** In milliseconds: so long nothing was typed. */
const pause = 250

interface MediaSearchProps {
  readonly value: string
  readonly change: (text: string) => void
}

/** What is searched for in the library, told once nothing more is typed. */
export const MediaSearch = ({ change, value }: MediaSearchProps) => {
  const text = useSignal(value)
  // Going back changes what is searched for.
  useEffect(() => {
    if (text.peek().trim() !== value) text.value = value
  }, [value])
  useEffect(() => {
    if (text.value.trim() === value) return undefined
    const timer = setTimeout(() => change(text.peek().trim()), pause)
    return () => clearTimeout(timer)
  }, [text.value])
  return (
    <input
      class="search-field"
      type="search"
      aria-label={said(words).search}
      placeholder={said(words).search}
      maxLength={100}
      value={text.value}
      onInput={(event) => (text.value = event.currentTarget.value)}
    />
  )
}
