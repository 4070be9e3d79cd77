// npm run bench:webhooks [-- --rounds 3 --seconds 8]: deliveries of Turma beside the common ways to build webhooks. All
// post with undici's own pool of kept connections and have as many requests in flight. Contenders with tables use ten
// connections and prepared statements, on a PostgreSQL with its default durability. Redis keeps nothing on disk, which
// is faster than Turma's promise. BullMQ runs as its documentation shows and keeps no ended jobs. graphile-worker
// fetches and completes jobs in batches, as its page on performance recommends.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { startRedis } from "../../harness/Redis.ts"
import { countingProxy } from "../CountingProxy.ts"
import type { Bench, Length } from "../figures/Bench.ts"
import { figureTable, judge } from "../figures/Figure.ts"
import { PlatformLayer } from "../platformLayer.ts"
import { sized } from "../sized.ts"
import { cpuMillis, peakMegabytes } from "./Child.ts"
import { exampleBody, makeBenchClub } from "./Clubs.ts"
import { bullmq, ceiling, type Contender, graphile, type Place, turma } from "./contenders.ts"
import { type Drained, drainTable, figuresOf } from "./drainReport.ts"
import { latencies, latencyTable } from "./latency.ts"
import { concurrency } from "./limits.ts"
import { driverLayer, makeStand, type Stand } from "./Stand.ts"

interface Options extends Length {
  readonly profile: string
  /** True if the benchmark also follows single deliveries on their way. */
  readonly followed: boolean
  /** Contenders by number, in the order of the introduction. Empty means all. */
  readonly only: string
}

/** Deliveries over which the benchmark counts statements. */
const counted = sized(4000, 40)

/** Deliveries of each of two rounds before those that count: code becomes fast, and the second round shows how fast. */
const warmUp = sized(10_000, 40)

/** One round: sends and records the prepared deliveries while it measures time and CPU. */
const drain = Effect.fn("drain")(function*({ receivers, postmaster }: Stand, contender: Contender, count: number) {
  yield* contender.fill(count)
  yield* receivers.expect(count)
  const before = { own: yield* cpuMillis(contender.child.pid), database: yield* cpuMillis(postmaster) }
  yield* contender.drain(count)
  const own = (yield* cpuMillis(contender.child.pid)) - before.own
  const database = (yield* cpuMillis(postmaster)) - before.database
  const { connections, milliseconds } = yield* receivers.reach
  return {
    perSecond: (count - 1) / milliseconds * 1000,
    cpu: own / count,
    databaseCpu: database / count,
    connections
  } satisfies Drained
})

const starters = [ceiling, turma, bullmq, graphile]

/** Statements per attempt of each contender, counted by a proxy between process and database during a drain. */
const countStatements = Effect.fn("countStatements")(function*(place: Place, start: typeof starters[number]) {
  const proxy = yield* countingProxy(place.database)
  const contender = yield* start({ ...place, database: proxy.database, profile: undefined })
  yield* contender.fill(counted)
  yield* proxy.reset
  yield* contender.drain(counted)
  const { statements } = yield* proxy.traffic
  return statements / counted
}, Effect.scoped)

/** Rounds of all in turn, each time in the other direction, so that a drift of the machine affects all alike. */
const alternate = Effect.fn("alternate")(function*(
  stand: Stand,
  contenders: ReadonlyArray<Contender>,
  { rounds, seconds }: Options
) {
  const results = new Map<Contender, Array<Drained>>(contenders.map((contender) => [contender, []]))
  const sizes = new Map<Contender, number>()
  for (const contender of contenders) {
    yield* drain(stand, contender, warmUp)
    const { perSecond } = yield* drain(stand, contender, warmUp)
    sizes.set(contender, Math.ceil(perSecond * seconds))
  }
  for (let round = 0; round < rounds; round++) {
    for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
      results.get(contender)?.push(yield* drain(stand, contender, sizes.get(contender) ?? warmUp))
    }
  }
  return results
})

const introduction = ({ rounds, seconds }: Options, body: string) =>
  `One local TLS receiver, a body of ${body.length} bytes, ${concurrency} requests under way, one PostgreSQL with default durability and
pools of 10; Redis keeps nothing on disk. BullMQ and graphile-worker write delivery and attempt down in one prepared statement;
graphile-worker fetches and completes jobs in batches, as its documentation says for throughput, with a pool of 10 for itself.
${rounds} rounds of about ${seconds} s each in turn, medians; a ratio is of the same round. Senders, receiver, Redis and PostgreSQL
share this machine, so only the ratios mean anything. CPU is per delivery: of the sender's process, and of PostgreSQL.
`

const compare = Effect.fn("compare")(function*(stand: Stand, options: Options) {
  const redis = yield* startRedis()
  const body = yield* exampleBody
  const { database, receivers: { prompt }, secret } = stand
  const club = yield* makeBenchClub(prompt, { secret })
  const others = yield* Effect.forEach(prompt, (url) => makeBenchClub([url], { secret }))
  const profile = options.profile === "" ? undefined : options.profile
  const place: Place = { stand, redis: redis.url, body, club, others, database, profile }
  yield* Console.log(introduction(options, body))
  const chosen = options.only === ""
    ? starters
    : starters.filter((_, index) => options.only.includes("abcd".charAt(index)))
  const statements = yield* Effect.forEach(chosen, (start) => countStatements(place, start))
  const contenders = yield* Effect.forEach(chosen, (start) => start(place))
  const rounds = yield* alternate(stand, contenders, options)
  const drained = yield* Effect.forEach(
    contenders,
    (contender, index) =>
      Effect.map(peakMegabytes(contender.child.pid), (megabytes) => ({
        name: contender.name,
        rounds: rounds.get(contender) ?? [],
        statements: statements[index] ?? 0,
        megabytes
      }))
  )
  if (options.only !== "") {
    yield* Console.log(drainTable(drained))
    return []
  }
  const figures = figuresOf(drained)
  const judged = figures.map((figure) => ["webhooks", judge(figure)] as const)
  yield* Console.log(`${drainTable(drained)}\n\n${figureTable(judged)}\n`)
  if (options.followed) {
    const slower = yield* Effect.forEach(contenders.slice(1), (contender) => latencies(stand, contender))
    yield* Console.log(latencyTable(slower))
  }
  return figures
})

const measure = Effect.fn("measure")(function*(options: Options) {
  const stand = yield* makeStand()
  return yield* Effect.provide(compare(stand, options), driverLayer(stand))
}, Effect.scoped)

export const webhooks: Bench = {
  name: "webhooks",
  short: { rounds: 5, seconds: 2 },
  figures: (length) => measure({ ...length, profile: "", only: "", followed: false })
}

if (import.meta.main) {
  Command.make("bench:webhooks", {
    rounds: Flag.Int("rounds").pipe(Flag.withDefault(sized(3, 1)), Flag.withDescription("Rounds of each contender")),
    seconds: Flag.Finite("seconds").pipe(Flag.withDefault(sized(8, 0.2)), Flag.withDescription("Length of a round")),
    profile: Flag.String("profile").pipe(
      Flag.withDefault(""),
      Flag.withDescription("Folder for CPU profiles of Turma")
    ),
    only: Flag.String("only").pipe(
      Flag.withDefault(""),
      Flag.withDescription("`ab`: the loop and Turma alone, c is BullMQ and d graphile-worker")
    )
  }, (options) => measure({ ...options, followed: true })).pipe(
    Command.run({ version: "1" }),
    Effect.provide(PlatformLayer),
    NodeRuntime.runMain
  )
}
