const codeOf = (letter: string) => letter.charCodeAt(0)

const quote = codeOf("\"")

/** What opens, closes and divides lists and objects. */
export const mark = {
  openObject: codeOf("{"),
  closeObject: codeOf("}"),
  openList: codeOf("["),
  closeList: codeOf("]"),
  comma: codeOf(","),
  colon: codeOf(":")
} as const

// What walks a long text is the engine's compiled code from the first time on; a loop of ours would be interpreted first.
const structure = /["{}[\],:]/g
const restOfString = /[^"\\]*(?:(?:\\[^])+[^"\\]*)*"?/y

/** Where `pattern`, which matches from there on, ends in the text; -1 where it does not match. */
const endOf = (pattern: RegExp, text: string, from: number): number => {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : -1
}

/**
 * Where the next mark stands in a text that may be JSON, from `at` on, which is in no string; the end of the text where
 * there is none. At most one string is passed over: a second that follows it is no JSON, and counts as a mark.
 */
export const nextMark = (text: string, at: number): number => {
  const found = endOf(structure, text, at)
  if (found === -1) return text.length
  if (text.charCodeAt(found - 1) !== quote) return found - 1
  const next = endOf(structure, text, endOf(restOfString, text, found))
  return next === -1 ? text.length : next - 1
}

/** Whether there are more than `most` marks. */
export const hasMoreMarks = (text: string, most: number): boolean => {
  let seen = 0
  for (let at = nextMark(text, 0); at < text.length; at = nextMark(text, at + 1)) {
    seen += 1
    if (seen > most) return true
  }
  return false
}

/**
 * How many marks of structure a body's JSON has at most: a member of an object is two. Twice what the largest quiz needs,
 * and read within a few milliseconds, whatever they are; a mebibyte of them takes a quarter of a second.
 */
const mostMarks = 20_000

/** How deep lists and objects are within one another at most. More than any route takes. */
export const mostLevels = 100

/** What a body's JSON has too much of to be read in a moment. */
export type Excess = "values" | "levels"

/** What this JSON has too much of; undefined where it is read in a moment. */
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

/** Whether this JSON is read in a moment. */
export const isLight = (json: string): boolean => excessOf(json) === undefined
