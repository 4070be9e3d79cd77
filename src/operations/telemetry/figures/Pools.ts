import type { PoolKind, PoolLoad } from "../../../platform/sql/PoolLoads.ts"
import { counter, type Family, gauge } from "./Family.ts"

const kinds: ReadonlyArray<PoolKind> = ["lookup", "shared", "scan", "exclusive"]

/** Number of connections to PostgreSQL in use, by purpose. */
export const pools = (process: string, loads: ReadonlyArray<PoolLoad>): ReadonlyArray<Family> => {
  const sums = kinds.map((kind) => {
    const ofKind = loads.filter((load) => load.kind === kind)
    return { kind, sum: (of: (load: PoolLoad) => number) => ofKind.reduce((total, load) => total + of(load), 0) }
  })
  const each = (of: (load: PoolLoad) => number) =>
    sums.map(({ kind, sum }) => ({ labels: { process, kind }, value: sum(of) }))
  const together = (of: (load: PoolLoad) => number) =>
    sums.map(({ kind, sum }) => ({ labels: { kind }, value: sum(of) }))
  return [
    gauge(
      "turma_database_pool_places",
      "How many the process may have under way: statements that share a connection, connections of one's own",
      each(({ places }) => places)
    ),
    gauge("turma_database_pool_in_use", "How many of them are in use", each((load) => load.inUse())),
    gauge("turma_database_pool_waiting", "What waits for one", each((load) => load.waiting())),
    counter(
      "turma_database_pool_waits_total",
      "How many waited because all of them were in use",
      together((load) => load.waits().count)
    ),
    counter(
      "turma_database_pool_wait_seconds_total",
      "How long that waited together",
      together((load) => load.waits().seconds)
    )
  ]
}
