import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const Column = Schema.Struct({ table: Schema.String, column: Schema.String, type: Schema.String })

/** Every column for text, JSON or bytes, and for arrays of them. */
export const columns = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select c.relname::text as table, a.attname::text as column, a.atttypid::regtype::text as type
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    join pg_type t on t.oid = a.atttypid
    left join pg_type element on element.oid = t.typelem and t.typcategory = 'A'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped
      and (coalesce(element.typcategory, t.typcategory) = 'S' or coalesce(element.typname, t.typname) in ('json', 'jsonb', 'bytea'))
    order by 1, 2`
  return yield* Schema.decodeUnknownEffect(Schema.Array(Column))(rows)
})

/** The columns that contain one of these words, in any case and with any accents. */
export const whereIs = Effect.fnUntraced(function*(...words: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const found: Array<string> = []
  for (const { column, table, type } of yield* columns) {
    // The escape encoding leaves ASCII readable.
    const text = type === "bytea" ? sql`encode(${sql(column)}, 'escape')` : sql`${sql(column)}::text`
    const matches = sql.or(words.map((word) => sql`position(fold(${word}) in fold(${text})) > 0`))
    const rows = yield* sql`select 1 from ${sql(table)} where ${matches} limit 1`
    if (rows.length > 0) found.push(`${table}.${column}`)
  }
  return found
})
