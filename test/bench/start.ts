// npm run bench:start [-- --rounds 5 --seconds 30]: the time from start to first answer, and the cost of idling.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Duration, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { startArguments, startEnvironment } from "../harness/ScriptArguments.ts"
import { postgresFolder } from "../harness/Watchdog.ts"
import { start, untilItAnswers } from "./Contender.ts"
import { countingProxy } from "./CountingProxy.ts"
import type { Bench, Length } from "./figures/Bench.ts"
import { type Figure, figureTable, judge } from "./figures/Figure.ts"
import { newDatabase } from "./newDatabase.ts"
import { PlatformLayer } from "./platformLayer.ts"
import { sized } from "./sized.ts"

/** Time in which a start finishes its remaining work. */
const settling = Duration.seconds(sized(10, 0))

const atMost = (name: string, aim: number, rounds: ReadonlyArray<number>): Figure => ({
  name,
  is: "at most",
  aim,
  rounds
})

/** Milliseconds from the start of a process to its first answer. The process ends afterwards. */
const timedStart = Effect.fnUntraced(function*(folder: string) {
  const env = { ...startEnvironment, DATA_DIR: folder, LOG_LEVEL: "warn", NODE_COMPILE_CACHE: `${folder}/compiled` }
  const [took] = yield* Effect.timed(untilItAnswers(startArguments, env, "5 millis"))
  return Duration.toMillis(took)
}, Effect.scoped)

/** Each round starts a process on an empty folder, and another one on the folder that the first one left. */
const startTimes = Effect.fnUntraced(function*(rounds: number) {
  const times = yield* Effect.replicateEffect(
    Effect.scoped(Effect.gen(function*() {
      const folder = yield* postgresFolder()
      const first = yield* timedStart(folder)
      return { first, again: yield* timedStart(folder) }
    })),
    rounds
  )
  return [
    atMost("first start ever, seconds to the first answer", 3, times.map(({ first }) => first / 1000)),
    atMost("another start, seconds to the first answer", 1, times.map(({ again }) => again / 1000))
  ]
})

const idle = Effect.fnUntraced(function*(seconds: number) {
  const { database, folder } = yield* newDatabase()
  const proxy = yield* countingProxy(database)
  const key = Buffer.alloc(32, 7).toString("base64")
  const turma = yield* start("Turma", { database: proxy.database, folder, key }, { ROLE: "all" })
  yield* Effect.sleep(settling)
  yield* proxy.reset
  const before = yield* turma.cpuMillis
  yield* Effect.sleep(Duration.seconds(seconds))
  const busy = (yield* turma.cpuMillis) - before
  const { statements } = yield* proxy.traffic
  return [
    atMost("idle, % of a core", 1, [busy / (seconds * 1000) * 100]),
    atMost("idle, statements/s", 1, [statements / seconds]),
    atMost("idle, memory in MB", 130, [yield* turma.megabytes])
  ]
}, Effect.scoped)

const measure = Effect.fn("measure")(function*({ rounds, seconds }: Length) {
  const figures = [...yield* startTimes(rounds), ...yield* idle(seconds)]
  yield* Console.log(figureTable(figures.map((figure) => ["start", judge(figure)] as const)))
  return figures
})

/** `seconds` is the time over which the benchmark watches an idle process. */
export const starts: Bench = { name: "start", short: { rounds: 3, seconds: 20 }, figures: measure }

if (import.meta.main) {
  Command.make("bench:start", {
    rounds: Flag.Int("rounds").pipe(Flag.withDefault(sized(5, 1)), Flag.withDescription("Starts of either kind")),
    seconds: Flag.Finite("seconds").pipe(
      Flag.withDefault(sized(30, 0.2)),
      Flag.withDescription("How long it is left idle")
    )
  }, measure).pipe(Command.run({ version: "1" }), Effect.provide(PlatformLayer), NodeRuntime.runMain)
}
