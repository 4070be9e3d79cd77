import { Cause, Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { QuietEnd } from "../errors/CommandFailure.ts"
import { exitCodes } from "../errors/ExitCodes.ts"

/** A redirect is no answer of ours, and could lead a key elsewhere: none is followed. */
const HttpLayer = Layer.merge(FetchHttpClient.layer, Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))

/** A command that asks the service. Ctrl-C before its end is a failure, so that no script takes it for done. */
export const untilDone = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.catchCause(restore(command), (cause): Effect.Effect<never, E | QuietEnd> =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.fail(new QuietEnd({ exit_code: exitCodes.interrupted.code }))
        : Effect.failCause(cause))
  ).pipe(Effect.provide(HttpLayer))

/** The same for what watches until somebody ends it. */
export const untilEnded = <A, E, R>(command: Effect.Effect<A, E, R>) => Effect.provide(command, HttpLayer)
