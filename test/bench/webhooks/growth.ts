// npm run bench:webhooks:growth: what leasing lanes and recording results costs as more waits for more endpoints.
import { NodeRuntime } from "@effect/platform-node"
import { Array, ConfigProvider, Console, DateTime, Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { afterAttempt } from "../../../src/webhooks/dispatch/AfterAttempt.ts"
import { normalBreaker } from "../../../src/webhooks/dispatch/Breaker.ts"
import { LanesRepo } from "../../../src/webhooks/dispatch/LanesRepo.ts"
import type { ClaimedLane, TakenDelivery } from "../../../src/webhooks/dispatch/Lease.ts"
import { AttemptId } from "../../../src/webhooks/model/WebhookDeliveryId.ts"
import { WebhookRules } from "../../../src/webhooks/model/WebhookSettings.ts"
import { seedPending } from "./growthSeed.ts"
import { driverLayer, makeStand, PlatformLayer } from "./Stand.ts"
import { median, spaced, table } from "./tables.ts"

const endpoints = [1, 1000, 50_000]
const pending = [10_000, 1_000_000, 5_000_000]

/** Attempts of a batch: of one lane where there is only one, else one of each of as many lanes. */
const batch = 64

/** Not counted: caches fill, statements are prepared. */
const warmUp = 20

const phases = ["claim", "take", "settle", "release"] as const

const settlementOf = Effect.fnUntraced(function*(
  { breaker_epoch, club_id, endpoint_id, lease_id }: ClaimedLane,
  delivery: TakenDelivery
) {
  const random = yield* SecureRandom.SecureRandom
  const now = yield* DateTime.now
  return {
    lease: { club_id, endpoint_id, lease_id },
    breaker: normalBreaker,
    breaker_epoch,
    delivery,
    attempt: {
      id: AttemptId.make(yield* random.uuidV7()),
      started_at: now,
      ended_at: now,
      duration_ms: 0,
      status_code: 204,
      error: null,
      response_body: null,
      retry_after_seconds: null
    },
    after: afterAttempt(delivery, true, now, Option.none())
  }
})

const together = { concurrency: "unbounded" } as const

/** One batch from lease to lease's end: milliseconds of each phase. */
const round = Effect.fn("round")(function*(lanes: number) {
  const repo = yield* LanesRepo
  const times: Array<number> = []
  const timed = Effect.fnUntraced(function*<A, E, R>(phase: Effect.Effect<A, E, R>) {
    const started = performance.now()
    const answer = yield* phase
    times.push(performance.now() - started)
    return answer
  })
  const claimed = yield* timed(repo.claim(lanes))
  const taken = yield* timed(Effect.forEach(claimed, (lane) =>
    Effect.map(
      repo.take({ lease: lane, slots: batch / lanes, requestedOnly: false, inFlight: [] }),
      (taken) => Option.toArray(taken).flatMap(({ deliveries }) => deliveries.map((delivery) => ({ lane, delivery })))
    ), together))
  const owed = taken.flat()
  if (owed.length !== batch) return yield* Effect.die(new Error(`Took ${owed.length} of ${batch}`))
  const settlements = yield* Effect.forEach(owed, ({ delivery, lane }) => settlementOf(lane, delivery))
  yield* timed(Effect.forEach(settlements, repo.settle, together))
  const notBefore = yield* DateTime.now
  yield* timed(Effect.forEach(claimed, (lane) => repo.release({ lease: lane, wakes: lane.wakes, notBefore }), together))
  return times
})

interface Cost {
  readonly pending: number
  readonly endpoints: number
  /** Median milliseconds of a batch, by phase. */
  readonly phases: ReadonlyArray<number>
}

const measureOne = Effect.fn("measureOne")(function*(pending: number, endpoints: number, rounds: number) {
  yield* seedPending(pending, endpoints)
  const lanes = Math.min(endpoints, batch)
  yield* Effect.replicateEffect(round(lanes), warmUp)
  const times = yield* Effect.replicateEffect(round(lanes), rounds)
  const cost: Cost = {
    pending,
    endpoints,
    phases: phases.map((_, phase) => median(times.map((one) => one[phase] ?? 0)))
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

/** Room to fill tables fast. What is measured runs on the defaults otherwise. */
const roomy = { fsync: "off", max_wal_size: "16GB", maintenance_work_mem: "1GB" }

interface Options {
  readonly most: number
  readonly rounds: number
  readonly sharedBuffers: string
}

const measure = Effect.fn("measure")(function*({ most, rounds, sharedBuffers }: Options) {
  yield* Console.log(
    `Medians of ${rounds} batches of ${batch} attempts: of one endpoint where there is only one, else one of each of ${batch}.
PostgreSQL has ${sharedBuffers} of shared buffers.\n`
  )
  const stand = yield* makeStand({ ...roomy, shared_buffers: sharedBuffers })
  const cases = Array.cartesian(endpoints, pending.filter((count) => count <= most))
  const costs = yield* Effect.forEach(cases, ([endpoints, pending]) => measureOne(pending, endpoints, rounds)).pipe(
    Effect.provide(LanesRepo.layer.pipe(Layer.provide(WebhookRules.layer), Layer.provideMerge(driverLayer(stand)))),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown({}))
  )
  yield* Console.log(report(costs))
}, Effect.scoped)

Command.make("bench:webhooks:growth", {
  rounds: Flag.Int("rounds").pipe(Flag.withDefault(100), Flag.withDescription("Batches that are timed, at most 100")),
  sharedBuffers: Flag.String("shared-buffers").pipe(
    Flag.withDefault("128MB"),
    Flag.withDescription("PostgreSQL's cache; 128MB is its default")
  ),
  most: Flag.Int("most").pipe(Flag.withDefault(5_000_000), Flag.withDescription("Leave out what has more pending"))
}, measure).pipe(Command.run({ version: "1" }), Effect.provide(PlatformLayer), NodeRuntime.runMain)
