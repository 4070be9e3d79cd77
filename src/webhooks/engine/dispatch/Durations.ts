/**
 * Up to where durations are counted together, in milliseconds: each bound is a third or a half above the one before, so what
 * is read of a count is off by less than that.
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

/** Nothing is known of how long the longest took: they are taken for no longer than this. */
const longest = 61_440

/**
 * What this share of the durations took at most, in milliseconds, within the bounds of where they were counted; null where
 * there are none.
 */
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
