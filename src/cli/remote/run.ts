import { Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { exitCodes } from "../errors/ExitCodes.ts"

/** Redirects are not followed: our service sends no redirect, and one could lead a key elsewhere. */
const HttpLayer = Layer.merge(FetchHttpClient.layer, Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))

/** A command that asks the service. Ctrl-C before its end has an exit code of its own, so that no script takes it for done. */
export const untilDone = <A, E, R>(command: Effect.Effect<A, E, R>) =>
  command.pipe(
    Effect.onInterrupt(() =>
      Effect.sync(() => {
        process.exitCode = exitCodes.interrupted.code
      })
    ),
    Effect.provide(HttpLayer)
  )

/** The same for what watches until somebody ends it. */
export const untilEnded = <A, E, R>(command: Effect.Effect<A, E, R>) => Effect.provide(command, HttpLayer)
