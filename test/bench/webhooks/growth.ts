// npm run bench:webhooks:growth: the cost to lease lanes and record results as more deliveries wait for more endpoints.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Array as Arrays, ConfigProvider, Console, Effect, Layer } from "effect"
import { Command, Flag } from "effect/cli"
import { LanesRepo } from "../../../src/webhooks/engine/dispatch/LanesRepo.ts"
import { WebhookRules } from "../../../src/webhooks/model/WebhookSettings.ts"
import { type Touched, touchedBy } from "../../harness/PagesRead.ts"
import { PlatformLayer } from "../platformLayer.ts"
import { sized } from "../sized.ts"
import { seedPending } from "./growthSeed.ts"
import { batch, oneBatch, type Phase, phases } from "./oneBatch.ts"
import { driverLayer, makeStand } from "./Stand.ts"
import { median, spaced, table } from "./tables.ts"

const endpoints = [1, sized(1000, 80), sized(50_000, 160)]
const pending = [sized(10_000, 1_000), sized(1_000_000, 2_000), sized(5_000_000, 4_000)]

/** Rounds that do not count: caches fill, and connections prepare statements. */
const warmUp = sized(20, 1)

/** One batch from its lease to the end of the lease: milliseconds of each phase. */
const round = Effect.fn("round")(function*(lanes: number) {
  const times: Array<number> = []
  yield* oneBatch(lanes, (_, phase) =>
    Effect.suspend(() => {
      const started = performance.now()
      return Effect.map(phase, (answer) => {
        times.push(performance.now() - started)
        return answer
      })
    }))
  return times
})

/** Pages and rows that each phase of one batch reads. */
const touched = Effect.fn("touched")(function*(lanes: number) {
  const found: Array<readonly [Phase, Touched]> = []
  yield* oneBatch(lanes, (phase, work) =>
    Effect.map(touchedBy(work, /webhook_/), ([answer, touched]) => {
      found.push([phase, touched])
      return answer
    }))
  return found
})

interface Cost {
  readonly pending: number
  readonly endpoints: number
  /** Median milliseconds of a batch, by phase. */
  readonly phases: ReadonlyArray<number>
  readonly touched: ReadonlyArray<readonly [Phase, Touched]>
}

const measureOne = Effect.fn("measureOne")(function*(pending: number, endpoints: number, rounds: number) {
  yield* seedPending(pending, endpoints)
  const lanes = Math.min(endpoints, batch)
  yield* Effect.replicateEffect(round(lanes), warmUp)
  const times = yield* Effect.replicateEffect(round(lanes), rounds)
  const cost: Cost = {
    pending,
    endpoints,
    phases: phases.map((_, phase) => median(times.map((one) => one[phase] ?? 0))),
    touched: yield* touched(lanes)
  }
  return cost
})

const wholeOf = ({ phases }: Cost) => phases.reduce((sum, phase) => sum + phase, 0)

const report = (costs: ReadonlyArray<Cost>) => {
  const smallestOf = (some: ReadonlyArray<Cost>) => Math.min(...some.map(wholeOf))
  return table(
    ["pending", "endpoints", ...phases.map((phase) => `${phase} ms`), "batch ms", "attempt ms", "× fewest pending"],
    costs.map((cost) => [
      spaced(cost.pending),
      spaced(cost.endpoints),
      ...cost.phases.map((phase) => phase.toFixed(2)),
      wholeOf(cost).toFixed(2),
      (wholeOf(cost) / batch).toFixed(3),
      (wholeOf(cost) /
        smallestOf(costs.filter((one) => one.endpoints === cost.endpoints && one.pending === pending[0]))).toFixed(2)
    ])
  )
}

/** Pages and rows that a batch reads. They do not depend on the machine or its caches. */
const pagesReport = (costs: ReadonlyArray<Cost>) =>
  table(
    ["pending", "endpoints", ...phases.map((phase) => `${phase}: pages of tables, of indexes, rows`)],
    costs.map(({ endpoints, pending, touched }) => [
      spaced(pending),
      spaced(endpoints),
      ...touched.map(([, { indexPages, rows, tablePages }]) => [tablePages, indexPages, rows].join(", "))
    ])
  )

/** Room to fill tables fast. All other settings have their defaults. */
const roomy = { fsync: "off", max_wal_size: "16GB", maintenance_work_mem: "1GB" }

interface Options {
  readonly most: number
  readonly rounds: number
  readonly sharedBuffers: string
}

const measure = Effect.fn("measure")(function*({ most, rounds, sharedBuffers }: Options) {
  yield* Console
    .log(`Medians of ${rounds} batches of ${batch} attempts: of one endpoint where there is only one, else one of each of ${batch}.
PostgreSQL has ${sharedBuffers} of shared buffers.\n`)
  const stand = yield* makeStand({ ...roomy, shared_buffers: sharedBuffers })
  const cases = Arrays.cartesian(endpoints, pending.filter((count) => count <= most))
  const costs = yield* Effect.forEach(cases, ([endpoints, pending]) => measureOne(pending, endpoints, rounds)).pipe(
    Effect.provide(LanesRepo.layer.pipe(Layer.provide(WebhookRules.layer), Layer.provideMerge(driverLayer(stand)))),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown({}))
  )
  yield* Console.log(report(costs))
  yield* Console.log(`\n${pagesReport(costs)}`)
}, Effect.scoped)

Command.make("bench:webhooks:growth", {
  rounds: Flag.Int("rounds").pipe(
    Flag.withDefault(sized(100, 1)),
    Flag.withDescription("Batches that are timed, at most 100")
  ),
  sharedBuffers: Flag.String("shared-buffers").pipe(
    Flag.withDefault("128MB"),
    Flag.withDescription("PostgreSQL's cache; 128MB is its default")
  ),
  most: Flag.Int("most").pipe(Flag.withDefault(5_000_000), Flag.withDescription("Leave out what has more pending"))
}, measure).pipe(Command.run({ version: "1" }), Effect.provide(PlatformLayer), NodeRuntime.runMain)
