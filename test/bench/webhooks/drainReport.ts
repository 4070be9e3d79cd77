import { type Figure, ratios } from "../figures/Figure.ts"
import { peakMemory } from "../report.ts"
import { median, table } from "./tables.ts"

/** The result of one round. CPU in milliseconds per delivery. */
export interface Drained {
  readonly perSecond: number
  readonly cpu: number
  readonly databaseCpu: number
  /** TLS connections that the sender opened. */
  readonly connections: number
}

/** All results of one contender. */
export interface Contended {
  readonly name: string
  readonly rounds: ReadonlyArray<Drained>
  /** Per attempt. */
  readonly statements: number
  /** The most memory so far, in MB. */
  readonly megabytes: number
}

const middle = ({ rounds }: Contended, field: keyof Drained) => median(rounds.map((round) => round[field]))

/** A row for each contender. */
export const drainTable = (all: ReadonlyArray<Contended>): string =>
  table(
    [
      "",
      "deliveries/s",
      "statements per attempt",
      "CPU ms",
      "CPU ms of PostgreSQL",
      "connections opened",
      "peak memory MB"
    ],
    all.map((one) => [
      one.name,
      middle(one, "perSecond").toFixed(0),
      one.statements.toFixed(2),
      middle(one, "cpu").toFixed(3),
      middle(one, "databaseCpu").toFixed(3),
      middle(one, "connections").toFixed(0),
      one.megabytes.toFixed(0)
    ])
  )

/** The figures of Turma beside the others, with their aims. */
export const figuresOf = ([bare, turma, bullmq, graphile]: ReadonlyArray<Contended>): ReadonlyArray<Figure> => {
  if (bare === undefined || turma === undefined || bullmq === undefined || graphile === undefined) return []
  const each = ({ rounds }: Contended, field: keyof Drained) => rounds.map((round) => round[field])
  const over = (other: Contended, aim: number): Figure => ({
    name: `deliveries/s × ${other.name}'s`,
    is: "at least",
    aim,
    rounds: ratios(each(turma, "perSecond"), each(other, "perSecond"))
  })
  return [
    over(bare, 0.6),
    over(bullmq, 4),
    over(graphile, 7),
    { name: "CPU ms of the sender, per delivery", is: "at most", aim: 0.065, rounds: each(turma, "cpu") },
    { name: "CPU ms of PostgreSQL, per delivery", is: "at most", aim: 0.045, rounds: each(turma, "databaseCpu") },
    { name: "statements per attempt", is: "at most", aim: 0.5, rounds: [turma.statements] },
    peakMemory(turma.megabytes)
  ]
}
