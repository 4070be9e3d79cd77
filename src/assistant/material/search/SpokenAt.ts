/** A time of a transcript at the start of a line, such as `1:05`, `00:01:05,500` or `[01:05]`. */
const time = /^[ \t[(]*(?:(\d{1,2}):)?([0-5]?\d):([0-5]\d)(?:[.,]\d{1,3})?/

/** The second of the last time at the start of a line up to a position; null without one. */
export const secondsAt = (text: string, position: number): number | null => {
  const end = text.indexOf("\n", position)
  const lines = text.slice(0, end === -1 ? text.length : end).split("\n")
  for (const line of lines.toReversed()) {
    const found = time.exec(line)
    if (found !== null) return Number(found[1] ?? 0) * 3600 + Number(found[2]) * 60 + Number(found[3])
  }
  return null
}
