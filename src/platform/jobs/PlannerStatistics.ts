import { Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { texts } from "../sql/Arrays.ts"
import { Connections } from "../sql/Connections.ts"
import { rows } from "../sql/Rows.ts"
import { repeatedly } from "./Repeatedly.ts"

/** So few rows make no plan slow, with any index. */
const few = 100

/** How often somebody looks who has written meanwhile. */
const every = Duration.seconds(2)

/** Statements and transactions that are too few for a look: a process at rest has some now and then. */
const fewWrites = 10

const decodeTables = rows(Schema.Struct({ name: Schema.String }))

/**
 * Counts anew the tables that have more than twice the rows of PostgreSQL's last count, and a hundred besides; answers
 * their names. PostgreSQL itself counts once a minute, and until then plans for the old size. Every index that begins
 * with the club then looks as good as the right one. So each written row reads all rows of its club to check a foreign
 * key. A table that cannot be counted, by a limit of time for instance, is logged and stays PostgreSQL's from then on.
 * The others are still counted.
 */
export const makeCountGrownTables = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const left = new Set<string>()

  // A table that is being counted or vacuumed already is skipped.
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
    // Writes by our own count are ignored. After a failed count the next try waits for another write.
    seen = writes
    yield* countGrownTables
    seen = yield* connections.writes
  })
  yield* repeatedly(look, { every, startAfter: every, onFailure: "Grown tables were not counted", level: "Warn" })
}))
