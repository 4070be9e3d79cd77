// The places of a small chart's bars, and the tops of charts. Pure.
import { roundUp } from "../../../../browser/parts/Bars.ts"

/** The results of the attempts of one step. */
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

/** The top of a chart of these points. */
export const topOf = (points: ReadonlyArray<Outcomes>): number =>
  roundUp(points.reduce((most, { failed, succeeded }) => Math.max(most, failed + succeeded), 0))

/** The free part of a step, so that bars stand apart. */
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

/** The greatest known value. 0 without one. */
export const greatest = (values: ReadonlyArray<number | null>): number =>
  values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0)

/** All of them together. */
export const totalOf = (points: ReadonlyArray<Pick<Outcomes, "failed" | "succeeded">>) =>
  points.reduce(
    (sum, { failed, succeeded }) => ({ succeeded: sum.succeeded + succeeded, failed: sum.failed + failed }),
    { succeeded: 0, failed: 0 }
  )
