/**
 * The upper bounds of the counts of durations, in milliseconds. Each bound is a third or a half above the one before.
 * So the error of a figure from the counts is smaller than that.
 */
export const durationBounds: ReadonlyArray<number> = [
  5,
  10,
  15,
  20,
  30,
  40,
  60,
  80,
  120,
  160,
  240,
  320,
  480,
  640,
  960,
  1280,
  1920,
  2560,
  3840,
  5120,
  7680,
  10_240,
  15_360,
  30_720
]

/** The columns in which they are counted, in this order. */
export const durationColumns: ReadonlyArray<string> = [...durationBounds.map((bound) => `under_${bound}`), "longer"]

/** The counts do not say how long the longest took. Percentiles assume this at most, in milliseconds. */
const longest = 61_440

/** The longest duration of this share, in milliseconds, between the bounds of its count. Null without durations. */
export const percentile = (counts: ReadonlyArray<number>, share: number): number | null => {
  const rank = share * counts.reduce((sum, count) => sum + count, 0)
  if (rank === 0) return null
  let before = 0
  for (const [place, count] of counts.entries()) {
    if (count > 0 && before + count >= rank) {
      const lower = durationBounds[place - 1] ?? 0
      const upper = durationBounds[place] ?? longest
      return Math.round(lower + (upper - lower) * (rank - before) / count)
    }
    before += count
  }
  return longest
}
