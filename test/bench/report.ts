import type { Traffic } from "./CountingProxy.ts"
import type { Round } from "./drive.ts"
import { type Figure, ratios } from "./figures/Figure.ts"
import { median } from "./webhooks/tables.ts"

/** The results of one contender on one route: all rounds and the counted traffic. */
export interface Measured {
  readonly name: string
  readonly rounds: ReadonlyArray<Round>
  /** Per request. */
  readonly traffic: Traffic
}

const columns = ["requests/s", "p50 ms", "p99 ms", "CPU ms", "statements", "round trips"]
const digits = [0, 2, 2, 3, 1, 1]

/** One number for each column. Numbers of rounds are the median. */
const numbersOf = ({ rounds, traffic }: Measured) => {
  const middle = (field: keyof Round) => median(rounds.map((round) => round[field]))
  return [
    middle("requestsPerSecond"),
    middle("p50"),
    middle("p99"),
    middle("cpuPerRequest"),
    traffic.statements,
    traffic.roundTrips
  ]
}

const line = (name: string, cells: ReadonlyArray<string>) =>
  `  ${name.padEnd(8)}${cells.map((cell) => cell.padStart(13)).join("")}`

/** A route's table: each contender's medians, and the ratio of the first to the second. */
export const routeTable = (route: string, one: Measured, other: Measured): string => {
  const theirs = numbersOf(other)
  const rows = [one, other].map((measured) => ({
    name: measured.name,
    cells: numbersOf(measured).map((number, column) => number.toFixed(digits[column]))
  }))
  const ratios = numbersOf(one).map((number, column) => `${(number / (theirs[column] ?? 0)).toFixed(2)} ×`)
  return [route, line("", columns), ...rows.map(({ cells, name }) => line(name, cells)), line("ratio", ratios)]
    .join("\n")
}

/** A line of every introduction: the setup of the twin. */
export const twinHas =
  "The twin has prepared statements, compiled validation and serialisation, the same pool, and counts no metrics."

/** The aims of a route beside a twin: at least as many requests a second, with at most `cpuAim` times its CPU. */
export const besideTwin = (route: string, ours: Measured, theirs: Measured, cpuAim: number): ReadonlyArray<Figure> => {
  const ratio = (field: keyof Round) =>
    ratios(ours.rounds.map((round) => round[field]), theirs.rounds.map((round) => round[field]))
  return [
    { name: `${route}, requests/s × the twin's`, is: "at least", aim: 1, rounds: ratio("requestsPerSecond") },
    { name: `${route}, CPU × the twin's`, is: "at most", aim: cpuAim, rounds: ratio("cpuPerRequest") }
  ]
}

/** The most memory that our process has held during the measurement, in MB. */
export const peakMemory = (megabytes: number): Figure => ({
  name: "peak memory, MB",
  is: "at most",
  aim: 240,
  rounds: [megabytes]
})
