// Where the bars and lines of a chart stand. Pure.

/** What became of the attempts of one step. */
export interface Outcomes {
  readonly at: string
  readonly succeeded: number
  readonly failed: number
}

/** A bar from the foot of the chart: accepted below, failed on top. In a box of 1 by 1, y downwards. */
export interface Bar {
  readonly x: number
  readonly width: number
  readonly succeeded: { readonly y: number; readonly height: number }
  readonly failed: { readonly y: number; readonly height: number }
}

/** The least round number from this on: 1, 2 or 5 and noughts. */
export const roundUp = (value: number): number => {
  if (value <= 1) return 1
  const step = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((times) => times * step >= value) ?? 10) * step
}

/** What a chart of these reaches up to. */
export const topOf = (points: ReadonlyArray<Outcomes>): number =>
  roundUp(points.reduce((most, { failed, succeeded }) => Math.max(most, failed + succeeded), 0))

/** How much of a step is left free, so that bars can be told apart. */
const gap = 0.18

/** The bars, with something to see of every failure. */
export const barsOf = (points: ReadonlyArray<Outcomes>, top: number, least = 0.02): ReadonlyArray<Bar> =>
  points.map(({ failed, succeeded }, index) => {
    const step = 1 / points.length
    const tall = (count: number) => count === 0 ? 0 : Math.max(least, count / top)
    const bad = Math.min(1, tall(failed))
    const good = Math.min(1 - bad, tall(succeeded))
    return {
      x: (index + gap / 2) * step,
      width: step * (1 - gap),
      succeeded: { y: 1 - good, height: good },
      failed: { y: 1 - good - bad, height: bad }
    }
  })

/** A line through what is known, as the `d` of a path in the same box; it breaks where nothing is. */
export const lineOf = (values: ReadonlyArray<number | null>, top: number): string => {
  const step = 1 / Math.max(1, values.length)
  const spot = (value: number, index: number) =>
    `${((index + 0.5) * step).toFixed(4)} ${(1 - Math.min(1, value / top)).toFixed(4)}`
  return values
    .map((value, index) => {
      if (value === null) return ""
      const before = values[index - 1]
      const isAlone = (before ?? null) === null && (values[index + 1] ?? null) === null
      // A dot where neither neighbour is known: a line of no length has round ends.
      if (isAlone) return `M${spot(value, index)}h0.0001`
      return `${(before ?? null) === null ? "M" : "L"}${spot(value, index)}`
    })
    .join("")
}

/** All of them together. */
export const totalOf = (points: ReadonlyArray<Pick<Outcomes, "failed" | "succeeded">>) =>
  points.reduce(
    (sum, { failed, succeeded }) => ({ succeeded: sum.succeeded + succeeded, failed: sum.failed + failed }),
    { succeeded: 0, failed: 0 }
  )
