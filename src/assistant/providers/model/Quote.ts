import { Option } from "effect"
import type { StoredCitation } from "../../material/search/Citation.ts"
import { citing, type Passage } from "../../material/search/Material.ts"

/** A model's quote and its passage, counted from 1. */
export interface Quote {
  readonly passage: number
  readonly text: string
}

/** A shorter quote proves nothing, because many texts contain it. In UTF-16 code units. */
const shortest = 8

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")

/** The words as `body` has them; only the white space between them may differ. */
const findIn = (body: string, text: string): Option.Option<string> => {
  const words = text.trim()
  if (words.length < shortest) return Option.none()
  const pattern = new RegExp(words.split(/\s+/).map(escaped).join("\\s+"))
  return Option.map(Option.fromNullishOr(pattern.exec(body)), ([found]) => found)
}

/** The quote as a citation, if its passage contains it word for word. */
export const citationOf = (passages: ReadonlyArray<Passage>, quote: Quote): Option.Option<StoredCitation> =>
  Option.flatMap(
    Option.fromNullishOr(passages[quote.passage - 1]),
    (passage) => Option.map(findIn(passage.body, quote.text), (cited_text) => citing(passage, cited_text))
  )

/** True if both cite the same words of the same source and page in the same lesson. */
export const isSameCitation = (one: StoredCitation, other: StoredCitation): boolean =>
  one.cited_text === other.cited_text && one.source_id === other.source_id && one.lesson_id === other.lesson_id &&
  one.page_from === other.page_from
