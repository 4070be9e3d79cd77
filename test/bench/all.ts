// npm run bench [-- --only http --only webhooks --rounds 3 --seconds 1 --tables]: the benchmarks that have aims in a
// short form, in one table. Ends with 1 if an aim is missed by more than its noise, or if a benchmark fails.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Console, Duration, Effect, Exit, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { classroom } from "./classroom.ts"
import { consoles } from "./console.ts"
import { fairness } from "./fairness.ts"
import type { Bench, Length } from "./figures/Bench.ts"
import { exitCode, type Figure, figureTable, judge } from "./figures/Figure.ts"
import { http } from "./http.ts"
import { learning } from "./learning.ts"
import { platformHook } from "./platform-hook.ts"
import { PlatformLayer } from "./platformLayer.ts"
import { processes } from "./processes.ts"
import { starts } from "./start.ts"
import { webhooks } from "./webhooks/webhooks.ts"

/** To add a benchmark, add it here. */
const benches: ReadonlyArray<Bench> = [
  http,
  classroom,
  platformHook,
  webhooks,
  processes,
  consoles,
  learning,
  starts,
  fairness
]

const introduction =
  `Every benchmark in a short form; \`npm run bench:<benchmark>\` is its long one, with all that it measures. Measured is the
median of the rounds, which alternate with those of the peer; a ratio is of two rounds that ran one after the other. Noise is half
of what lies between the lowest and the highest round, and an aim missed by less is missed within noise. Driver, servers and
peers share this machine, so other numbers than ratios are of this machine.
`

/** A benchmark that fails counts as a missed figure. */
const failed: Figure = { name: "ran to its end", is: "at least", aim: 1, rounds: [0] }

interface Options {
  readonly only: ReadonlyArray<string>
  readonly rounds: Option.Option<number>
  readonly seconds: Option.Option<number>
  readonly tables: boolean
}

/** Says nothing. */
const silent: Console.Console = { ...console, log: () => undefined }

const run = Effect.fn("run")(function*({ figures, name, short }: Bench, options: Options) {
  const length: Length = {
    rounds: Option.getOrElse(options.rounds, () => short.rounds),
    seconds: Option.getOrElse(options.seconds, () => short.seconds)
  }
  const measured = figures(length)
  const heard = options.tables ? measured : Effect.provideService(measured, Console.Console, silent)
  const [took, exit] = yield* Effect.timed(Effect.exit(heard))
  if (Exit.isFailure(exit)) yield* Console.error(`bench:${name} failed: ${Cause.pretty(exit.cause)}`)
  yield* Console.error(`bench:${name} took ${Duration.toSeconds(took).toFixed(0)} s`)
  return (Exit.isSuccess(exit) ? exit.value : [failed]).map((figure) => [name, judge(figure)] as const)
})

const runAll = Effect.fn("runAll")(function*(options: Options) {
  const chosen = benches.filter(({ name }) => options.only.length === 0 || options.only.includes(name))
  const [took, judged] = yield* Effect.timed(Effect.forEach(chosen, (bench) => run(bench, options)))
  yield* Console.log(`${introduction}\n${figureTable(judged.flat())}`)
  yield* Console.log(`\n${Duration.toSeconds(took).toFixed(0)} s`)
  process.exitCode = exitCode(judged.flat().map(([, figure]) => figure))
})

Command.make("bench", {
  only: Flag.String("only").pipe(Flag.atLeast(0), Flag.withDescription("This benchmark; may be given several times")),
  rounds: Flag.Int("rounds").pipe(Flag.optional, Flag.withDescription("Rounds, instead of each benchmark's own")),
  seconds: Flag.Int("seconds").pipe(Flag.optional, Flag.withDescription("Length of a round, instead of its own")),
  tables: Flag.Boolean("tables").pipe(
    Flag.withDefault(false),
    Flag.withDescription("Also print what the long forms do")
  )
}, runAll).pipe(Command.run({ version: "1" }), Effect.provide(PlatformLayer), NodeRuntime.runMain)
