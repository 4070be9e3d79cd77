/** In UTF-16 units. A chunk is at most `most` long, unless a run without white space is longer. */
const least = 800
const most = 1200
/** What the database takes. A longer run without white space is no word, and is cut. */
const longest = 4000

/** Where a chunk may end, best first: after a paragraph, a sentence, a line, a word. */
const ends = [/\n\s*\n\s*/g, /[.!?…]["'”’»)\]]*\s+/g, /\n\s*/g, /\s+/g]

const endsOf = (window: string, pattern: RegExp) =>
  [...window.matchAll(pattern)].map(({ 0: found, index }) => index + found.length)

const isPairAround = (text: string, index: number) =>
  /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(index - 1, index + 1))

/** Where to end a run that has no white space within the first `most`. */
const endOfRun = (rest: string) => {
  const space = rest.slice(0, longest).search(/\s/)
  if (space !== -1) return space
  if (rest.length <= longest) return rest.length
  return isPairAround(rest, longest) ? longest - 1 : longest
}

const endIn = (rest: string) => {
  const window = rest.slice(0, most)
  for (const pattern of ends) {
    const end = endsOf(window, pattern).findLast((end) => end >= least)
    if (end !== undefined) return end
  }
  return endsOf(window, /\s+/g).at(-1) ?? endOfRun(rest)
}

/**
 * A text in pieces of 800 to 1200 characters where paragraphs, sentences or at least words end, each cut when it is asked
 * for. Each stands in it word for word; joined, they are the text. The last may be shorter, and one before a very long word.
 */
export function* chunksOf(text: string): Generator<string, void> {
  let from = 0
  while (text.length - from > most) {
    const to = from + endIn(text.slice(from, from + longest + 1))
    yield text.slice(from, to)
    from = to
  }
  if (from < text.length) yield text.slice(from)
}
