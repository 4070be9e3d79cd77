import { Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { texts } from "../sql/Arrays.ts"
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
 * Counts anew the tables that have more than twice the rows they had when PostgreSQL last counted them, and a hundred besides;
 * returns their names. PostgreSQL does so itself once a minute, and until then takes a table for as small as it was: every
 * index that begins with the club looks as good as the right one, and each row that is written reads all of its club's to
 * check a foreign key. A table that cannot be counted, by a limit of time for instance, is logged, left to PostgreSQL from
 * then on, and keeps no other from being counted.
 */
export const makeCountGrownTables = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const left = new Set<string>()

  // One that somebody counts or vacuums already is left to them.
  const count = (name: string) =>
    Effect.catch(sql`analyze (skip_locked) ${sql(name)}`.unprepared, (error) => {
      left.add(name)
      return Effect.logWarning(
        "A grown table cannot be counted: PostgreSQL counts it by itself",
        { table: name },
        error
      )
    })

  return Effect.gen(function*() {
    const grown = yield* sql`
      select relname as name from pg_class
      where relkind = 'r' and relnamespace = (select oid from pg_namespace where nspname = current_schema())
        and pg_has_role(relowner, 'usage') and relname <> all(${texts([...left])})
        and pg_stat_get_live_tuples(oid) > ${few}::int + 2 * greatest(reltuples, 0)
      order by name`.pipe(decodeTables)
    yield* Effect.forEach(grown, ({ name }) => count(name), { discard: true })
    return grown.map(({ name }) => name)
  }).pipe(Effect.withSpan("countGrownTables"))
})

/** Has grown tables counted while this process writes, for as long as the layer lives. Any number of processes may. */
export const PlannerStatisticsLayer = Layer.effectDiscard(Effect.gen(function*() {
  const connections = yield* Connections
  const countGrownTables = yield* makeCountGrownTables
  let seen = yield* connections.writes
  const look = Effect.gen(function*() {
    const writes = yield* connections.writes
    if (writes - seen < fewWrites) return
    // What counting writes is not counted, but if it fails neither is it tried again before somebody else writes.
    seen = writes
    yield* countGrownTables
    seen = yield* connections.writes
  })
  yield* repeatedly(look, { every, startAfter: every, onFailure: "Grown tables were not counted", level: "Warn" })
}))
