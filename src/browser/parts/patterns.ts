// The pattern of a cover that nobody has chosen: the same title has the same one everywhere. Pure.

/** A dot of a pattern. */
interface Mark {
  readonly x: number
  readonly y: number
  readonly r: number
  readonly isStrong: boolean
}

/** Lines and dots within 160 × 90, turned a little. */
export interface Pattern {
  readonly tilt: number
  /** Lines, as paths. */
  readonly ways: ReadonlyArray<string>
  readonly marks: ReadonlyArray<Mark>
}

/** Numbers from 0 to 1 that a text decides. */
const numbersOf = (text: string) => {
  let state = 2_166_136_261
  for (const letter of text) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 16_777_619)
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e37_79b9
    return (state >>> 0) / 4_294_967_296
  }
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index)
const round = (value: number) => Math.round(value * 10) / 10

type Draw = (next: () => number) => Omit<Pattern, "tilt">

const waves: Draw = (next) => {
  const height = 5 + next() * 10
  const gap = 11 + next() * 6
  return {
    ways: range(12).map((row) => {
      const y = round(row * gap - 30)
      const lift = round(height)
      return `M-40 ${y}q30 ${-lift} 60 0t60 0t60 0t60 0`
    }),
    marks: [{ x: round(30 + next() * 100), y: round(20 + next() * 40), r: round(8 + next() * 8), isStrong: true }]
  }
}

const rings: Draw = (next) => {
  const [x, y] = [round(20 + next() * 120), round(next() * 90)]
  const gap = 9 + next() * 5
  return {
    ways: range(14).map((ring) => {
      const r = round((ring + 1) * gap)
      return `M${round(x - r)} ${y}a${r} ${r} 0 1 0 ${round(2 * r)} 0a${r} ${r} 0 1 0 ${round(-2 * r)} 0`
    }),
    marks: [{ x, y, r: round(gap * 0.6), isStrong: true }]
  }
}

const dots: Draw = (next) => {
  const gap = 14 + Math.round(next() * 6)
  const chosen = Math.floor(next() * 5) + 3
  return {
    ways: [],
    marks: range(13).flatMap((column) =>
      range(9).map((row) => ({
        x: (column - 1) * gap,
        y: (row - 1) * gap,
        r: round(1.5 + next() * 3.5),
        isStrong: (column * 7 + row * 3) % chosen === 0
      }))
    )
  }
}

const arcs: Draw = (next) => {
  const side = 22 + Math.round(next() * 10)
  return {
    ways: range(9).flatMap((column) =>
      range(6).map((row) => {
        const [x, y] = [(column - 1) * side, (row - 1) * side]
        return next() < 0.5
          ? `M${x} ${y}a${side} ${side} 0 0 1 ${side} ${side}`
          : `M${x + side} ${y}a${side} ${side} 0 0 1 ${-side} ${side}`
      })
    ),
    marks: range(4).map(() => ({
      x: Math.floor(next() * 6) * side,
      y: Math.floor(next() * 4) * side,
      r: round(side / 5),
      isStrong: true
    }))
  }
}

const draws: ReadonlyArray<Draw> = [waves, rings, dots, arcs]

/** The pattern of a title. */
export const patternOf = (title: string): Pattern => {
  const next = numbersOf(title)
  const draw = draws[Math.floor(next() * draws.length)] ?? waves
  return { tilt: Math.round(next() * 30 - 15), ...draw(next) }
}
