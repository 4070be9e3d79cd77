import { Effect, Option, type Redacted } from "effect"
import { SettingError } from "../config/Setting.ts"
import { databaseSettings } from "./DatabaseSettings.ts"

/** How to talk to the server of a URL. */
export interface Speaking {
  /** True if a pooler in transaction mode is between: then the settings of a connection end with each transaction. */
  readonly isPooled: boolean
  /** True if statements are prepared once per connection. */
  readonly prepare: boolean
}

/** The same server without a pooler. */
export const directly: Speaking = { isPooled: false, prepare: true }

/** Addresses of a database that is not the embedded one. */
export interface DatabaseAddresses extends Speaking {
  readonly url: Redacted.Redacted
  /** Where a connection is a session of PostgreSQL. */
  readonly sessionUrl: Redacted.Redacted
  readonly readUrl: Option.Option<Redacted.Redacted>
}

const beside = (variable: string, expected: string, example: string) =>
  new SettingError({ variable, expected, example })

const needsDatabase = (variable: string, example: string) =>
  beside(variable, "DATABASE_URL to be set beside it", example)

/** The settings together; `None` with the embedded database. */
export const databaseAddresses = Effect.gen(function*() {
  const given = yield* databaseSettings.DATABASE_URL.read
  const session = yield* databaseSettings.DATABASE_SESSION_URL.read
  const readUrl = yield* databaseSettings.DATABASE_READ_URL.read
  const isPooled = (yield* databaseSettings.DATABASE_POOLER.read) === "transaction"
  const prepare = Option.getOrElse(yield* databaseSettings.DATABASE_PREPARED_STATEMENTS.read, () => !isPooled)
  if (Option.isNone(given)) {
    if (isPooled) return yield* needsDatabase("DATABASE_POOLER", "transaction")
    if (Option.isSome(session)) {
      return yield* needsDatabase("DATABASE_SESSION_URL", "postgres://turma:secret@db.example:5432/turma")
    }
    if (Option.isSome(readUrl)) {
      return yield* needsDatabase("DATABASE_READ_URL", "postgres://turma:secret@replica.example:5432/turma")
    }
    return Option.none<DatabaseAddresses>()
  }
  if (isPooled && Option.isNone(session)) {
    return yield* beside(
      "DATABASE_SESSION_URL",
      "the database's own address, past the pooler, beside DATABASE_POOLER=transaction",
      "postgres://turma:secret@db.example:5432/turma"
    )
  }
  const url = given.value
  return Option.some<DatabaseAddresses>({
    url,
    sessionUrl: Option.getOrElse(session, () => url),
    readUrl,
    isPooled,
    prepare
  })
})
