import MiniSearch, { type Query } from "minisearch"
import { html, type Markup } from "../../platform/pages/Html.ts"
import { alike, unsaid } from "./Words.ts"

/** Something that can be found. */
export interface Entry {
  readonly kind: "Guide" | "Operation" | "Event"
  readonly title: string
  /** Where it is on our pages. */
  readonly address: string
  /** Beside the title: the route, or the guide that it is in. */
  readonly place: string
  /** Names that somebody may look for: fields, codes, paths. */
  readonly names: string
  /** The text of the entry. */
  readonly text: string
}

/** Lower case, without accents. */
const folded = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase()

/** Separators of the parts of a path, and within those. */
const joints = [/\//, /[^\p{L}\p{N}]+/u]

/** Words, fields, paths and codes, each as a whole. */
const wholesOf = (text: string) =>
  folded(text).split(/[^\p{L}\p{N}_./-]+/u).map((piece) => piece.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""))
    .filter((whole) => whole !== "")

/** Words, and of a field, a path or a code its parts too: `slug_taken` is found by all of it and by `taken`. */
const wordsOf = (text: string) =>
  wholesOf(text).flatMap((whole) => [...new Set([whole, ...joints.flatMap((joint) => whole.split(joint))])])

/** The searched index: its words lead to the number of an entry. */
export interface SearchIndex {
  readonly entries: ReadonlyArray<Entry>
  readonly words: MiniSearch<Entry & { readonly number: number }>
}

/** The weight of a word, by its place. */
const weights = { title: 6, names: 2, place: 2, text: 1 }

/** A guide explains how to do something, so it comes before the operations that it names. */
const kinds = { Guide: 2, Event: 1, Operation: 1 }

/** Entries read at once, so that other requests run between. */
const chunkSize = 25

/** Reads these entries, some at a time. */
export const indexOf = async (entries: ReadonlyArray<Entry>): Promise<SearchIndex> => {
  const words: SearchIndex["words"] = new MiniSearch({
    idField: "number",
    fields: Object.keys(weights),
    tokenize: wordsOf,
    processTerm: (term) => term
  })
  await words.addAllAsync(entries.map((entry, number) => ({ ...entry, number })), { chunkSize })
  return { entries, words }
}

/** More words than these say nothing more. */
const mostWords = 8
/** A question is not longer than this, in characters. */
export const longestQuestion = 100
const mostFound = 20

/** The significant words of a question, or all of them if it has no significant word. */
const askedWords = (question: string) => {
  const words = [...new Set(wholesOf(question.slice(0, longestQuestion)))]
  const telling = words.filter((word) => !unsaid.has(word))
  return (telling.length === 0 ? words : telling).slice(0, mostWords)
}

/**
 * The most typing errors of a term: zero in three letters, one in up to five, two in more. Swapped letters are
 * two.
 */
const typos = (term: string) => term.length < 4 || /[\d_./]/.test(term) ? 0 : term.length < 6 ? 1 : 2

const queryOf = (word: string): Query => ({ combineWith: "OR", queries: [word, ...alike(word)] })

/** The entries in which every word of the question is, or one like it, the best first. */
export const search = ({ entries, words }: SearchIndex, question: string): ReadonlyArray<Entry> => {
  const kindOf = (number: number) => entries[number]?.kind ?? "Operation"
  const find = (fuzzy: (term: string) => number) =>
    words.search({ combineWith: "AND", queries: askedWords(question).map(queryOf) }, {
      boost: weights,
      boostDocument: (number) => kinds[kindOf(number)],
      tokenize: (word) => [word],
      prefix: true,
      fuzzy,
      weights: { prefix: 0.6, fuzzy: 0.2 }
    })
  const exact = find(() => 0)
  // A word that is spelled right is not mistyped: “scopes” does not find “cores”.
  const found = exact.length > 0 ? exact : find(typos)
  return found.slice(0, mostFound).flatMap(({ id }) => entries[id] ?? [])
}

const excerptLength = 140

/** The text around the first word that is found there. */
const excerptOf = ({ text }: Entry, question: string) => {
  const places = askedWords(question).map((word) => folded(text).indexOf(word)).filter((at) => at >= 0)
  const from = Math.max(0, Math.min(...places, text.length) - 40)
  const begin = from === 0 || places.length === 0 ? 0 : text.indexOf(" ", from) + 1
  const end = begin + excerptLength
  return `${begin === 0 ? "" : "… "}${text.slice(begin, end).trim()}${end < text.length ? " …" : ""}`
}

/** The results as a list of links. The script of the pages shows it below its field, without the rest of a page. */
export const foundList = (question: string, found: ReadonlyArray<Entry>): Markup =>
  found.length === 0
    ? html`<p class="none">Nothing says “${question}”. Try one word, a field, a path or a code.</p>`
    : html`<ol class="found">${
      found.map((entry) =>
        html`<li><a href="${entry.address}"><span class="kind">${entry.kind}</span> <strong>${entry.title}</strong> <code>${entry.place}</code>
<span class="excerpt">${excerptOf(entry, question)}</span></a></li>`
      )
    }</ol>`
