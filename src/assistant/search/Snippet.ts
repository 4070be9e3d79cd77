import { fold } from "../material/search/Words.ts"
import { longestSnippet } from "./SearchHit.ts"

/** Lines of subtitles that nobody says: their numbers and their times. */
const timing = /^[ \t]*(?:\d+|[ \t[(]*(?:\d{1,2}:)?[0-5]?\d:[0-5]\d(?:[.,]\d{1,3})?[\])]?(?:[ \t]*-->.*)?)[ \t]*$/

/** The code points that stand before the words. */
const before = 60

/** Letters that forms of one word share at least, as far as it has so many. */
const isForm = (token: string, word: string) => {
  const least = Math.min(word.length, Math.max(4, word.length - 3))
  return token.startsWith(word.slice(0, least))
}

/** The position of the first of these folded words in a text, in any of its forms; undefined if the text has no such word. */
export const placeOf = (text: string, words: ReadonlyArray<string>): number | undefined => {
  for (const { 0: token, index } of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const folded = fold(token)
    if (words.some((word) => isForm(folded, word))) return index
  }
  return undefined
}

const oneLine = (text: string) =>
  text.split("\n").filter((line) => !timing.test(line)).join(" ").replaceAll(/\s+/g, " ").trim()

/** Cut at a space that is near, if any. */
const cut = (points: ReadonlyArray<string>, from: number, to: number) => {
  const part = points.slice(from, to).join("")
  const head = from === 0 ? part : part.replace(/^\S{0,20}\s/, "")
  return (to >= points.length ? head : head.replace(/\s\S{0,20}$/, "")).trim()
}

/** Plain text around the first of these folded words, or from the beginning if the text has no such word. */
export const snippetOf = (text: string, words: ReadonlyArray<string>): string => {
  const line = oneLine(text)
  const points = [...line]
  if (points.length <= longestSnippet) return line
  const place = Array.from(line.slice(0, placeOf(line, words) ?? 0)).length
  const room = longestSnippet - 2
  const from = Math.max(0, Math.min(place - before, points.length - room))
  const to = Math.min(points.length, from + room)
  return `${from === 0 ? "" : "…"}${cut(points, from, to)}${to === points.length ? "" : "…"}`
}
