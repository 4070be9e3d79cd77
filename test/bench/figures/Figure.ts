import { median, table } from "../webhooks/tables.ts"

/** One number of a benchmark, round by round, and its aim. */
export interface Figure {
  /** The measured quantity, with its unit if it has one: `GET /v1/me, requests/s × the twin's`. */
  readonly name: string
  readonly is: "at least" | "at most"
  /** Undefined if another figure has the aim and this one only explains it. */
  readonly aim: number | undefined
  /** The results of the rounds, or the only result. A ratio compares two rounds that ran in a row. */
  readonly rounds: ReadonlyArray<number>
}

/** A figure with an aim above which it must not be. */
export const atMost = (name: string, aim: number, rounds: ReadonlyArray<number>): Figure => ({
  name,
  is: "at most",
  aim,
  rounds
})

/** The verdict on a figure. Noise alone never fails a run: then the aim lies within the spread of the rounds. */
type Verdict = "met" | "missed within noise" | "missed" | "no aim"

/** A figure with its verdict. */
export interface Judged extends Figure {
  /** The median of the rounds. */
  readonly measured: number
  /** Half of the distance between the lowest and the highest round. */
  readonly noise: number
  readonly verdict: Verdict
}

/** Ours divided by theirs, round by round. */
export const ratios = (ours: ReadonlyArray<number>, theirs: ReadonlyArray<number>): ReadonlyArray<number> =>
  ours.slice(0, theirs.length).map((one, round) => one / (theirs[round] ?? 0))

/** A figure without rounds, or with a round that is not a number, misses its aim. */
const verdictOf = ({ aim, is, rounds }: Figure, measured: number, noise: number): Verdict => {
  if (aim === undefined) return "no aim"
  const missedBy = rounds.every(Number.isFinite) ? (is === "at least" ? aim - measured : measured - aim) : NaN
  return missedBy <= 0 ? "met" : missedBy <= noise ? "missed within noise" : "missed"
}

/** Judges a figure by its aim and its noise. */
export const judge = (figure: Figure): Judged => {
  const { rounds } = figure
  const measured = rounds.length === 0 ? NaN : median(rounds)
  const noise = rounds.length === 0 ? 0 : (Math.max(...rounds) - Math.min(...rounds)) / 2
  return { ...figure, measured, noise, verdict: verdictOf(figure, measured, noise) }
}

/** The exit code of the process: 1 if a figure missed its aim by more than noise. */
export const exitCode = (all: ReadonlyArray<Judged>): 0 | 1 => all.some(({ verdict }) => verdict === "missed") ? 1 : 0

const digits = (number: number) => {
  const size = Math.abs(number)
  return size === 0 || size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.2 ? 2 : 3
}

/** Formats `0.0541 ± 0.0012` with as many digits as the measured value has. */
const shown = (number: number, like: number) => number.toFixed(digits(like))

/** A row for each figure. Figures of one benchmark have the same first cell. */
export const figureTable = (all: ReadonlyArray<readonly [bench: string, figure: Judged]>): string =>
  table(
    ["", "benchmark", "measured", "± noise", "aim", "verdict"],
    all.map(([bench, { aim, is, measured, name, noise, rounds, verdict }]) => [
      name,
      bench,
      shown(measured, measured),
      rounds.length > 1 ? shown(noise, measured) : "one value",
      aim === undefined ? "" : `${is === "at least" ? "≥" : "≤"} ${aim}`,
      verdict
    ])
  )
