import { Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Connections } from "../sql/Connections.ts"
import { rows } from "../sql/Rows.ts"
import { repeatedly } from "./Repeatedly.ts"

/** Rows that make no plan slow, whichever index it takes. */
const few = 100

/** How often somebody looks who has written meanwhile. */
const every = Duration.seconds(2)

/** Statements and transactions that are too few for a look: a process at rest has some now and then. */
const fewWrites = 10

const decodeTables = rows(Schema.Struct({ name: Schema.String }))

/**
 * Counts anew the tables that have three times the rows they had when PostgreSQL last counted them, and returns their names.
 * PostgreSQL does so itself once a minute, and until then takes a table for as small as it was: every index that begins with
 * the club looks as good as the right one, and each row that is written reads all of its club's to check a foreign key.
 */
export const countGrownTables = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const grown = yield* sql`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace and pg_has_role(relowner, 'usage')
      and pg_stat_get_live_tuples(oid) > ${few}::int + 2 * greatest(reltuples, 0)
    order by name`.pipe(decodeTables)
  // One that somebody counts or vacuums already is left to them.
  yield* Effect.forEach(grown, ({ name }) => sql`analyze (skip_locked) ${sql(name)}`.unprepared.pipe(Effect.orDie))
  return grown.map(({ name }) => name)
}).pipe(Effect.withSpan("countGrownTables"))

/** Has grown tables counted while this process writes, for as long as the layer lives. Any number of processes may. */
export const PlannerStatisticsLayer = Layer.effectDiscard(Effect.gen(function*() {
  const connections = yield* Connections
  let seen = yield* connections.writes
  const look = Effect.gen(function*() {
    const writes = yield* connections.writes
    if (writes - seen < fewWrites) return
    yield* countGrownTables
    seen = yield* connections.writes
  })
  yield* repeatedly(look, { every, startAfter: every, onFailure: "Grown tables were not counted", level: "Warn" })
}))
