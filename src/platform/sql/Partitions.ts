import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { rows } from "./Rows.ts"
import { floorOf, timeOf } from "./Uuid7.ts"

/** A table that is partitioned by time through its UUIDv7 ids. A week begins on Monday, both in UTC. */
export interface PartitionedTable {
  readonly table: string
  readonly period: "day" | "week"
}

const day = Duration.toMillis("1 day")

// `origin` is a moment at which a period begins: 1 January 1970 was a Thursday.
const periods = {
  day: { length: day, origin: 0, ahead: 7 },
  week: { length: 7 * day, origin: 4 * day, ahead: 2 }
} as const

const furthestBack = 120

/** How long what lies behind is believed to be still there: another process may have dropped it. */
const believed = Duration.toMillis("1 minute")

// Held while partitions are created or dropped, so that no process creates one twice or drops one that is being
// created.
const partitionsLock = 7_482_107

const lockTimeout = "250ms"

/** The partitions that this process knows to exist, in milliseconds: every period from `first` up to `end`. */
interface Known {
  readonly first: number
  readonly end: number
  readonly at: number
}

const beginningOf = (period: PartitionedTable["period"], at: number) => {
  const { length, origin } = periods[period]
  return Math.floor((at - origin) / length) * length + origin
}

/** Of every partition that must be there, when it begins. No id is older than 1970. */
const wanted = ({ period }: PartitionedTable, from: number, now: number): ReadonlyArray<number> => {
  const { ahead, length } = periods[period]
  const current = beginningOf(period, now)
  const first = Math.max(
    beginningOf(period, Math.max(Math.min(from, now), 0)),
    current - furthestBack * length
  )
  return Array.from({ length: (current - first) / length + ahead + 1 }, (_, index) => first + index * length)
}

const nameOf = ({ table }: PartitionedTable, begin: number) =>
  `${table}_${DateTime.formatIsoDateUtc(DateTime.makeUnsafe(begin)).replaceAll("-", "")}`

/** Null bounds: it is being dropped right now. */
const decodeParts = rows(Schema.Struct({ name: Schema.String, bounds: Schema.NullOr(Schema.String) }))

/** Where `FOR VALUES FROM ('…') TO ('…')` ends; undefined for anything else. */
const endOf = (bounds: string | null): DateTime.Utc | undefined => {
  const id = / TO \('(?<end>[0-9a-f-]{36})'\)$/.exec(bounds ?? "")?.groups?.["end"]
  return id === undefined ? undefined : timeOf(id)
}

/** The times of the ids in a partition: from the first one up to the second. */
export interface PartitionRange {
  readonly from: DateTime.Utc
  readonly to: DateTime.Utc
}

