import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { countersAreShared, RateLimiter } from "../../identity/limits/RateLimiter.ts"
import { backlogOf, BacklogRow, countOf } from "../../platform/jobs/BacklogRow.ts"
import { Overviews } from "../../platform/jobs/Overviews.ts"
import { Supervisor } from "../../platform/processes/Supervisor.ts"
import { Connections } from "../../platform/sql/Connections.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { version } from "../../platform/version.ts"
import { metrics } from "../telemetry/Metrics.ts"

const patience = Duration.seconds(2)

const decodeQueues = rows(Schema.Struct({ name: Schema.String, ...BacklogRow.fields }))

/** How the service stands, for who runs it. */
export class Overview extends Context.Service<Overview, {
  /** Names no person and no address. What does not answer within 2 seconds is null. */
  readonly read: Effect.Effect<Schema.Json>
}>()("turma/operations/overview/Overview") {
  static readonly layer = Layer.effect(
    Overview,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const limiter = yield* RateLimiter
      const connections = yield* Connections
      const supervisor = yield* Supervisor
      const hasRedis = yield* countersAreShared
      const { parts, queues } = yield* Overviews

      const orNull = <A, E>(what: string, read: Effect.Effect<A, E>): Effect.Effect<A | null> =>
        read.pipe(
          Effect.timeout(patience),
          Effect.catchCause((cause) =>
            Effect.as(Effect.logWarning("A part of the overview could not be read", { what }, cause), null)
          )
        )

      const isReachable = (what: string, check: Effect.Effect<unknown, unknown>) =>
        Effect.map(orNull(what, Effect.as(check, true)), (reached) => ({ reachable: reached ?? false }))

      // One statement for all: each counts some thousands of rows of an index at most.
      const waiting = (now: DateTime.Utc) =>
        sql`
          select name, depth, oldest from (values ${
          sql.csv(
            queues.map(({ name, nextDue, oldest = nextDue, waiting }) =>
              sql`(${name}, ${countOf(sql, waiting(sql))}, ${oldest(sql)})`
            )
          )
        }) as queues (name, depth, oldest)`.pipe(
          decodeQueues,
          Effect.map((found) => found.map(({ name, ...row }) => ({ name, ...backlogOf(row, now) })))
        )

      // The supervisor knows its processes by who has told it their metrics.
      const processes = supervisor === undefined
        ? Effect.succeed([{ pid: process.pid, answers: true }])
        : Effect.map(metrics, (text) =>
          Array.from(
            text.matchAll(/^turma_process_answered\{process="(\d+)"\} ([01])$/gm),
            ([, pid, answered]) => ({ pid: Number(pid), answers: answered === "1" })
          ))

      const read = Effect.gen(function*() {
        const now = yield* DateTime.now
        const found = yield* Effect.all({
          processes: orNull("processes", processes),
          database: isReachable("database", sql`select 1`),
          redis: hasRedis ? isReachable("redis", limiter.check) : Effect.succeed(null),
          pool: connections.load,
          queues: orNull("queues", waiting(now)),
          parts: Effect.forEach(
            parts,
            ({ name, read }) => Effect.map(orNull(name, read), (part) => [name, part] as const),
            {
              concurrency: "unbounded"
            }
          )
        }, { concurrency: "unbounded" })
        const { parts: shown, ...rest } = found
        return { version, now: DateTime.formatIso(now), pid: process.pid, ...rest, ...Object.fromEntries(shown) }
      }).pipe(Effect.withSpan("Overview.read"))

      return Overview.of({ read })
    })
  )
}
