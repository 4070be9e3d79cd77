// A long text in pieces of one line each, so that only those that are looked at are on the page. Pure.

/** In characters: what is longer goes on in the next line. */
const longestLine = 400

const pieces = (line: string): ReadonlyArray<string> => {
  if (line.length <= longestLine) return [line]
  const found: Array<string> = []
  for (let from = 0; from < line.length;) {
    const code = line.charCodeAt(from + longestLine - 1)
    // Never between the two halves of a character.
    const to = from + longestLine - (code >= 0xd8_00 && code <= 0xdb_ff ? 1 : 0)
    found.push(line.slice(from, to))
    from = to
  }
  return found
}

/** The lines of a text; joined, those of one line of the text are that line. */
export const linesOf = (text: string): ReadonlyArray<string> => text.split("\n").flatMap(pieces)
