import { median, met, table } from "./tables.ts"

/** What one round came to. CPU in milliseconds per delivery. */
export interface Drained {
  readonly perSecond: number
  readonly cpu: number
  readonly databaseCpu: number
  /** TLS connections that were opened. */
  readonly connections: number
}

/** All of one contender. */
export interface Contended {
  readonly name: string
  readonly rounds: ReadonlyArray<Drained>
  /** Per attempt. */
  readonly statements: number
  /** The most memory ever. */
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

const share = (is: number, aim: number, over: string) => [`× ${over}`, is.toFixed(2), `≥ ${aim}`, met(is >= aim)]
const most = (what: string, is: number, aim: number) => [what, is.toFixed(2), `≤ ${aim}`, met(is <= aim)]

/** Turma beside the others and its aims. */
export const ratioTable = ([a, b, c, d]: ReadonlyArray<Contended>): string => {
  if (a === undefined || b === undefined || c === undefined || d === undefined) return ""
  const over = (other: Contended) => middle(b, "perSecond") / middle(other, "perSecond")
  return table(["Turma", "measured", "aim", ""], [
    share(over(a), 0.6, a.name),
    share(over(c), 1.5, c.name),
    share(over(d), 3, d.name),
    most("statements per attempt", b.statements, 0.5),
    most("peak memory MB", b.megabytes, 300)
  ])
}
