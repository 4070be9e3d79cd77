import type { Traffic } from "./CountingProxy.ts"
import type { Round } from "./drive.ts"

/** What one contender did on one route, all rounds and the counting together. */
export interface Measured {
  readonly name: string
  readonly rounds: ReadonlyArray<Round>
  /** Per request. */
  readonly traffic: Traffic
}

const median = (values: ReadonlyArray<number>) => {
  const sorted = values.toSorted((a, b) => a - b)
  const below = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
  return (below + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0)) / 2
}

const columns = ["requests/s", "p50 ms", "p99 ms", "CPU ms", "statements", "round trips"]
const digits = [0, 2, 2, 3, 1, 1]

/** One number for each column; those of a round are the median of all rounds. */
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

/** A route's table: each contender's medians, and the first's divided by the second's. */
export const routeTable = (route: string, one: Measured, other: Measured): string => {
  const theirs = numbersOf(other)
  const rows = [one, other].map((measured) => ({
    name: measured.name,
    cells: numbersOf(measured).map((number, column) => number.toFixed(digits[column]))
  }))
  const ratios = numbersOf(one).map((number, column) => `${(number / (theirs[column] ?? 0)).toFixed(2)} ×`)
  return [route, line("", columns), ...rows.map(({ cells, name }) => line(name, cells)), line("ratio", ratios)].join(
    "\n"
  )
}
