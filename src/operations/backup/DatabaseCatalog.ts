import { Effect, Schema } from "effect"

/** Runs one statement: of the session that dumps, or of the one that restores. */
export type Query<E> = (text: string) => Effect.Effect<ReadonlyArray<object>, E>

const ours = "relnamespace = current_schema()::regnamespace"

const tables = `
  select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.${ours} and c.relkind in ('r', 'p') and not c.relispartition
  group by c.oid, c.relname order by c.relname`

const partitions = `
  select c.relname::text as name, p.relname::text as parent, pg_get_expr(c.relpartbound, c.oid) as bounds
  from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
  where c.${ours} and c.relkind = 'r' and c.relispartition order by c.relname`

const generated = `
  select c.relname::text as table_name, a.attname::text as column_name
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and a.attgenerated <> ''
  where c.${ours} and c.relkind in ('r', 'p')`

// Those of partitions follow their table's.
const references = `
  select t.conrelid::regclass::text as table_name, quote_ident(t.conname) as name, pg_get_constraintdef(t.oid) as definition
  from pg_constraint t join pg_class c on c.oid = t.conrelid
  where c.${ours} and t.contype = 'f' and t.conparentid = 0
  order by t.oid`

const sequences = `select sequencename::text as name from pg_sequences where schemaname = current_schema() order by 1`

const Table = Schema.Struct({ name: Schema.String, columns: Schema.Array(Schema.String) })
const Partition = Schema.Struct({ name: Schema.String, parent: Schema.String, bounds: Schema.String })
const Generated = Schema.Struct({ table_name: Schema.String, column_name: Schema.String })
const Reference = Schema.Struct({ table_name: Schema.String, name: Schema.String, definition: Schema.String })
const Named = Schema.Struct({ name: Schema.String })

const read = <A>(row: Schema.Codec<A, unknown>, text: string) => <E>(query: Query<E>) =>
  Effect.flatMap(query(text), (rows) => Effect.orDie(Schema.decodeUnknownEffect(Schema.Array(row))(rows)))

/** The tables of our schema by name, without partitions; columns in their order. */
export const readTables = read(Table, tables)
/** Partitions by name, each with its table and its bounds. */
export const readPartitions = read(Partition, partitions)
/** Columns that PostgreSQL computes. */
export const readGenerated = read(Generated, generated)
/** Foreign keys. Names are quoted where they have to be. */
export const readReferences = read(Reference, references)
/** Sequences by name. */
export const readSequences = read(Named, sequences)

/** A name as SQL takes it. */
export const quoted = (name: string): string => `"${name.replaceAll("\"", "\"\"")}"`
