import { isObject, type JsonObject, mapValues } from "../../platform/http/document/Schemas.ts"
import { closing, opening } from "./Marks.ts"

// An answer of any size, made small enough for a model, with a note of what is not there.

/** In characters of JSON: some five thousand words of what a model reads at once. */
export const mostCharacters = 24_000

/** How long one text may be, in characters, and one list. */
interface Measure {
  readonly text: number
  readonly list: number
}

/** From what hardly ever cuts anything to what hardly ever does not fit. */
const smallest: Measure = { text: 100, list: 5 }
const measures: ReadonlyArray<Measure> = [
  { text: 8_000, list: 1_000 },
  { text: 2_000, list: 100 },
  { text: 500, list: 25 },
  smallest
]

const shorter = (text: string, most: number) => {
  if (text.length <= most) return text
  // A character of two halves stays whole or goes.
  const kept = `${text.slice(0, most).replace(/[\ud800-\udbff]$/, "")}…`
  return text.startsWith(opening) ? kept + closing : kept
}

const measured = (value: unknown, measure: Measure): unknown => {
  if (typeof value === "string") return shorter(value, measure.text)
  if (Array.isArray(value)) return value.slice(0, measure.list).map((one) => measured(one, measure))
  return isObject(value) ? mapValues(value, (one) => measured(one, measure)) : value
}

const sizeOf = (value: unknown) => JSON.stringify(value).length

/** As many of the items, from the first, as fit. */
const fittingItems = (items: ReadonlyArray<unknown>) => {
  let left = mostCharacters
  const end = items.findIndex((item) => {
    left -= sizeOf(item) + 1
    return left < 0
  })
  return end === -1 ? items : items.slice(0, end)
}

const tooLarge = { note: "The answer is too large to be shown: read it through the API." }

const cutTexts = "Long texts and lists in it are shortened: ask for one thing by its id, or read it through the API."

/** Advice if only so many items fit: a list without a limit has no other page. */
const others = (most: number, isPaged: boolean) =>
  isPaged
    ? `Ask again with limit ${most} to get these with a next_cursor.`
    : "Read the others through the API."

/** A page: whole items, and no cursor if some were dropped, since it would skip them. */
const fittingPage = (answer: JsonObject, items: ReadonlyArray<unknown>, isPaged: boolean): JsonObject => {
  const first = measures.find((measure) => sizeOf(measured(items[0] ?? null, measure)) <= mostCharacters / 4)
  const all = items.map((item) => measured(item, first ?? smallest))
  const shown = fittingItems(all)
  const isCut = sizeOf(items) > sizeOf(all)
  if (shown.length === all.length) return { ...answer, data: shown, ...(isCut ? { note: cutTexts } : {}) }
  // No limit would show the first.
  if (shown.length === 0) return tooLarge
  const note = `Only ${shown.length} of ${all.length} items fit. ${others(shown.length, isPaged)}`
  return { ...answer, data: shown, next_cursor: null, note: isCut ? `${note} ${cutTexts}` : note }
}

/**
 * The page that a thing holds is its longest list. A list in an item of a list does not count: no limit makes it
 * shorter.
 */
const longestList = (value: unknown): number => {
  if (Array.isArray(value)) return value.length
  return isObject(value) ? Math.max(0, ...Object.values(value).map(longestList)) : 0
}

/** One thing, cut. If its page lost items, it has no cursor either. */
const fittingThing = (answer: JsonObject, measure: Measure, isPaged: boolean): JsonObject => {
  const { next_cursor: cursor, ...rest } = answer
  const cut = mapValues(rest, (one) => measured(one, measure))
  if (cursor === undefined) return { ...cut, note: cutTexts }
  if (longestList(rest) <= measure.list) return { ...cut, next_cursor: cursor, note: cutTexts }
  const note = `Only ${measure.list} items fit. ${others(measure.list, isPaged)} ${cutTexts}`
  return { ...cut, next_cursor: null, note }
}

/** The answer, or as much of it as fits. `isPaged`: the caller can limit the number of items. */
export const fitting = (answer: JsonObject, isPaged: boolean): JsonObject => {
  if (sizeOf(answer) <= mostCharacters) return answer
  const { data } = answer
  if (Array.isArray(data)) return fittingPage(answer, data, isPaged)
  for (const measure of measures) {
    const cut = fittingThing(answer, measure, isPaged)
    if (sizeOf(cut) <= mostCharacters) return cut
  }
  return tooLarge
}
