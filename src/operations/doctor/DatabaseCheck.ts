import { Array, DateTime, Duration, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { keyFault } from "../../platform/keys/KeyGuard.ts"
import { Connections } from "../../platform/sql/Connections.ts"
import { DatabaseServer, PgLayer } from "../../platform/sql/Database.ts"
import { askedClock } from "../../platform/sql/DatabaseTime.ts"
import { pendingMigrations } from "../../platform/sql/Migrations.ts"
import { missingDatabase } from "../../platform/sql/MissingDatabase.ts"
import { PooledRandomLayer } from "../../platform/sql/PooledRandom.ts"
import { one } from "../../platform/sql/Rows.ts"
import type { SealedRows } from "../../platform/sql/SealedRows.ts"
import { addressSpellings } from "./AddressSpellings.ts"
import { check, type Finding, ok, problem, warning } from "./Finding.ts"

/** Sessions, tokens and retries are off by what the clocks are; the service itself looks more closely where it matters. */
const mostApart = Duration.seconds(5)

const clock = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const before = yield* DateTime.now
  const there = yield* askedClock.ask(sql)
  const after = yield* DateTime.now
  // The question takes a while: a difference within that time does not count.
  const early = DateTime.toEpochMillis(before) - DateTime.toEpochMillis(there)
  const late = DateTime.toEpochMillis(there) - DateTime.toEpochMillis(after)
  const apart = Duration.millis(Math.max(0, early, late))
  return Duration.isLessThanOrEqualTo(apart, mostApart)
    ? ok("Clock", `agrees with the database's, to ${Duration.format(apart)}`)
    : problem(
      "Clock",
      `differs from the database's by ${Duration.format(apart)}`,
      "Let both machines follow NTP: timedatectl set-ntp true"
    )
})

const migrations = Effect.gen(function*() {
  const { ahead, conflict, pending } = yield* pendingMigrations
  if (conflict !== undefined) return problem("Migrations", conflict, "Run the version that the database belongs to")
  if (ahead.length > 0) {
    return warning(
      "Migrations",
      `a newer version has added ${ahead.join(", ")}, beside which this one may run`,
      "Run that version everywhere, unless you went back on purpose"
    )
  }
  if (pending.length === 0) return ok("Migrations", "the schema is up to date")
  const many = pending.length === 1 ? "1 is" : `${pending.length} are`
  return warning(
    "Migrations",
    `${many} pending, from ${pending[0]} on`,
    "The next start applies them, or npx turma migrate"
  )
})

/** Asked only of a schema that is up to date: an older one says less of its keys. */
const keys = (all: ReadonlyArray<SealedRows>) =>
  Effect.map(
    Effect.provide(keyFault(all), PooledRandomLayer),
    Option.match({
      onNone: () => ok("Keys", "open what is sealed in the database"),
      onSome: (fault) => problem("Keys", fault, "No process starts with these keys, and nothing of that key opens")
    })
  )

const replica = Effect.gen(function*() {
  const { replicaFault } = yield* Connections
  if (Option.isNone(replicaFault)) return []
  const fault = yield* replicaFault.value
  return [
    Option.isNone(fault)
      ? ok("Replica", "has all that is committed, for lists and exports")
      : warning(
        "Replica",
        `of no use, so lists and exports are read at the database: ${fault.value}`,
        "See whether DATABASE_READ_URL names a replica of DATABASE_URL, and what pg_stat_replication says there"
      )
  ]
})

const pooler = Effect.gen(function*() {
  const { isPooled, prepare } = yield* DatabaseServer
  const how = prepare ? "prepared" : "unprepared"
  return isPooled ? [ok("Pooler", `lends connections by the transaction, statements are sent ${how}`)] : []
})

const decodeVersion = one(Schema.Struct({ version: Schema.String }))

const connected = Effect.fnUntraced(function*(all: ReadonlyArray<SealedRows>) {
  const sql = yield* SqlClient.SqlClient
  const { version } = yield* sql`select current_setting('server_version') as version`.pipe(decodeVersion)
  const schema = yield* migrations
  const found: ReadonlyArray<Finding> = [
    ok("Database", `PostgreSQL ${version} answers`),
    ...yield* pooler,
    ...yield* replica,
    schema,
    ...schema.state === "ok" ? yield* check("Keys", Effect.map(keys(all), Array.of)) : [],
    ...schema.state === "ok" ? yield* addressSpellings : [],
    yield* clock
  ]
  return found
}, (connecting) =>
  connecting.pipe(
    Effect.provide(PgLayer),
    Effect.catchTags({
      DatabaseUnavailable: ({ message }) =>
        Effect.succeed([
          problem("Database", message, "Is PostgreSQL running, and are address, user and password right?")
        ]),
      EmbeddedPostgresError: ({ message }) =>
        Effect.succeed([problem("Database", message, "See its log in DATA_DIR/postgres")])
    })
  ))

/** The database: whether it answers, its version, its schema, whether our keys open what is sealed, and its clock beside ours. */
export const databaseCheck = (all: ReadonlyArray<SealedRows>) =>
  check(
    "Database",
    Effect.gen(function*() {
      // The check creates nothing: an embedded database begins with the first start of the service.
      if (Option.isSome(yield* missingDatabase)) {
        return [ok("Database", "embedded, and not made yet: the first start makes it")]
      }
      return yield* connected(all)
    })
  )
