import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Console, Effect, Exit, Option, Runtime } from "effect"
import { harmless } from "./output/Harmless.ts"

/** The process ends within the 20 seconds of a shutdown, even if a part hangs. */
const shutdownMillis = 19_000

/** npm passes on the Ctrl-C that the terminal has already sent, so one Ctrl-C arrives as two signals within this time. */
const duplicateMillis = 1_000

/** Ends the process with 1 when the time of a shutdown is over. */
export const forceExitAfterShutdown = Effect.sync(() => void setTimeout(() => process.exit(1), shutdownMillis).unref())

/** The first signal is `NodeRuntime`'s; one that comes later means now. */
const forceExitOnSecondSignal = Effect.sync(() => {
  let forcesExit = false
  const onSignal = () => {
    if (forcesExit) process.exit(1)
    setTimeout(() => {
      forcesExit = true
    }, duplicateMillis).unref()
    setTimeout(() => process.exit(1), shutdownMillis).unref()
  }
  process.on("SIGINT", onSignal)
  process.on("SIGTERM", onSignal)
})

/**
 * After a signal 0, or the code that the command has set for that. Otherwise the error's own code: 2 for wrong
 * variables, 1 by default.
 */
export const teardown: Runtime.Teardown = (exit, onExit) =>
  Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
    ? onExit(Number(process.exitCode ?? 0))
    : Runtime.defaultTeardown(exit, onExit)

/** A fault that a person can mend is one line; a defect is shown whole. Either may hold a stranger's text. */
export const report = <E extends Error>(cause: Cause.Cause<E>) => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.void
  const error = Cause.findErrorOption(cause)
  if (Option.isNone(error)) return Console.error(`turma: ${harmless(Cause.pretty(cause))}`)
  const hasBeenReported = error.value[Runtime.errorReported] === false
  return hasBeenReported ? Effect.void : Console.error(harmless(error.value.message).replaceAll(/^/gm, "turma: "))
}

/** Runs a program as this process: its failure is reported on standard error, and its exit code says what it was. */
export const runMain = <A, E extends Error>(program: Effect.Effect<A, E>): void =>
  forceExitOnSecondSignal.pipe(
    Effect.andThen(program),
    Effect.tapCause(report),
    NodeRuntime.runMain({ disableErrorReporting: true, teardown })
  )
