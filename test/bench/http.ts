// npm run bench:http [-- --rounds 5 --seconds 6]: three routes of Turma beside the same three written by hand.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect, Layer, Logger } from "effect"
import { Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { FetchHttpClient } from "effect/http"
import { ClockGuard } from "../../src/platform/jobs/ClockGuard.ts"
import { connectionsLayer } from "../../src/platform/sql/Connections.ts"
import { embeddedPostgres } from "../../src/platform/sql/EmbeddedPostgres.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { postgresFolder } from "../harness/Watchdog.ts"
import { start } from "./Contender.ts"
import type { Load } from "./drive.ts"
import { type Measured, routeTable } from "./report.ts"
import { routes } from "./requests.ts"
import { alternate, countTraffic, type Options } from "./rounds.ts"
import { checkSameAnswers } from "./sameAnswers.ts"
import { seed } from "./seed.ts"

/** Also how many actors there are: each connection is another administrator in another club. */
const connections = 32

const introduction = ({ rounds, seconds }: Options) =>
  `Turma and its hand-written twin (Fastify, postgres.js) on one PostgreSQL with default durability: ${rounds} rounds of
${seconds} s each in turn, ${connections} connections, a pool of 10, no request log in either. Driver, server and database share this
machine, so only the ratios mean anything. CPU is the server process's, per request. Statements include begin and commit.
`

const measure = Effect.fn("measure")(function*(options: Options) {
  yield* Console.log(introduction(options))
  const folder = yield* postgresFolder()
  const database = yield* embeddedPostgres({ directory: `${folder}/postgres` })
  const random = yield* SecureRandom.SecureRandom
  const key = Buffer.from(yield* random.randomBytes(32)).toString("base64")
  const place = { database, folder, key }
  const actors = yield* Effect.andThen(migrate(), seed(connections)).pipe(
    Effect.provide(
      ClockGuard.layer.pipe(Layer.provideMerge(connectionsLayer({ url: database, connections: 4 })))
    )
  )
  const loads = routes.map(({ name, request }): Load => ({
    name,
    requests: () => actors.map((actor) => [request(actor)])
  }))
  const traffic = {
    turma: yield* countTraffic("Turma", place, loads),
    twin: yield* countTraffic("twin", place, loads)
  }
  const [turma, twin] = [yield* start("Turma", place), yield* start("twin", place)]
  const [actor, stranger] = actors
  if (actor === undefined || stranger === undefined) return yield* Effect.die("Two actors are needed")
  yield* checkSameAnswers([turma, twin], [actor, stranger])
  for (const [index, load] of loads.entries()) {
    const { one, other } = yield* alternate([turma, twin], load, options)
    const none = { statements: 0, roundTrips: 0 }
    const left: Measured = { name: turma.name, rounds: one, traffic: traffic.turma[index] ?? none }
    const right: Measured = { name: twin.name, rounds: other, traffic: traffic.twin[index] ?? none }
    yield* Console.log(`${routeTable(load.name, left, right)}\n`)
  }
  const [ours, theirs] = [yield* turma.peakMegabytes, yield* twin.peakMegabytes]
  yield* Console.log(`Peak memory (RSS): Turma ${ours.toFixed(0)} MB, twin ${theirs.toFixed(0)} MB`)
}, Effect.scoped)

Command.make("bench:http", {
  rounds: Flag.Int("rounds").pipe(Flag.withDefault(5), Flag.withDescription("Rounds of each contender on each route")),
  seconds: Flag.Int("seconds").pipe(Flag.withDefault(6), Flag.withDescription("Length of a round"))
}, measure).pipe(
  Command.run({ version: "1" }),
  Effect.provide(
    Layer.mergeAll(NodeServices.layer, SecureRandom.layerWebCrypto, FetchHttpClient.layer, Logger.layer([]))
  ),
  NodeRuntime.runMain
)
