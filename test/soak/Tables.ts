import { type Allowance, type Sample, type Trend, trendOf } from "./Flatness.ts"
import type { Table } from "./Looks.ts"

/** All tables at one moment. */
export interface TablesAt {
  readonly day: number
  readonly tables: ReadonlyArray<Table>
}

/** Tables of waiting work. Their size depends on the worst hour, not on how long Turma runs. */
export const queues: ReadonlySet<string> = new Set(["event_outbox", "mails", "material_queue", "webhook_lanes"])

/** In bytes. Smaller tables show no trend: a page is 8192 bytes, and every index has at least one. */
const least = 1024 * 1024

const asLarge: Allowance = { share: 0.25, beside: least }
const asDense: Allowance = { share: 0.15, beside: 0 }

/** The trend of a table. */
export interface TableTrend {
  readonly table: string
  /** Bytes of rows and indexes: the median of the last day. */
  readonly bytes: number
  readonly size: Trend
  readonly rows: number
  /** Bytes of rows and of indexes for each row. */
  readonly heap: Trend
  readonly indexes: Trend
  readonly verdict: "flat" | "grows with its rows" | "rises"
}

const median = ({ days }: Trend) => days.at(-1) ?? 0

const judge = (table: string, looks: ReadonlyArray<Table & { readonly day: number }>): TableTrend => {
  const series = (value: (look: Table) => number): ReadonlyArray<Sample> =>
    looks.map((look) => ({ day: look.day, value: value(look) }))
  const size = trendOf(series(({ heap, indexes }) => heap + indexes), asLarge)
  const rows = trendOf(series(({ rows }) => rows), asLarge)
  const perRow = (bytes: (look: Table) => number) =>
    trendOf(series((look) => bytes(look) / Math.max(1, look.rows)), asDense)
  const heap = perRow((look) => look.heap)
  const indexes = perRow((look) => look.indexes)
  const mayGrow = !queues.has(table) && heap.isFlat && indexes.isFlat
  const verdict = size.isFlat ? "flat" : mayGrow ? "grows with its rows" : "rises"
  return { table, bytes: median(size), size, rows: median(rows), heap, indexes, verdict }
}

/** Every table larger than a MiB at the end, and all queues, largest first. */
export const tableTrends = (looks: ReadonlyArray<TablesAt>): ReadonlyArray<TableTrend> => {
  const all = looks.flatMap(({ day, tables }) => tables.map((table) => ({ ...table, day })))
  return [...Map.groupBy(all, ({ table }) => table)]
    .map(([table, own]) => judge(table, own))
    .filter(({ bytes, table }) => bytes >= least || queues.has(table))
    .toSorted((one, other) => other.bytes - one.bytes)
}
