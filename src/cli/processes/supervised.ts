import { Duration, Effect, Schema } from "effect"
import cluster from "node:cluster"
import { processMetrics } from "../../operations/telemetry/ProcessMetrics.ts"
import { Supervisor } from "../../platform/processes/Supervisor.ts"
import { type FromProcess, protocol, readFromSupervisor } from "./Messages.ts"
import { makeQuestions } from "./Questions.ts"

/** The process that started this one would not understand it, nor be understood. */
class OtherSupervisor extends Schema.TaggedError<OtherSupervisor>()("OtherSupervisor", {}) {
  override get message(): string {
    return "the supervisor is of another version: end the command and start it again instead of sending SIGHUP"
  }
}

/** Calls back once it is sent, or cannot be. */
const send = (message: FromProcess, then: () => void) => {
  if (!process.connected) return then()
  process.send?.(message, undefined, undefined, then)
}

/** Ends as `send` calls back. */
const tell = (message: FromProcess) => Effect.callback<void>((resume) => send(message, () => resume(Effect.void)))

/** How long the last metrics may take to be sent. */
const patience = Duration.seconds(1)

/** Ends this process as a signal does, once: another signal means now. */
const makeEnd = () => {
  let isEnding = false
  const onSignal = () => {
    isEnding = true
  }
  process.on("SIGINT", onSignal)
  process.on("SIGTERM", onSignal)
  // A closed terminal signals every process; only the supervisor decides for the process.
  process.on("SIGHUP", () => {})
  return {
    end: () => {
      if (!isEnding) process.kill(process.pid, "SIGTERM")
    },
    /** Without its supervisor nobody reaches it any more, and nobody starts it again: what is in flight ends. */
    orphaned: () => {
      if (isEnding) process.exit(1)
      process.kill(process.pid, "SIGTERM")
    }
  }
}

const connect = Effect.gen(function*() {
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const { end, orphaned } = makeEnd()
  const questions = makeQuestions((questions) => send({ type: "ask", questions }, () => {}))
  const farewells: Array<Effect.Effect<void>> = []

  process.on("message", (received: unknown) => {
    const message = readFromSupervisor(received)
    switch (message?.type) {
      case "answer":
        return questions.answered(message.answers)
      case "measure":
        return void run(Effect.flatMap(processMetrics, (text) => tell({ type: "metrics", round: message.round, text })))
      case "leave":
        return void run(Effect.andThen(Effect.all(farewells, { discard: true }), Effect.sync(end)))
      case "end":
        return end()
    }
  })
  // Otherwise `cluster` ends a process at once, with what it has in flight.
  if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true
  process.on("disconnect", orphaned)

  return Supervisor.of({
    isFirst: cluster.worker?.id === 1,
    ready: tell({ type: "ready" }),
    onLeave: (prepare) => Effect.sync(() => void farewells.push(prepare)),
    ask: questions.ask
  })
})

/**
 * The program as one of several processes of a supervisor, which gets the last metrics at the end. `OtherSupervisor`:
 * the supervisor's protocol, `spoken`, differs from this process'.
 */
export const supervised = <E>(
  program: Effect.Effect<void, E>,
  spoken: string | undefined
): Effect.Effect<void, E | OtherSupervisor> =>
  Effect.gen(function*() {
    if (spoken !== protocol) return yield* new OtherSupervisor()
    const supervisor = yield* connect
    const last = Effect.flatMap(processMetrics, (text) => tell({ type: "metrics", round: null, text }))
    yield* Effect.ensuring(
      Effect.provideService(program, Supervisor, supervisor),
      Effect.timeoutOption(last, patience)
    )
  }).pipe(Effect.annotateLogs({ process: process.pid }))
