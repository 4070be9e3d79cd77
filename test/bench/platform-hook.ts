// npm run bench:platform-hook [-- --seconds 30 --rate 200]: how fast a sale is taken in while sales are processed beside.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Duration, Effect, Layer, Logger, Redacted, Schedule, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { FetchHttpClient } from "effect/http"
import { SqlClient } from "effect/sql"
import { availableParallelism } from "node:os"
import { connectionsLayer } from "../../src/platform/sql/Connections.ts"
import { embeddedPostgres } from "../../src/platform/sql/EmbeddedPostgres.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { Sealing } from "../../src/platform/sql/Sealing.ts"
import { postgresFolder } from "../harness/Watchdog.ts"
import { type Contender, type Name, start } from "./Contender.ts"
import { type Answered, flatOut, paced, type Target } from "./hook/Load.ts"
import { approval, hottok, seed } from "./hook/Seed.ts"
import { met, percentile, spaced, table } from "./webhooks/tables.ts"

/** The aim for p99 at 200 posts a second on 2 cores, in milliseconds. */
const aim = 100
const connections = 32
const warmUpSeconds = 5

interface Options {
  readonly rate: number
  readonly seconds: number
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

const cells = ({ latencies, refused, seconds }: Answered, cpu: number) => [
  spaced(Math.round(latencies.length / seconds)),
  percentile(latencies, 0.5).toFixed(1),
  percentile(latencies, 0.99).toFixed(1),
  Math.max(0, ...latencies).toFixed(1),
  String(refused),
  (cpu / latencies.length).toFixed(2)
]

const measured = Effect.fnUntraced(function*(contender: Contender, load: Effect.Effect<Answered>) {
  const before = yield* contender.cpuMillis
  const answered = yield* load
  return { answered, cpu: (yield* contender.cpuMillis) - before }
})

/** One contender at the offered rate and flat out, alone on the machine but for the database and the driver. */
const run = Effect.fn("run")(
  function*(name: Name, place: Parameters<typeof start>[1], path: string, { rate, seconds }: Options) {
    const contender = yield* start(name, place, { RATE_LIMIT_PLATFORM_HOOK: "1000000000", ROLE: "all" })
    const headers = { "x-hotmart-hottok": hottok }
    const target: Target = { url: `${contender.url}${path}`, headers, nextBody: approval }
    yield* paced(target, { rate, seconds: warmUpSeconds })
    yield* drained
    const offered = yield* measured(contender, paced(target, { rate, seconds }))
    const left = yield* counts
    yield* drained
    const flat = yield* measured(contender, flatOut(target, { connections, seconds }))
    const before = yield* counts
    const [took, after] = yield* Effect.timed(drained)
    const drainRate = (after.processed - before.processed) / Duration.toSeconds(took)
    return { name, offered, flat, left, queued: before.waiting, drainRate, after }
  },
  Effect.scoped
)

const introduction = ({ rate, seconds }: Options) =>
  `POST /webhooks/hotmart/{token}: approvals of about 2 KB, each of another purchase and buyer, ${rate} a second and
then flat out on ${connections} connections, ${seconds} s each. Turma is one process (ROLE=all) that processes them meanwhile: student, purchase,
access and their events. The twin (Fastify, postgres.js) verifies the hottok and inserts the raw body, and that is all.
PostgreSQL with default durability, the driver and the servers share ${availableParallelism()} cores. Latency counts from when a post was due.
`

const head = ["", "posts/s", "p50 ms", "p99 ms", "max ms", "not 200", "CPU ms"]

const measure = Effect.fn("measure")(function*(options: Options) {
  yield* Console.log(introduction(options))
  const folder = yield* postgresFolder()
  const database = yield* embeddedPostgres({ directory: `${folder}/postgres` })
  const random = yield* SecureRandom.SecureRandom
  const bytes = yield* random.randomBytes(32)
  const place = { database, folder, key: Buffer.from(bytes).toString("base64") }
  const DatabaseLayer = connectionsLayer({ url: database, connections: 3 }).pipe(
    Layer.merge(Sealing.layerKeys(Redacted.make(bytes)))
  )
  yield* Effect.gen(function*() {
    const { path } = yield* Effect.andThen(migrate(), seed)
    const twin = yield* run("hook twin", place, path, options)
    const turma = yield* run("Turma", place, path, options)
    const rows = [turma, twin].flatMap(({ flat, name, offered }) => [
      [`${name}, ${options.rate}/s`, ...cells(offered.answered, offered.cpu)],
      [`${name}, flat out`, ...cells(flat.answered, flat.cpu)]
    ])
    yield* Console.log(`${table(head, rows)}\n`)
    const p99 = percentile(turma.offered.answered.latencies, 0.99)
    const { after, drainRate, left, queued } = turma
    yield* Console.log(`p99 at ${options.rate}/s below ${aim} ms: ${met(p99 < aim)}`)
    yield* Console.log(
      `Waiting to be processed after ${options.rate}/s: ${spaced(left.waiting)}; after flat out: ${
        spaced(queued)
      }, processed at ${spaced(Math.round(drainRate))}/s`
    )
    yield* Console.log(
      `Stored ${spaced(after.stored)}, processed ${spaced(after.processed)}, purchases ${
        spaced(after.purchases)
      }, enrollments ${spaced(after.granted)}`
    )
  }).pipe(Effect.provide(DatabaseLayer))
}, Effect.scoped)

Command.make("bench:platform-hook", {
  rate: Flag.Int("rate").pipe(Flag.withDefault(200), Flag.withDescription("Posts a second")),
  seconds: Flag.Int("seconds").pipe(Flag.withDefault(30), Flag.withDescription("Length of each part"))
}, measure).pipe(
  Command.run({ version: "1" }),
  Effect.provide(
    Layer.mergeAll(NodeServices.layer, SecureRandom.layerWebCrypto, FetchHttpClient.layer, Logger.layer([]))
  ),
  NodeRuntime.runMain
)
