import { Config, Effect, Option, Schema } from "effect"
import { optionalSetting, setting } from "../config/Setting.ts"

const isPostgresUrl = Schema.makeFilter<string>((text) => {
  const url = URL.parse(text)
  return url !== null && /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1
})

/**
 * The service needs three: one that reads share, one to write, and one beside that. The third listens, or makes an
 * index while a transaction has the lock of its migration.
 */
export const fewestConnections = 3

const isPoolSize = Schema.isBetween({ minimum: fewestConnections, maximum: 1000 })

/** Where rows and files are kept. */
export const databaseSettings = {
  DATABASE_URL: optionalSetting({
    variable: "DATABASE_URL",
    isSecret: true,
    meaning: "any PostgreSQL from version 15 on",
    unset: "unset: embedded PostgreSQL under `DATA_DIR`",
    expected: "a PostgreSQL URL with a database name",
    example: "postgres://turma:secret@db.example:5432/turma"
  }, (variable) => Config.schema(Schema.Redacted(Schema.String.check(isPostgresUrl)), variable)),
  DATABASE_SESSION_URL: optionalSetting({
    variable: "DATABASE_SESSION_URL",
    isSecret: true,
    meaning: "the same database, past a pooler: for what needs a session (notifications, migrations, backups)",
    unset: "unset: `DATABASE_URL`",
    expected: "a PostgreSQL URL with a database name, past the pooler that DATABASE_POOLER tells of",
    example: "postgres://turma:secret@db.example:5432/turma"
  }, (variable) => Config.schema(Schema.Redacted(Schema.String.check(isPostgresUrl)), variable)),
  DATABASE_READ_URL: optionalSetting({
    variable: "DATABASE_READ_URL",
    isSecret: true,
    meaning: "a streaming replica of it, for lists and exports",
    unset: "unset: they are read at `DATABASE_URL`",
    expected: "a PostgreSQL URL with a database name, beside a DATABASE_URL that it is a replica of",
    example: "postgres://turma:secret@replica.example:5432/turma"
  }, (variable) => Config.schema(Schema.Redacted(Schema.String.check(isPostgresUrl)), variable)),
  DATABASE_POOLER: setting({
    variable: "DATABASE_POOLER",
    meaning: "`transaction` where a pooler in transaction mode answers at `DATABASE_URL`, such as PgBouncer",
    fallback: "none",
    expected: "one of none, transaction",
    example: "transaction"
  }, (variable) => Config.Literals(["none", "transaction"], variable)),
  DATABASE_PREPARED_STATEMENTS: optionalSetting({
    variable: "DATABASE_PREPARED_STATEMENTS",
    meaning: "whether statements are prepared once per connection",
    unset: "unset: `true`, and `false` with a pooler in transaction mode",
    expected: "true or false",
    example: "true"
  }, (variable) => Config.Boolean(variable)),
  DATABASE_POOL: setting({
    variable: "DATABASE_POOL",
    meaning: "connections per process",
    fallback: "13",
    expected: "a whole number from 3 to 1000",
    example: "10"
  }, (variable) => Config.schema(Schema.NumberFromString.check(Schema.isInt(), isPoolSize), variable)),
  DATA_DIR: setting({
    variable: "DATA_DIR",
    meaning: "embedded database, mail, uploads, generated key",
    fallback: ".data",
    expected: "a folder",
    example: "/var/lib/turma"
  }, (variable) => Config.schema(Schema.NonEmptyString, variable))
} as const

/** True if the database is the embedded one: only then may secrets be generated beside it. */
export const usesEmbeddedPostgres = Effect.map(databaseSettings.DATABASE_URL.read, Option.isNone)
