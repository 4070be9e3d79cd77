const codeOf = (letter: string) => letter.charCodeAt(0)

const quote = codeOf("\"")

/** The signs that open, close and divide lists and objects. */
export const mark = {
  openObject: codeOf("{"),
  closeObject: codeOf("}"),
  openList: codeOf("["),
  closeList: codeOf("]"),
  comma: codeOf(","),
  colon: codeOf(":")
} as const

// The engine runs a regular expression as compiled code from the first time on. It would interpret a loop of ours
// first.
const structure = /["{}[\],:]/g
const restOfString = /[^"\\]*(?:(?:\\[^])+[^"\\]*)*"?/y

/** Where `pattern`, which matches from there on, ends in the text; -1 where it does not match. */
const endOf = (pattern: RegExp, text: string, from: number): number => {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : -1
}

/**
 * The position of the next mark in a text that may be JSON, searched from `at`, which is outside of strings. The end of
 * the text if there is no other mark. At most one string is skipped: a second one right after it cannot be JSON, and
 * counts as a mark.
 */
export const nextMark = (text: string, at: number): number => {
  const found = endOf(structure, text, at)
  if (found === -1) return text.length
  if (text.charCodeAt(found - 1) !== quote) return found - 1
  const next = endOf(structure, text, endOf(restOfString, text, found))
  return next === -1 ? text.length : next - 1
}

/** True if there are more than `most` marks. */
export const hasMoreMarks = (text: string, most: number): boolean => {
  let seen = 0
  for (let at = nextMark(text, 0); at < text.length; at = nextMark(text, at + 1)) {
    seen += 1
    if (seen > most) return true
  }
  return false
}

/**
 * The most marks of structure in a body's JSON: a member of an object has two. Twice what the largest quiz needs,
 * and read within a few milliseconds, whatever they are; a mebibyte of them takes a quarter of a second.
 */
const mostMarks = 20_000

/** How deep lists and objects are within one another at most. More than any route takes. */
export const mostLevels = 100

/** The limit that a body's JSON exceeds for fast reading. */
export type Excess = "values" | "levels"

/** The limit that this JSON exceeds; undefined if it is fast to read. */
export const excessOf = (json: string): Excess | undefined => {
  let [seen, levels] = [0, 0]
  for (let at = nextMark(json, 0); at < json.length; at = nextMark(json, at + 1)) {
    seen += 1
    if (seen > mostMarks) return "values"
    const code = json.charCodeAt(at)
    if (code === mark.openObject || code === mark.openList) levels += 1
    else if (code === mark.closeObject || code === mark.closeList) levels -= 1
    if (levels > mostLevels) return "levels"
  }
  return undefined
}

/** True if this JSON is read in a moment. */
export const isLight = (json: string): boolean => excessOf(json) === undefined
