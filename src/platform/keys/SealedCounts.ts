import { DateTime, Duration, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantOrNull } from "../schema/Instant.ts"
import { one, rows } from "../sql/Rows.ts"
import type { SealedRows } from "../sql/SealedRows.ts"
import type { KeyId } from "./Rotation.ts"

/** Blocks of a table that one statement reads: 32 MiB, beside what is kept apart of long rows. */
const usualBatch = 4096

/** How long an expired row may still be there, until a sweep deletes it. */
const sweepTime = Duration.hours(1)

/** Rows of one table that are sealed with one key. `gone` is when the last of them will have ended by its age. */
export interface SealedCount {
  readonly sealed: SealedRows
  readonly key: KeyId
  readonly count: number
  readonly gone: Option.Option<DateTime.Utc>
}

const decodeCounts = rows(Schema.Struct({
  key: Schema.String,
  count: Schema.Int,
  newest: InstantOrNull
}))

const decodeBlocks = one(Schema.Struct({ blocks: Schema.Int }))

type Part = Effect.Success<ReturnType<typeof decodeCounts>>[number]

const later = (one: Part["newest"], other: Part["newest"]) =>
  one === null ? other : other === null ? one : DateTime.max(one, other)

const added = (sums: Map<KeyId, Part>, part: Part) => {
  const sum = sums.get(part.key)
  const both = sum === undefined
    ? part
    : { key: part.key, count: sum.count + part.count, newest: later(sum.newest, part.newest) }
  return sums.set(part.key, both)
}

const goneOf = ({ end }: SealedRows, newest: Part["newest"]) =>
  end.by === "age" && newest !== null
    ? Option.some(DateTime.addDuration(newest, Duration.sum(end.after, sweepTime)))
    : Option.none()

/** The rows of a table by their keys, a range of its blocks at a time. A sealed value begins with the id of its key. */
const countTable = Effect.fnUntraced(function*(sealed: SealedRows, batch: number) {
  const sql = yield* SqlClient.SqlClient
  const { columns, end, table } = sealed
  const { blocks } = yield* sql`
    select (pg_relation_size(${table}::regclass) / current_setting('block_size')::int)::int as blocks`
    .pipe(decodeBlocks)
  const newest = end.by === "age" ? sql`t.${sql(end.column)}` : sql`null::timestamptz`
  const values = sql.csv(columns.map((column) => sql`(t.${sql(column)})`))
  const sums = new Map<KeyId, Part>()
  for (let from = 0; from < blocks; from += batch) {
    const parts = yield* sql`
      select key, count(*)::int as count, max(newest) as newest from (
        select distinct t.ctid, encode(substring(v.sealed from 2 for 4), 'hex') as key, ${newest} as newest
        from ${sql(table)} t cross join lateral (values ${values}) v (sealed)
        where t.ctid >= ${`(${from},0)`}::tid and t.ctid < ${`(${from + batch},0)`}::tid
          and octet_length(v.sealed) >= 33
      ) r group by key`.pipe(decodeCounts)
    for (const part of parts) added(sums, part)
  }
  return [...sums.values()].map(({ count, key, newest }): SealedCount => ({
    sealed,
    key,
    count,
    gone: goneOf(sealed, newest)
  }))
})

/**
 * Which keys what is sealed waits for, as of one moment: no row that changes meanwhile is passed over. Reads each table once,
 * locks nothing.
 */
export const countSealed = Effect.fnUntraced(function*(all: ReadonlyArray<SealedRows>, batch = usualBatch) {
  const sql = yield* SqlClient.SqlClient
  const counts = Effect.andThen(
    sql`set transaction isolation level repeatable read, read only`,
    Effect.forEach(all, (sealed) => countTable(sealed, batch))
  )
  return (yield* Effect.orDie(sql.withTransaction(counts))).flat()
})
