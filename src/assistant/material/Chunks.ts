/** In UTF-16 units. A chunk is at most `longestChunk` long, unless a run without white space is longer. */
const shortestChunk = 800
const longestChunk = 1200
/** The limit of the database. A longer run without white space is not a word, and is split. */
const longestRun = 4000

/** The places where a chunk may end, best first: after a paragraph, a sentence, a line, a word. */
const ends = [/\n\s*\n\s*/g, /[.!?…]["'”’»)\]]*\s+/g, /\n\s*/g, /\s+/g]

const endsOf = (window: string, pattern: RegExp) =>
  [...window.matchAll(pattern)].map(({ 0: found, index }) => index + found.length)

const isPairAround = (text: string, index: number) =>
  /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(index - 1, index + 1))

/** Where to end a chunk that has no white space within its first `longestChunk` units. */
const endOfRun = (rest: string) => {
  const space = rest.slice(0, longestRun).search(/\s/)
  if (space !== -1) return space
  if (rest.length <= longestRun) return rest.length
  return isPairAround(rest, longestRun) ? longestRun - 1 : longestRun
}

const endIn = (rest: string) => {
  const window = rest.slice(0, longestChunk)
  for (const pattern of ends) {
    const end = endsOf(window, pattern).findLast((end) => end >= shortestChunk)
    if (end !== undefined) return end
  }
  return endsOf(window, /\s+/g).at(-1) ?? endOfRun(rest)
}

/**
 * Cuts a text where paragraphs, sentences or at least words end, into chunks of 800 to 1200 characters, lazily. The
 * chunks joined are the text. The last chunk may be shorter, and so may one before an extremely long word.
 */
export function* chunksOf(text: string): Generator<string, void> {
  let from = 0
  while (text.length - from > longestChunk) {
    const to = from + endIn(text.slice(from, from + longestRun + 1))
    yield text.slice(from, to)
    from = to
  }
  if (from < text.length) yield text.slice(from)
}
