import { Option } from "effect"
import type { Citation } from "../../material/search/Citation.ts"
import type { Passage } from "../../material/search/Material.ts"

/** What a model says that it read, and in which passage, counted from 1. */
export interface Quote {
  readonly passage: number
  readonly text: string
}

/** Less than this stands everywhere, and shows nothing. In UTF-16 code units. */
const shortest = 8

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")

/** The words as they stand in `body`, where only the white space between them may be another. */
const standing = (body: string, text: string): Option.Option<string> => {
  const words = text.trim()
  if (words.length < shortest) return Option.none()
  const pattern = new RegExp(words.split(/\s+/).map(escaped).join("\\s+"))
  return Option.map(Option.fromNullishOr(pattern.exec(body)), ([found]) => found)
}

/** The citation that the quote is, if it stands word for word in the passage that it names. */
export const citationOf = (passages: ReadonlyArray<Passage>, quote: Quote): Option.Option<Citation> =>
  Option.flatMap(
    Option.fromNullishOr(passages[quote.passage - 1]),
    ({ body, source }) => Option.map(standing(body, quote.text), (cited_text) => ({ ...source, cited_text }))
  )

/** Whether both show the same words of the same place. */
export const isSameCitation = (one: Citation, other: Citation): boolean =>
  one.cited_text === other.cited_text && one.source_id === other.source_id && one.lesson_id === other.lesson_id &&
  one.page_from === other.page_from
