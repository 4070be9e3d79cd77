// npm run bench:platform-hook [-- --rounds 3 --seconds 10 --rate 200]: the speed of the hook beside busy workers.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Duration, Effect, Layer, Redacted, Schedule, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { availableParallelism } from "node:os"
import { connectionsLayer } from "../../src/platform/sql/Connections.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { Sealing } from "../../src/platform/sql/Sealing.ts"
import { type Contender, type Name, start } from "./Contender.ts"
import type { Bench, Length } from "./figures/Bench.ts"
import { type Figure, ratios } from "./figures/Figure.ts"
import { type Answered, flatOut, paced, type Target } from "./hook/Load.ts"
import { approval, hottok, seed } from "./hook/Seed.ts"
import { newDatabase } from "./newDatabase.ts"
import { PlatformLayer } from "./platformLayer.ts"
import { peakMemory, twinHas } from "./report.ts"
import { sized } from "./sized.ts"
import { median, met, percentile, spaced, table } from "./webhooks/tables.ts"

/** The aim for p99 at 200 posts a second on 2 cores, in milliseconds. */
const aim = 100
const connections = 32
const warmUpSeconds = sized(5, 0.2)

/** The least posts a second that the hook must accept flat out, as a multiple of the twin's. */
const flatAim = 0.5
/** The least sales that one process must process in a second, after the last sale came in. */
const processedAim = 800

interface Options extends Length {
  readonly rate: number
}

const decodeCounts = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({
  stored: Schema.Int,
  waiting: Schema.Int,
  processed: Schema.Int,
  purchases: Schema.Int,
  granted: Schema.Int
})]))

const counts = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select (select count(*)::int from inbound_events) as stored,
      (select count(*)::int from inbound_events where due_at is not null) as waiting,
      (select count(*)::int from inbound_events where outcome = 'processed') as processed,
      (select count(*)::int from purchases) as purchases,
      (select count(*)::int from enrollments) as granted`
  const [found] = yield* decodeCounts(rows)
  return found
})

const drained = Effect.repeat(counts, {
  until: ({ waiting }) => waiting === 0,
  schedule: Schedule.spaced("200 millis")
})

/** The result of one round; `cpu` in milliseconds. */
interface Round {
  readonly answered: Answered
  readonly cpu: number
  /** Sales that waited at the end of the round, and sales processed in a second from then on. */
  readonly queued: number
  readonly drainRate: number
}

const postsPerSecond = ({ answered: { latencies, seconds } }: Round) => latencies.length / seconds

/** A row of these rounds: medians, the longest wait, and the count of refused posts. */
const cells = (rounds: ReadonlyArray<Round>) => {
  const latency = (share: number) =>
    median(rounds.map(({ answered: { latencies } }) => percentile(latencies, share))).toFixed(1)
  return [
    spaced(Math.round(median(rounds.map(postsPerSecond)))),
    latency(0.5),
    latency(0.99),
    // The list is too long for the arguments of one call.
    rounds.flatMap(({ answered: { latencies } }) => latencies).reduce((most, one) => Math.max(most, one), 0).toFixed(1),
    String(rounds.reduce((sum, { answered: { refused } }) => sum + refused, 0)),
    median(rounds.map(({ answered: { latencies }, cpu }) => cpu / latencies.length)).toFixed(2)
  ]
}

/** Runs the load, then waits until every sale is processed. */
const measured = Effect.fnUntraced(function*(contender: Contender, load: Effect.Effect<Answered>) {
  const cpuBefore = yield* contender.cpuMillis
  const answered = yield* load
  const cpu = (yield* contender.cpuMillis) - cpuBefore
  const before = yield* counts
  const [took, after] = yield* Effect.timed(drained)
  const drainRate = (after.processed - before.processed) / Duration.toSeconds(took)
  return { answered, cpu, queued: before.waiting, drainRate } satisfies Round
})

/** Starts a contender and warms it up. */
const ready = Effect.fn("ready")(function*(
  name: Name,
  place: Parameters<typeof start>[1],
  path: string,
  { rate, seconds }: Options
) {
  const contender = yield* start(name, place, { RATE_LIMIT_PLATFORM_HOOK: "1000000000", ROLE: "all" })
  const headers = { "x-hotmart-hottok": hottok }
  const target: Target = { url: `${contender.url}${path}`, headers, nextBody: approval }
  yield* paced(target, { rate, seconds: Math.min(warmUpSeconds, seconds) })
  yield* drained
  const flat: Array<Round> = []
  return {
    name,
    contender,
    offered: yield* measured(contender, paced(target, { rate, seconds })),
    flat,
    runFlat: Effect.map(
      measured(contender, flatOut(target, { connections, seconds })),
      (round) => void flat.push(round)
    )
  }
})

const introduction = ({ rate, rounds, seconds }: Options) =>
  `POST /webhooks/hotmart/{token}: approvals of about 2 KB, each of another purchase and buyer, ${rate} a second and
