import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, type SqlError } from "effect/sql"
import type { Link } from "./Links.ts"

/** A process that sends its statements through the gate. */
export interface Client {
  readonly name: string
  readonly state: "up" | "frozen" | "dead"
  /** Its open transactions. */
  readonly links: Set<Link>
  /** Called before a statement goes out and after its answer came. The process may die there. */
  passed(moment: "before" | "after"): void
}

/** True if nothing comes from it any more. */
export const isDead = ({ state }: Client): boolean => state === "dead"

/** Asks for a statement on a connection that the gate chooses, or on this link. */
export type Through = <A>(
  link: Link | undefined,
  text: string,
  run: (connection: SqlConnection.Connection) => Effect.Effect<A, SqlError.SqlError>
) => Effect.Effect<A, SqlError.SqlError>

/** A statement waits for a lock in real time, which a simulation does not have. The holder goes first, so it may wait. */
const patient = (sql: string, params: ReadonlyArray<unknown>) =>
  sql.includes("set_config('lock_timeout', $1") ? ["0"] : params

const connectionOf = (through: Through, link: Link | undefined): SqlConnection.Connection => ({
  execute: (sql, params, transform) => through(link, sql, (c) => c.execute(sql, patient(sql, params), transform)),
  executeRaw: (sql, params) => through(link, sql, (c) => c.executeRaw(sql, params)),
  executeValues: (sql, params) => through(link, sql, (c) => c.executeValues(sql, params)),
  executeValuesUnprepared: (sql, params) => through(link, sql, (c) => c.executeValuesUnprepared(sql, params)),
  executeUnprepared: (sql, params, transform) => through(link, sql, (c) => c.executeUnprepared(sql, params, transform)),
  executeStream: () => {
    throw new Error("The simulation has no streams")
  }
})

/** The `SqlClient` of one process; `transaction` lends it a session for as long as a transaction lasts. */
export const clientLayer = (
  through: Through,
  transaction: { readonly borrow: Effect.Effect<Link>; readonly giveBack: (link: Link) => void }
): Layer.Layer<SqlClient.SqlClient> => {
  const lent = Effect.acquireRelease(
    transaction.borrow,
    (link) => Effect.sync(() => transaction.giveBack(link))
  )
  return Layer.effect(
    SqlClient.SqlClient,
    SqlClient.make({
      acquirer: Effect.succeed(connectionOf(through, undefined)),
      transactionAcquirer: Effect.map(lent, (link) => connectionOf(through, link)),
      compiler: PgClient.makeCompiler(),
      driver: "pg",
      spanAttributes: []
    })
  ).pipe(Layer.provide(Reactivity.layer))
}
