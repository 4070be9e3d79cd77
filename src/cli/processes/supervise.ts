import { Clock, Deferred, Duration, Effect, Layer, Option, Queue, Runtime, Schema } from "effect"
import { answerForWindows, windowsSubject } from "../../identity/limits/SupervisedWindows.ts"
import { answerForStartToken, startTokenSubject } from "../../operations/front/StartToken.ts"
import { FleetMetrics, metricsSubject } from "../../operations/telemetry/FleetMetrics.ts"
import { LogsLayer } from "../../operations/telemetry/Logs.ts"
import { answerForReplacement, replacementSubject } from "../../platform/processes/Replacement.ts"
import { stoppingAll } from "../../platform/processes/ShutdownGrace.ts"
import { type Fleet, type FleetCommand, type FleetEvent, isComplete, newFleet, step } from "./Fleet.ts"
import { protocol } from "./Messages.ts"
import { makeWorkers, type Program } from "./Workers.ts"

/** The processes ended with this code, and have said why. */
class ProcessesEnded extends Schema.TaggedError<ProcessesEnded>()("ProcessesEnded", { code: Schema.Int }) {
  override readonly [Runtime.errorReported] = false
  override readonly [Runtime.errorExitCode] = this.code
}

/** The number of processes, and the file that each runs, with its arguments. */
interface Processes extends Program {
  readonly size: number
}

/** The first process names a malformed variable, with all others that are. */
const LogsOrNoneLayer = Layer.catch(LogsLayer, () => Layer.empty)

/** The log lines of an event. */
const linesOf = (before: Fleet, event: FleetEvent, after: Fleet) => {
  if (after.phase !== "serving") return []
  const lines: Array<Effect.Effect<void>> = []
  if (event.type === "restart") lines.push(Effect.logInfo("Every process is replaced, one after the other"))
  if (event.type === "ended") {
    const wasReplaced = before.members.some(({ id, state }) => id === event.id && state === "leaving")
    lines.push(wasReplaced ? Effect.logInfo(event.why) : Effect.logWarning(`${event.why} and is started again`))
  }
  const isNew = isComplete(after) && !isComplete(before)
  const ready = `${after.size} processes are ready; SIGHUP to ${process.pid} replaces them`
  return isNew ? [...lines, Effect.logInfo(ready)] : lines
}

/** Ends with the code of the command, once it has its signal to end and every process has ended. */
const run = Effect.fnUntraced(function*({ args, exec, size }: Processes, events: Queue.Queue<FleetEvent>) {
  const clock = yield* Clock.Clock
  const fork = Effect.runForkWith(yield* Effect.context<never>())
  const millis = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
  const metrics = new FleetMetrics()
  const answersOf = new Map([
    [windowsSubject, answerForWindows(clock)],
    [startTokenSubject, answerForStartToken()]
  ])
  const isNewReplacement = answerForReplacement()

  const workers = makeWorkers({ exec, args: [...args, protocol] }, {
    ready: (id, pid) => {
      metrics.add(id, pid)
      Queue.offerUnsafe(events, { type: "ready", id })
    },
    ended: (id, code, why) => {
      metrics.remove(id)
      Queue.offerUnsafe(events, { type: "ended", id, code, why })
    },
    metrics: (id, round, text) => metrics.tell(id, round, text),
    asked: (subject, question, answer) => {
      const answers = answersOf.get(subject)
      if (answers !== undefined) {
        return Option.match(answers(question), {
          onNone: () => void fork(Effect.logError("A process asks what cannot be read", { subject })),
          onSome: answer
        })
      }
      if (subject === replacementSubject) {
        if (isNewReplacement(question)) Queue.offerUnsafe(events, { type: "restart" })
        return answer(null)
      }
      if (subject !== metricsSubject) return
      fork(Effect.map(metrics.gather((id, round) => workers.send(id, { type: "measure", round })), answer))
    }
  })

  const execute = (command: Exclude<FleetCommand, { type: "exit" }>) => {
    if (command.type === "start") return Effect.sync(() => workers.start(command.id))
    if (command.type !== "wake") return Effect.sync(() => workers.send(command.id, { type: command.type }))
    const wait = Duration.millis(command.at - millis())
    return Effect.forkChild(Effect.delay(Queue.offer(events, { type: "woken" }), wait))
  }

  let fleet = newFleet(size)
  while (true) {
    const event = yield* Queue.take(events)
    const { commands, fleet: next } = step(fleet, event, millis())
    yield* Effect.all(linesOf(fleet, event, next), { discard: true })
    fleet = next
    for (const command of commands) {
      if (command.type === "exit") return command.code
      yield* execute(command)
    }
  }
})

/**
 * Runs so many serving processes, until it is interrupted. Then all end within the time of a shutdown, which each of
 * them keeps by itself. SIGHUP replaces them one after another.
 */
export const supervise = Effect.fn("Processes.supervise")(function*(processes: Processes) {
  const events = yield* Queue.unbounded<FleetEvent>()
  const exit = yield* Deferred.make<number>()
  process.on("SIGHUP", () => Queue.offerUnsafe(events, { type: "restart" }))
  yield* Queue.offer(events, { type: "begun" })
  yield* Effect.forkDetach(Deferred.into(run(processes, events), exit))
  const ended = Effect.flatMap(
    Deferred.await(exit),
    (code) => code === 0 ? Effect.void : Effect.fail(new ProcessesEnded({ code }))
  )
  const sayIt = Effect.logInfo(stoppingAll(processes.size))
  yield* Effect.onInterrupt(ended, () => Effect.all([sayIt, Queue.offer(events, { type: "end" }), ended]))
}, Effect.provide(LogsOrNoneLayer))