then flat out on ${connections} connections, ${seconds} s each, flat out ${rounds} times in turn. Turma is one process (ROLE=all) that processes
them meanwhile: student, purchase, access and their events. The twin (Fastify, postgres.js) verifies the hottok and inserts the
raw body, and that is all. ${twinHas}
PostgreSQL with default durability, the driver and the servers share ${availableParallelism()} cores. Latency counts from when a post was due. Each begins when nothing waits any more.
`

const head = ["", "posts/s", "p50 ms", "p99 ms", "max ms", "not 200", "CPU ms"]

const measure = Effect.fn("measure")(function*(options: Options) {
  yield* Console.log(introduction(options))
  const { database, folder } = yield* newDatabase()
  const random = yield* SecureRandom.SecureRandom
  const bytes = yield* random.randomBytes(32)
  const place = { database, folder, key: Buffer.from(bytes).toString("base64") }
  const DatabaseLayer = connectionsLayer({ url: database, connections: 3 })
    .pipe(Layer.merge(Sealing.layerKeys(Redacted.make(bytes))))
  return yield* Effect.gen(function*() {
    const { path } = yield* Effect.andThen(migrate(), seed)
    const [twin, turma] = [yield* ready("hook twin", place, path, options), yield* ready("Turma", place, path, options)]
    for (let round = 0; round < options.rounds; round++) {
      yield* Effect.forEach(round % 2 === 0 ? [twin, turma] : [turma, twin], ({ runFlat }) => runFlat)
    }
    const rows = [turma, twin].flatMap(({ flat, name, offered }) => [
      [`${name}, ${options.rate}/s`, ...cells([offered])],
      [`${name}, flat out`, ...cells(flat)]
    ])
    yield* Console.log(`${table(head, rows)}\n`)
    const p99 = percentile(turma.offered.answered.latencies, 0.99)
    const drainRates = turma.flat.map(({ drainRate }) => drainRate)
    yield* Console.log(`p99 at ${options.rate}/s below ${aim} ms: ${met(p99 < aim)}`)
    yield* Console
      .log(`Waiting to be processed after ${options.rate}/s: ${spaced(turma.offered.queued)}; after flat out: ${
        spaced(Math.round(median(turma.flat.map(({ queued }) => queued))))
      }, processed at ${spaced(Math.round(median(drainRates)))}/s`)
    const after = yield* counts
    yield* Console
      .log(`Stored ${spaced(after.stored)}, processed ${spaced(after.processed)}, purchases ${
        spaced(after.purchases)
      }, enrollments ${spaced(after.granted)}`)
    const figures: ReadonlyArray<Figure> = [
      {
        name: "flat out, posts/s × the twin's",
        is: "at least",
        aim: flatAim,
        rounds: ratios(turma.flat.map(postsPerSecond), twin.flat.map(postsPerSecond))
      },
      { name: "sales processed/s by one process", is: "at least", aim: processedAim, rounds: drainRates },
      { name: `p99 at ${options.rate}/s, ms`, is: "at most", aim, rounds: [p99] },
      peakMemory(yield* turma.contender.peakMegabytes)
    ]
    return figures
  }).pipe(Effect.provide(DatabaseLayer))
}, Effect.scoped)

/** Posts a second at which every aim applies. */
const rate = 200

export const platformHook: Bench = {
  name: "platform-hook",
  short: { rounds: 3, seconds: 3 },
  figures: (length) => measure({ ...length, rate })
}

if (import.meta.main) {
  Command.make("bench:platform-hook", {
    rate: Flag.Int("rate").pipe(Flag.withDefault(rate), Flag.withDescription("Posts a second")),
    rounds: Flag.Int("rounds").pipe(
      Flag.withDefault(sized(3, 1)),
      Flag.withDescription("Rounds of each contender flat out")
    ),
    seconds: Flag.Finite("seconds").pipe(Flag.withDefault(sized(10, 0.2)), Flag.withDescription("Length of each part"))
  }, measure).pipe(Command.run({ version: "1" }), Effect.provide(PlatformLayer), NodeRuntime.runMain)
}
