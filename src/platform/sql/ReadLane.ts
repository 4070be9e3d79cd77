import { Context, Effect } from "effect"

/**
 * Where a read outside of transactions runs. `shared`: on connections that many short reads share. `lookup`: on one that
 * only look-ups of sessions and keys and the readiness use. `scan`: on few that have one statement at a time, and a limit.
 */
export type ReadLane = "lookup" | "scan" | "shared"

/** The lane of the reads of this fiber. */
export const CurrentLane = Context.Reference<ReadLane>("turma/platform/sql/ReadLane", {
  defaultValue: () => "shared"
})

/**
 * The account whose clubs share one bound on scans, by any text. It is read when a scan starts. Undefined: there is no
 * such bound.
 */
export const ScansOf = Context.Reference<Effect.Effect<string | undefined>>("turma/platform/sql/ScansOf", {
  defaultValue: () => Effect.undefined
})

/** For reads that come before it is known on whose behalf they are: each finds one row by its whole key. */
export const lookingUp: <A, E, R>(read: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.provideService(
  CurrentLane,
  "lookup"
)

/** For reads whose cost grows with what a club has: they wait for each other, and for nobody else's. */
export const scanning: <A, E, R>(read: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.provideService(
  CurrentLane,
  "scan"
)

/** Milliseconds that a statement of the lane `scan` may take. */
export const scanLimit = 2_000
