import { Redacted } from "effect"

/** Milliseconds. No wait is endless: neither behind a lock, nor behind a process that stands still in a transaction. */
const bounds = { lock_timeout: 10_000, idle_in_transaction_session_timeout: 30_000 } as const

type Bound = keyof typeof bounds

/** The bounds as start-up parameters of a connection, if no pooler keeps them from the server. */
export const startupBounds: Readonly<Record<Bound, string>> = {
  lock_timeout: `${bounds.lock_timeout}ms`,
  idle_in_transaction_session_timeout: `${bounds.idle_in_transaction_session_timeout}ms`
}

/** Milliseconds, as `pg_settings` has them; 0 is without end. */
export type FoundBounds = Readonly<Record<Bound, number>>

/** In a statement: what holds on the connection that it runs on, as columns. */
export const foundBounds = `
  (select setting::int from pg_settings where name = 'lock_timeout') as lock_timeout,
  (select setting::int from pg_settings where name = 'idle_in_transaction_session_timeout')
    as idle_in_transaction_session_timeout`

/** The bounds that do not hold where these were found: what is shorter than ours is a bound as well. */
export const missingBounds = (found: FoundBounds): ReadonlyArray<Bound> =>
  (["lock_timeout", "idle_in_transaction_session_timeout"] as const).filter((name) =>
    found[name] <= 0 || found[name] > bounds[name]
  )

const quoted = (name: string) => `"${name.replaceAll(`"`, `""`)}"`

/** The statements that set these bounds for a role, for all its connections. */
export const boundsFor = (role: string, database: string, missing: ReadonlyArray<Bound>): string =>
  missing.map((name) =>
    `alter role ${quoted(role)} in database ${quoted(database)} set ${name} = '${bounds[name] / 1000}s'`
  ).join("; ")

/**
 * Milliseconds that a connection may take to open, unless its URL has its own time. Opening takes three answers of the
 * server, and the driver waits five seconds. If a database takes two seconds for each, no connection would ever open.
 * The request's own limit is longer, so it still gets its answer.
 */
export const openingTime = (url: Redacted.Redacted): { readonly connectTimeout?: number } =>
  new URL(Redacted.value(url)).searchParams.has("connect_timeout") ? {} : { connectTimeout: 10_000 }
