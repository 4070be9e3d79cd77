import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { readdir, readFile } from "node:fs/promises"

const Size = Schema.Struct({ table: Schema.String, heap: Schema.Number, indexes: Schema.Number })
const Count = Schema.Struct({ table: Schema.String, rows: Schema.Number })

/** A table with all its partitions: bytes of rows with their large values, bytes of indexes, and number of rows. */
export interface Table extends Schema.Schema.Type<typeof Size> {
  readonly rows: number
}

const Connections = Schema.Tuple([Schema.Struct({ connections: Schema.Int })])

const MB = 1024 * 1024

/** A process as Linux shows it: its MB of memory, and its open files and sockets; undefined once it has ended. */
export const lookAtProcess = (pid: number) =>
  Effect.promise(async () => {
    try {
      const [statm, descriptors] = await Promise.all([
        readFile(`/proc/${pid}/statm`, "utf8"),
        readdir(`/proc/${pid}/fd`)
      ])
      return { rss: Number(statm.split(" ")[1]) * 4096 / MB, descriptors: descriptors.length }
    } catch {
      return undefined
    }
  })

/** Number of Turma's connections in PostgreSQL. */
export const lookAtConnections = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [{ connections }] = yield* Schema
    .decodeUnknownEffect(Connections)(yield* sql`select count(*)::int as connections from pg_stat_activity where application_name = 'turma'`)
  return connections
})

const quoted = (name: string) => `"${name}"`

/** Every table with its size. It counts rows, because a crash of PostgreSQL loses its statistics. */
export const lookAtTables = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const sizes = yield* Schema.decodeUnknownEffect(Schema.NonEmptyArray(Size))(yield* sql`
      select r.relname as table, sum(pg_table_size(c.oid))::float8 as heap, sum(pg_indexes_size(c.oid))::float8 as indexes
      from pg_class c
      join pg_class r on r.oid = coalesce(pg_partition_root(c.oid), c.oid)
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      group by 1
      order by 1`)
  const counts = yield* Schema.decodeUnknownEffect(Schema.Array(Count))(yield* sql
    .unsafe(sizes.map(({ table }) => `select '${table}' as table, count(*)::float8 as rows from ${quoted(table)}`)
      .join(" union all ")))
  const rows = new Map(counts.map(({ rows, table }) => [table, rows]))
  return sizes.map((size): Table => ({ ...size, rows: rows.get(size.table) ?? 0 }))
})
