import { Effect } from "effect"
import type { Stand } from "./Stand.ts"
import type { Outage } from "./Verdict.ts"

/** Seconds for which PostgreSQL and Redis are away, plus their time to start. */
const away = 1

/** Milliseconds after an outage of PostgreSQL in which a process may still start or end because of it. */
const aftermath = 5000

/** Takes PostgreSQL and Redis away for a second each. */
export const outagesOf = (stand: Stand) => {
  const ofDatabase: Array<Outage> = []
  let databaseIsAway = false
  let redisIsAway = false
  return {
    /** The outages of PostgreSQL. */
    ofDatabase,
    /** True while Redis is away. */
    redisIsAway: () => redisIsAway,
    /** True if a process may end because PostgreSQL is away, or was just now. */
    mayEnd: () => databaseIsAway || ofDatabase.some(({ until }) => Date.now() < until + aftermath),
    database: Effect.gen(function*() {
      const from = Date.now()
      databaseIsAway = true
      yield* stand.database.stop
      yield* Effect.sleep(away * 1000)
      yield* stand.database.start
      ofDatabase.push({ from, until: Date.now() })
      databaseIsAway = false
    }),
    redis: Effect.gen(function*() {
      redisIsAway = true
      yield* stand.counters.stop
      yield* Effect.sleep(away * 1000)
      redisIsAway = false
      yield* stand.counters.start
    })
  }
}
