// npm run bench:http [-- --rounds 5 --seconds 6]: three routes of Turma beside the same three written by hand.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Console, Effect, Layer, Logger, type Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { FetchHttpClient } from "effect/http"
import { clientOptions } from "../../src/sql/Database.ts"
import { embeddedPostgres } from "../../src/sql/EmbeddedPostgres.ts"
import { migrate } from "../../src/sql/Migrations.ts"
import { postgresFolder } from "../support/Watchdog.ts"
import { ask } from "./ask.ts"
import { type Contender, type Name, start } from "./Contender.ts"
import { countingProxy } from "./CountingProxy.ts"
import { drive, type Round } from "./drive.ts"
import { type Measured, routeTable } from "./report.ts"
import { type Actor, type Route, routes } from "./requests.ts"
import { checkSameAnswers } from "./sameAnswers.ts"
import { seed } from "./seed.ts"

/** Also how many actors there are: each connection is another administrator in another club. */
const connections = 32
const warmUpSeconds = 3
/** Requests over which statements are counted, one at a time. */
const counted = 100

interface Place {
  readonly database: Redacted.Redacted
  readonly folder: string
  readonly key: string
}

/** Requests that leave every connection of the pool with its statements prepared. */
const prepare = (contender: Contender, route: Route, actors: ReadonlyArray<Actor>) =>
  Effect.forEach(
    Array.from({ length: 10 }, () => actors).flat(),
    (actor) => ask(contender, route.request(actor)),
    { concurrency: connections, discard: true }
  )

/** What one request of each route costs the database, seen from between the two. */
const countTraffic = Effect.fn("countTraffic")(
  function*(name: Name, place: Place, actors: ReadonlyArray<Actor>) {
    const proxy = yield* countingProxy(place.database)
    const contender = yield* start(name, { ...place, database: proxy.database })
    return yield* Effect.forEach(routes, (route) =>
      Effect.gen(function*() {
        yield* prepare(contender, route, actors)
        yield* proxy.reset
        yield* Effect.forEach(
          Array.from({ length: counted }, (_, index) => actors[index % actors.length] ?? []).flat(),
          (actor) => ask(contender, route.request(actor)),
          { discard: true }
        )
        const { roundTrips, statements } = yield* proxy.traffic
        return { statements: statements / counted, roundTrips: roundTrips / counted }
      }))
  },
  Effect.scoped
)

interface Options {
  readonly rounds: number
  readonly seconds: number
}

/** Rounds of both in turn, A B B A …, so that a drift of the machine meets both alike. */
const alternate = Effect.fn("alternate")(function*(
  [one, other]: readonly [Contender, Contender],
  route: Route,
  actors: ReadonlyArray<Actor>,
  { rounds, seconds }: Options
) {
  const results = { one: [] as Array<Round>, other: [] as Array<Round> }
  yield* drive(one, route, actors, warmUpSeconds)
  yield* drive(other, route, actors, warmUpSeconds)
  for (let round = 0; round < rounds; round++) {
    for (const turn of round % 2 === 0 ? ["one", "other"] as const : ["other", "one"] as const) {
      results[turn].push(yield* drive(turn === "one" ? one : other, route, actors, seconds))
    }
  }
  return results
})

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
    Effect.provide(PgClient.layer({ url: database, maxConnections: 4, ...clientOptions }))
  )
  const traffic = {
    turma: yield* countTraffic("Turma", place, actors),
    twin: yield* countTraffic("twin", place, actors)
  }
  const [turma, twin] = [yield* start("Turma", place), yield* start("twin", place)]
  const [actor, stranger] = actors
  if (actor === undefined || stranger === undefined) return yield* Effect.die("Two actors are needed")
  yield* checkSameAnswers([turma, twin], [actor, stranger])
  for (const [index, route] of routes.entries()) {
    const { one, other } = yield* alternate([turma, twin], route, actors, options)
    const none = { statements: 0, roundTrips: 0 }
    const left: Measured = { name: turma.name, rounds: one, traffic: traffic.turma[index] ?? none }
    const right: Measured = { name: twin.name, rounds: other, traffic: traffic.twin[index] ?? none }
    yield* Console.log(`${routeTable(route.name, left, right)}\n`)
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
