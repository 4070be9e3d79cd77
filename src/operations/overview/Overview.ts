import { Context, DateTime, Duration, Effect, Layer, type Schema } from "effect"
import { SqlClient } from "effect/sql"
import { countersAreShared, RateLimiter } from "../../identity/limits/RateLimiter.ts"
import { Overviews } from "../../platform/jobs/Overviews.ts"
import { readBacklogs } from "../../platform/jobs/readBacklogs.ts"
import { Supervisor } from "../../platform/processes/Supervisor.ts"
import { Connections } from "../../platform/sql/Connections.ts"
import { version } from "../../platform/version.ts"
import { metrics } from "../telemetry/Metrics.ts"

const patience = Duration.seconds(2)

/** The state of the service, for its operator. */
export class Overview extends Context.Service<Overview, {
  /** Names no person and no address. A part that does not answer within 2 seconds is null. */
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
          queues: orNull("queues", readBacklogs(sql, queues, now)),
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
