import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const decodeMade = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ drop: Schema.String, make: Schema.String })))

/**
 * Drops the indexes that no foreign key refers to, fills the tables and makes the indexes again. This is several times
 * faster than keeping them. Runs in the caller's transaction.
 */
export const withoutIndexes = Effect.fn("withoutIndexes")(function*<A, E, R>(
  tables: ReadonlyArray<string>,
  fill: Effect.Effect<A, E, R>
) {
  const sql = yield* SqlClient.SqlClient
  const made = yield* sql`
    select format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname) as drop,
      format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) as make
    from pg_constraint c
    where c.conrelid::regclass::text in ${sql.in(tables)} and c.contype in ('p', 'u')
      and not exists (select from pg_constraint f where f.confrelid = c.conrelid)
    union all
    select format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
    from pg_index i
    where i.indrelid::regclass::text in ${sql.in(tables)}
      and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`.pipe(Effect.flatMap(decodeMade))
  yield* Effect.forEach(made, ({ drop }) => sql.unsafe(drop))
  const filled = yield* fill
  yield* Effect.forEach(made, ({ make }) => sql.unsafe(make))
  return filled
})
