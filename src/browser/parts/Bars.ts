// The places of a chart's bars. Pure. Everything is in hundredths of the chart's width and height.

/** A bar. */
export interface Bar {
  readonly x: number
  readonly width: number
  readonly height: number
}

/** A count above zero is always visible: its bar is at least this high. */
const least = 1.5

/** The part of its place that a bar leaves free. */
const gap = 0.15

/** The lowest round number that is at least this, so that the axis can be read: 1, 2 or 5 and zeros. */
export const roundUp = (value: number): number => {
  if (value <= 1) return 1
  const magnitude = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 5, 10].map((step) => step * magnitude).find((top) => top >= value) ?? 10 * magnitude
}

/** How high a value is below this top. */
export const heightOf = (value: number, top: number): number =>
  value <= 0 || top <= 0 ? 0 : Math.min(100, Math.max(least, value / top * 100))

/** A bar for each value, side by side from the left. */
export const barsOf = (values: ReadonlyArray<number>, top: number): ReadonlyArray<Bar> => {
  const place = 100 / Math.max(values.length, 1)
  return values.map((value, index) => ({
    x: (index + gap / 2) * place,
    width: place * (1 - gap),
    height: heightOf(value, top)
  }))
}

/** A step of a histogram; the last has no end. */
export interface Step {
  readonly from: number
  readonly to: number | null
  readonly students: number
}

/** The width of a step of a histogram. All are as wide as the first. */
const widthOf = (steps: ReadonlyArray<Step>) => {
  const [first] = steps
  return first === undefined || first.to === null ? 1 : first.to - first.from
}

/** Where so many points are between the left and the right end of a histogram; beyond its end they are at its end. */
export const positionOf = (points: number, steps: ReadonlyArray<Step>): number => {
  const all = widthOf(steps) * Math.max(steps.length, 1)
  return Math.min(100, Math.max(0, points / all * 100))
}

/** The used part of a whole, for a bar that fills up. */
export const shareOf = (used: number, whole: number): number => {
  if (whole <= 0) return used > 0 ? 1 : 0
  return Math.min(1, Math.max(0, used / whole))
}