/** Makes and drops partitions. Any number of processes may do both at once. */
export class Partitions extends Context.Service<Partitions, {
  /**
   * There is a partition for every moment from `from`, at most 120 periods back, to 7 days or 2 weeks ahead of now. Free
   * once it has been asked. Readers and writers of the table go on meanwhile. To be called before a transaction, not in
   * one: it waits for other processes that make partitions.
   */
  ensure(tables: ReadonlyArray<PartitionedTable>, from: DateTime.Utc): Effect.Effect<void>
  /**
   * Drops the partitions that end at or before this moment, except the ones still needed; answers their names. A
   * partition whose table is busy waits for the next time.
   */
  drop(
    table: PartitionedTable,
    before: DateTime.Utc,
    isNeeded?: (range: PartitionRange) => Effect.Effect<boolean>
  ): Effect.Effect<ReadonlyArray<string>>
}>()("turma/platform/sql/Partitions") {
  static readonly layer = Layer.effect(
    Partitions,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const known = new Map<string, Known>()

      const lock = sql`select pg_advisory_xact_lock(${partitionsLock})`

      const partsOf = ({ table }: PartitionedTable) =>
        sql`
          select c.relname::text as name, pg_get_expr(c.relpartbound, c.oid) as bounds
          from pg_inherits i join pg_class c on c.oid = i.inhrelid
          where i.inhparent = ${table}::text::regclass
          order by c.relname`.pipe(decodeParts)

      const missing = Effect.fnUntraced(function*(table: PartitionedTable, begins: ReadonlyArray<number>) {
        const names = new Set((yield* partsOf(table)).map(({ name }) => name))
        return begins.filter((begin) => !names.has(nameOf(table, begin)))
      })

      // Attaching lets readers and writers go on; `create table … partition of` would lock them out.
      const make = Effect.fnUntraced(function*(table: PartitionedTable, begin: number) {
        const name = sql(nameOf(table, begin))
        const [from, to] = [begin, begin + periods[table.period].length]
          .map((at) => sql.literal(`'${floorOf(DateTime.makeUnsafe(at))}'`))
        yield* sql`create table ${name} (like ${sql(table.table)} including all)`
        yield* sql`alter table ${sql(table.table)} attach partition ${name} for values from (${from}) to (${to})`
      })

      const makeMissing = Effect.fnUntraced(function*(table: PartitionedTable, begins: ReadonlyArray<number>) {
        if ((yield* missing(table, begins)).length === 0) return
        yield* sql.withTransaction(Effect.gen(function*() {
          yield* lock
          yield* Effect.forEach(yield* missing(table, begins), (begin) => make(table, begin), { discard: true })
        }))
      })

      const knows = ({ period, table }: PartitionedTable, begins: ReadonlyArray<number>, now: number) => {
        const entry = known.get(table)
        const [first] = begins
        const last = begins.at(-1)
        if (entry === undefined || first === undefined || last === undefined) return false
        const behind = first < beginningOf(period, now)
        return entry.first <= first && last < entry.end && (!behind || now - entry.at < believed)
      }

      const ensure = Effect.fnUntraced(
        function*(tables: ReadonlyArray<PartitionedTable>, from: DateTime.Utc) {
          const now = DateTime.toEpochMillis(yield* DateTime.now)
          for (const table of tables) {
            const begins = wanted(table, DateTime.toEpochMillis(from), now)
            if (knows(table, begins, now)) continue
            yield* makeMissing(table, begins)
            const entry = {
              first: begins[0] ?? now,
              end: (begins.at(-1) ?? now) + periods[table.period].length,
              at: now
            }
            // In somebody's transaction it is only there once that has committed.
            yield* sql.afterCommit(Effect.sync(() => void known.set(table.table, entry)))
          }
        },
        Effect.orDie
      )

      // Dropping locks the whole table, and statements behind a waiting lock wait too: so it waits only shortly.
      const dropOne = ({ table }: PartitionedTable, name: string) =>
        sql.withTransaction(Effect.gen(function*() {
          yield* sql`select set_config('lock_timeout', ${lockTimeout}, true)`
          yield* lock
          const there = yield* sql`select 1 where to_regclass(${name}) is not null`
          if (there.length === 0) return "gone"
          yield* sql`drop table ${sql(name)}`
          return "dropped"
        })).pipe(Effect.catchReason("SqlError", "LockTimeoutError", () =>
          Effect.as(
            Effect.logWarning("A partition is in use and is dropped later", { table, partition: name }),
            "busy"
          )))

      const drop = Effect.fn("Partitions.drop")(function*(
        table: PartitionedTable,
        before: DateTime.Utc,
        isNeeded?: (range: PartitionRange) => Effect.Effect<boolean>
      ) {
        const dropped: Array<string> = []
        for (const { bounds, name } of yield* partsOf(table)) {
          const end = endOf(bounds)
          if (end === undefined || DateTime.toEpochMillis(end) > DateTime.toEpochMillis(before)) continue
          const from = DateTime.subtract(end, { milliseconds: periods[table.period].length })
          if (isNeeded !== undefined && (yield* isNeeded({ from, to: end }))) continue
          const outcome = yield* dropOne(table, name)
          if (outcome === "busy") break
          if (outcome === "dropped") dropped.push(name)
        }
        known.delete(table.table)
        return dropped
      }, Effect.orDie)

      return Partitions.of({ ensure, drop })
    })
  )
}
