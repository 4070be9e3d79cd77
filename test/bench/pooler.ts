// npm run bench:pooler [-- --rounds 3 --seconds 3]: costs without prepared statements, with PgBouncer and a replica.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect, FileSystem, Layer, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { ClockGuard } from "../../src/platform/jobs/ClockGuard.ts"
import { connectionsLayer } from "../../src/platform/sql/Connections.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { startPostgresIn } from "../harness/OwnPostgres.ts"
import { startPgBouncer } from "../harness/PgBouncer.ts"
import { replicated } from "../harness/Replica.ts"
import { pool, start } from "./Contender.ts"
import { drive, type Load, type Round } from "./drive.ts"
import type { Length } from "./figures/Bench.ts"
import { newCluster } from "./newDatabase.ts"
import { PlatformLayer } from "./platformLayer.ts"
import { type Actor, ladder, me, type Request } from "./requests.ts"
import { warmUp } from "./rounds.ts"
import { seed } from "./seed.ts"
import { sized } from "./sized.ts"
import { cpuMillis } from "./webhooks/Child.ts"
import { median, table } from "./webhooks/tables.ts"

/** Connections and actors: each connection is another administrator in another club. */
const connections = sized(32, 4)

const students = ({ access_token, organization_id }: Actor): Request => ({
  method: "GET",
  path: `/v1/clubs/${organization_id}/students`,
  headers: { authorization: `Bearer ${access_token}` }
})

const loads = [
  { name: "GET /v1/me", request: me },
  { name: "GET …/students, a list", request: students },
  { name: "PUT …/gamification/levels", request: ladder.request }
]

/** One round, with the CPU of PostgreSQL and of the pooler before it, in milliseconds per request. */
interface Measured extends Round {
  readonly database: number
  readonly between: number
}

const introduction = ({ rounds, seconds }: Length) =>
  `One process of Turma with ROLE=api on one PostgreSQL with default durability but fsync off, which has a streaming replica:
${rounds} rounds of ${seconds} s of each way in turn, ${connections} connections, a pool of ${pool}, of 20 through PgBouncer
(transaction mode, default_pool_size 10). Driver and all servers share this machine, so only the ratios mean anything.
CPU in ms per request: the process's, that of PostgreSQL with its replica, and PgBouncer's.
`

const measure = Effect.fn("measure")(function*(length: Length) {
  yield* Console.log(introduction(length))
  const fs = yield* FileSystem.FileSystem
  const random = yield* SecureRandom.SecureRandom
  const { directory } = yield* newCluster
  const { postmasters, primary, url } = yield* replicated(startPostgresIn(directory))
  const database = primary.url
  const actors = yield* Effect.andThen(migrate(), seed(connections))
    .pipe(Effect
      .provide(ClockGuard.layer.pipe(Layer.provideMerge(connectionsLayer({ url: database, connections: 4 })))))
  const settings = {
    pool_mode: "transaction",
    default_pool_size: "10",
    max_client_conn: "200"
  }
  const connect = "set lock_timeout = '10s'; set idle_in_transaction_session_timeout = '30s'"
  const pooler = yield* startPgBouncer({ database, settings, connect })
  const place = {
    database,
    folder: yield* fs.makeTempDirectoryScoped({ prefix: "turma-bench-" }),
    key: Buffer.from(yield* random.randomBytes(32)).toString("base64")
  }
  const throughPooler = { ...place, database: Redacted.make(pooler.url) }
  const pooled = { DATABASE_POOLER: "transaction", DATABASE_SESSION_URL: Redacted.value(database), DATABASE_POOL: "20" }
  const ways = [
    { way: "prepared", contender: yield* start("Turma", place) },
    { way: "unprepared", contender: yield* start("Turma", place, { DATABASE_PREPARED_STATEMENTS: "false" }) },
    { way: "unprepared, PgBouncer", contender: yield* start("Turma", throughPooler, pooled) },
    { way: "prepared, replica", contender: yield* start("Turma", place, { DATABASE_READ_URL: Redacted.value(url) }) }
  ]
  const databaseCpu = Effect.map(
    Effect.forEach(yield* postmasters, cpuMillis),
    (all) => all.reduce((sum, one) => sum + one, 0)
  )
  for (const { name, request } of loads) {
    const load: Load = { name, requests: () => actors.map((actor) => [request(actor)]) }
    const found = new Map<string, Array<Measured>>()
    for (const { contender } of ways) yield* drive(contender, load, warmUp(length.seconds))
    for (let round = 0; round < length.rounds; round++) {
      for (const { contender, way } of round % 2 === 0 ? ways : ways.toReversed()) {
        const before = [yield* databaseCpu, yield* cpuMillis(pooler.pid)] as const
        const result = yield* drive(contender, load, length.seconds)
        const requests = result.requestsPerSecond * length.seconds
        const measured = {
          ...result,
          database: ((yield* databaseCpu) - before[0]) / requests,
          between: ((yield* cpuMillis(pooler.pid)) - before[1]) / requests
        }
        found.set(way, [...found.get(way) ?? [], measured])
      }
    }
    const rows = [...found].map(([way, rounds]) => {
      const middle = (field: keyof Measured) => median(rounds.map((round) => round[field]))
      return [
        way,
        middle("requestsPerSecond").toFixed(0),
        middle("p50").toFixed(1),
        middle("p99").toFixed(1),
        middle("cpuPerRequest").toFixed(3),
        middle("database").toFixed(3),
        middle("between").toFixed(3)
      ]
    })
    const head = [name, "requests/s", "p50 ms", "p99 ms", "CPU", "PostgreSQL", "PgBouncer"]
    yield* Console.log(`${table(head, rows)}\n`)
  }
}, Effect.scoped)

Command.make("bench:pooler", {
  rounds: Flag.Int("rounds").pipe(
    Flag.withDefault(sized(3, 1)),
    Flag.withDescription("Rounds of each way on each route")
  ),
  seconds: Flag.Finite("seconds").pipe(Flag.withDefault(sized(3, 0.2)), Flag.withDescription("Length of a round"))
}, measure).pipe(Command.run({ version: "1" }), Effect.provide(PlatformLayer), NodeRuntime.runMain)
