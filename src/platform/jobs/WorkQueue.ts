import type { Duration } from "effect"
import type { SqlClient, Statement } from "effect/sql"

/** Work that waits in a table until it is due. */
export interface WorkQueue {
  /** By this processes tell each other of work. No two queues have the same. */
  readonly name: string
  /**
   * When the earliest of it is due: one `timestamptz` in parentheses, null while nothing waits, `epoch` where all of it is
   * due at once. Is read from an index, and names no moment: it also finds what is due later, leases that end among it.
   */
  readonly nextDue: (sql: SqlClient.SqlClient) => Statement.Fragment
  /**
   * How long before it is due it comes, where nobody announces it: it is looked for that often, 250 milliseconds at
   * least.
   */
  readonly notice?: Duration.Duration
}
