import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer, type Redacted, Schema, type Scope } from "effect"
import { SqlClient, type SqlConnection, type SqlError } from "effect/sql"

/** One session of PostgreSQL, lent to a transaction or for a statement. */
export interface Link {
  readonly connection: SqlConnection.Connection
  readonly pid: number
}

/** The sessions of a simulation; `monitor` is the harness's own. */
export interface Links {
  readonly links: ReadonlyArray<Link>
  readonly monitor: Link
}

const count = 14

const decodePid = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ pid: Schema.Int })]))

const RealTime = Layer.sync(Clock.Clock, () => Clock.Clock.defaultValue())

const makeLink = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const connection = yield* sql.reserve
  const [{ pid }] = yield* Effect.flatMap(
    connection.execute("select pg_backend_pid() as pid", [], undefined),
    decodePid
  )
  return { connection, pid }
})

/** Opens the sessions once for many simulations, on real time. Plans are kept: simulations repeat their statements. */
export const makeLinks = (url: Redacted.Redacted): Effect.Effect<Links, SqlError.SqlError, Scope.Scope> =>
  Effect.gen(function*() {
    const client = yield* Layer.build(PgClient.layer({
      url,
      applicationName: "turma",
      maxConnections: count + 1,
      startupParameters: { plan_cache_mode: "force_generic_plan", jit: "off" }
    }).pipe(Layer.provide(RealTime)))
    const all = yield* Effect.provideContext(Effect.replicateEffect(makeLink, count), client)
    const monitor = yield* Effect.provideContext(makeLink, client)
    return { links: all, monitor }
  }).pipe(Effect.catchTag("SchemaError", Effect.die))
