import { Effect } from "effect"
import type { Stand } from "./Stand.ts"
import type { Outage } from "./Verdict.ts"

/** Seconds that PostgreSQL and Redis are away, beside what they take to start. */
const away = 1

/** A process that starts or ends because PostgreSQL is away may do so for this many milliseconds afterwards. */
const aftermath = 5000

/** PostgreSQL and Redis, which each go away for a second and come back. */
export const outagesOf = (stand: Stand) => {
  const ofDatabase: Array<Outage> = []
  let databaseIsAway = false
  let redisIsAway = false
  return {
    /** When PostgreSQL was away. */
    ofDatabase,
    /** Whether Redis is away at this moment. */
    redisIsAway: () => redisIsAway,
    /** Whether a process may end because PostgreSQL is away, or was just now. */
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
