import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { MigrationFile } from "./MigrationFile.ts"

/** Migrations by number, as a database or a backup has them. */
export const Applied = Schema.Array(Schema.Struct({ id: Schema.Int, name: Schema.String, checksum: Schema.String }))
export type Applied = typeof Applied.Type

/** The migrations of a database. */
export interface History {
  /** Migrations that a program must know to run on it: every version refuses rows here without a file of its own. */
  readonly needed: Applied
  /** Migrations that a program may run beside without knowing them: versions before this table do not see it. */
  readonly additions: Applied
}

const empty: History = { needed: [], additions: [] }

const byNumber = (applied: Applied) => applied.toSorted((a, b) => a.id - b.id)

/** Everything that was applied, in order. */
const allOf = ({ additions, needed }: History): Applied => byNumber([...needed, ...additions])

/** Migrations of a newer version, which this one runs beside. */
export const aheadOf = (migrations: ReadonlyArray<MigrationFile>, { additions }: History): Applied =>
  additions.filter(({ id }) => id > (migrations.at(-1)?.id ?? 0))

/** Says in one line why this history cannot be continued with these files, if it cannot. */
export const conflict = (migrations: ReadonlyArray<MigrationFile>, history: History): string | undefined => {
  const last = migrations.at(-1)?.id ?? 0
  // A backup may list them in any order.
  const needed = byNumber(history.needed).at(-1)?.id ?? 0
  if (needed > last) {
    return `the database is from a newer version of Turma (it is at ${needed}, this version ends at ${last})`
  }
  const applied = allOf(history)
  for (const { checksum, id, name } of applied.filter(({ id }) => id <= last)) {
    const file = migrations.find((migration) => migration.id === id)
    if (file === undefined) return `${id} (${name}) has been applied, but its file is gone`
    if (file.checksum !== checksum) return `${file.file} has changed since it was applied`
  }
  const latest = applied.at(-1)?.id ?? 0
  const gap = migrations.find(({ id }) => id < latest && !applied.some((done) => done.id === id))
  return gap && `${gap.file} was not applied before ${latest}: give it a number after the last one`
}

/** The files still to apply, in order. */
export const pendingOf = (
  migrations: ReadonlyArray<MigrationFile>,
  history: History
): ReadonlyArray<MigrationFile> => {
  const applied = allOf(history)
  return migrations.filter(({ id }) => !applied.some((done) => done.id === id))
}

const decode = (rows: unknown) => Effect.orDie(Schema.decodeUnknownEffect(Applied)(rows))

/** Reads what the database has gone through: nothing, where it has no tables. */
export const readHistory = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql`
    select to_regclass('schema_migrations') is not null as migrations,
           to_regclass('schema_additions') is not null as additions`
  if (found?.["migrations"] !== true) return empty
  const needed = yield* decode(yield* sql`select id, name, checksum from schema_migrations order by id`)
  const additions = found["additions"] === true
    ? yield* decode(yield* sql`select id, name, checksum from schema_additions order by id`)
    : []
  return { needed, additions } satisfies History
})

const create = Effect.fnUntraced(function*(table: "schema_migrations" | "schema_additions") {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table if not exists ${sql(table)} (
      id          int primary key,
      name        text not null,
      checksum    text not null,
      applied_at  timestamptz not null
    )`
})

/** Creates the table of what every program has to know. */
export const createHistory = create("schema_migrations")

/** Creates the other table, which is there once there is something for it. */
export const createAdditions = create("schema_additions")

/**
 * Records that a file was applied. If it needs programs that know a certain migration, all rows up to that one move to
 * the table that every program checks. So older versions that look only there refuse the database from then on, and
 * other versions do not.
 */
export const record = Effect.fnUntraced(function*({ beside, checksum, id, name }: MigrationFile) {
  const sql = yield* SqlClient.SqlClient
  const row = { id, name, checksum, applied_at: DateTime.toDateUtc(yield* DateTime.now) }
  const isAddition = beside < id
  const [found] = yield* sql`select to_regclass('schema_additions') is not null as is_there`
  if (found?.["is_there"] === true) {
    yield* sql`
      with known as (delete from schema_additions where id <= ${beside} returning id, name, checksum, applied_at)
      insert into schema_migrations (id, name, checksum, applied_at) select id, name, checksum, applied_at from known`
  } else if (isAddition) yield* createAdditions
  yield* sql`insert into ${sql(isAddition ? "schema_additions" : "schema_migrations")} ${sql.insert(row)}`
})
