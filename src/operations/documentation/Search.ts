import { html, type Markup } from "../../platform/pages/Html.ts"

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
  /** What is said there. */
  readonly text: string
}

/** Lower case, without accents. */
const folded = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase()

/** An entry with what is compared of it. */
interface Indexed {
  readonly entry: Entry
  readonly title: string
  readonly names: string
  readonly text: string
}

/** What is looked through. */
export type SearchIndex = ReadonlyArray<Indexed>

export const indexOf = (entries: ReadonlyArray<Entry>): SearchIndex =>
  entries.map((entry) => ({
    entry,
    title: folded(entry.title),
    names: ` ${folded(`${entry.place} ${entry.names}`)} `,
    text: folded(entry.text)
  }))

/** More words than these say nothing more. */
const mostWords = 8
/** A question is not longer than this, in characters. */
export const longestQuestion = 100
const mostFound = 20

const wordsOf = (question: string) =>
  [...new Set(folded(question.slice(0, longestQuestion)).split(/[\s,;]+/))].filter((word) => word !== "").slice(
    0,
    mostWords
  )

const startsWord = (text: string, word: string) => {
  const at = text.indexOf(word)
  return at === 0 || (at > 0 && !/[a-z0-9]/.test(text[at - 1] ?? ""))
}

/** How well one word fits: best where a title begins a word with it, least in the text. Zero is not at all. */
const fit = ({ names, text, title }: Indexed, word: string) => {
  if (title.includes(word)) return startsWord(title, word) ? 12 : 8
  if (names.includes(` ${word} `)) return 9
  if (names.includes(word)) return startsWord(names, word) ? 6 : 4
  return text.includes(word) ? 2 : 0
}

/** The entries in which every word of the question is, the best first. */
export const search = (index: SearchIndex, question: string): ReadonlyArray<Entry> => {
  const words = wordsOf(question)
  if (words.length === 0) return []
  return index.map((one) => {
    const fits = words.map((word) => fit(one, word))
    return { entry: one.entry, score: fits.includes(0) ? 0 : fits.reduce<number>((sum, each) => sum + each, 0) }
  }).filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score).slice(0, mostFound).map(({ entry }) =>
    entry
  )
}

const excerptLength = 140

/** What is said around the first word that is found there. */
const excerptOf = ({ text }: Entry, question: string) => {
  const places = wordsOf(question).map((word) => folded(text).indexOf(word)).filter((at) => at >= 0)
  const from = Math.max(0, Math.min(...places, text.length) - 40)
  const begin = from === 0 || places.length === 0 ? 0 : text.indexOf(" ", from) + 1
  const end = begin + excerptLength
  return `${begin === 0 ? "" : "… "}${text.slice(begin, end).trim()}${end < text.length ? " …" : ""}`
}

/** What was found, as a list of links. The script of the pages shows it below its field, without the rest of a page. */
export const foundList = (question: string, found: ReadonlyArray<Entry>): Markup =>
  found.length === 0
    ? html`<p class="none">Nothing says “${question}”. Try one word, a field, a path or a code.</p>`
    : html`<ol class="found">${
      found.map((entry) =>
        html`<li><a href="${entry.address}"><span class="kind">${entry.kind}</span> <strong>${entry.title}</strong> <code>${entry.place}</code>
<span class="excerpt">${excerptOf(entry, question)}</span></a></li>`
      )
    }</ol>`
