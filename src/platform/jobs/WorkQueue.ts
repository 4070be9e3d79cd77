import type { Duration } from "effect"
import type { SqlClient, Statement } from "effect/sql"

/** Work that waits in a table until it is due, as monitoring shows it. */
export interface Backlog {
  /** No two have the same. */
  readonly name: string
  /**
   * When the earliest of it is due: one `timestamptz` in parentheses, null while nothing waits, `epoch` where all of it is
   * due at once. Is read from an index, and names no moment: it also finds what is due later, leases that end among it.
   */
  readonly nextDue: (sql: SqlClient.SqlClient) => Statement.Fragment
  /** `from … where …`: all that waits, due or not, as rows of an index: some thousands of them are counted. */
  readonly waiting: (sql: SqlClient.SqlClient) => Statement.Fragment
  /** Since when the oldest of it has been due, like `nextDue`; where that does not say it. */
  readonly oldest?: (sql: SqlClient.SqlClient) => Statement.Fragment
}

/** What workers wait for. By its name processes tell each other of work. */
export interface WorkQueue extends Backlog {
  /**
   * How long before it is due it comes, where nobody announces it: it is looked for that often, 250 milliseconds at
   * least.
   */
  readonly notice?: Duration.Duration
}
