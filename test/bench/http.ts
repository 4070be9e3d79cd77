// npm run bench:http [-- --rounds 5 --seconds 6]: four routes of Turma beside the same four routes written by hand.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect, Layer } from "effect"
import { Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { ClockGuard } from "../../src/platform/jobs/ClockGuard.ts"
import { connectionsLayer } from "../../src/platform/sql/Connections.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { pool, start } from "./Contender.ts"
import type { Load } from "./drive.ts"
import type { Bench, Length } from "./figures/Bench.ts"
import { type Figure, ratios } from "./figures/Figure.ts"
import { newDatabase } from "./newDatabase.ts"
import { PlatformLayer } from "./platformLayer.ts"
import { besideTwin, type Measured, peakMemory, routeTable, twinHas } from "./report.ts"
import { health, ladder, routes } from "./requests.ts"
import { alternate, countTraffic } from "./rounds.ts"
import { checkSameAnswers } from "./sameAnswers.ts"
import { seed } from "./seed.ts"
import { sized } from "./sized.ts"

/** Connections and actors: each connection is another administrator in another club. */
const connections = sized(32, 4)

/** The most CPU that a request may take, as a multiple of the twin's. */
const cpuAim = 1.2
/** Milliseconds of CPU that a request without a database may take. */
const healthAim = 0.03

const introduction = ({ rounds, seconds }: Length) =>
  `Turma and its hand-written twin (Fastify, postgres.js) on one PostgreSQL with default durability: ${rounds} rounds of
${seconds} s each in turn, ${connections} connections, a pool of ${pool}, no request log in either.
${twinHas}
Driver, server and database share this machine, so only the ratios mean anything. CPU is the server process's, per request.
Statements include begin and commit.
`

/** The figures of a route. The health route has its CPU alone, since it waits for no database. */
const figuresOf = (name: string, turma: Measured, twin: Measured): ReadonlyArray<Figure> => {
  if (name === health.name) {
    return [{
      name: `${name}, CPU ms`,
      is: "at most",
      aim: healthAim,
      rounds: turma.rounds.map(({ cpuPerRequest }) => cpuPerRequest)
    }]
  }
  const p99 = ratios(turma.rounds.map(({ p99 }) => p99), twin.rounds.map(({ p99 }) => p99))
  return [
    ...besideTwin(name, turma, twin, cpuAim),
    ...name === ladder.name ? [{ name: `${name}, p99 × the twin's`, is: "at most", aim: 1, rounds: p99 } as const] : []
  ]
}

const measure = Effect.fn("measure")(function*(length: Length) {
  yield* Console.log(introduction(length))
  const { database, folder } = yield* newDatabase()
  const random = yield* SecureRandom.SecureRandom
  const key = Buffer.from(yield* random.randomBytes(32)).toString("base64")
  const place = { database, folder, key }
  const actors = yield* Effect.andThen(migrate(), seed(connections))
    .pipe(Effect
      .provide(ClockGuard.layer.pipe(Layer.provideMerge(connectionsLayer({ url: database, connections: 4 })))))
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
  const figures: Array<Figure> = []
  for (const [index, load] of loads.entries()) {
    const { one, other } = yield* alternate([turma, twin], load, length)
    const none = { statements: 0, roundTrips: 0 }
    const left: Measured = { name: turma.name, rounds: one, traffic: traffic.turma[index] ?? none }
    const right: Measured = { name: twin.name, rounds: other, traffic: traffic.twin[index] ?? none }
    yield* Console.log(`${routeTable(load.name, left, right)}\n`)
    figures.push(...figuresOf(load.name, left, right))
  }
  const [ours, theirs] = [yield* turma.peakMegabytes, yield* twin.peakMegabytes]
  yield* Console.log(`Peak memory (RSS): Turma ${ours.toFixed(0)} MB, twin ${theirs.toFixed(0)} MB`)
  return [...figures, peakMemory(ours)]
}, Effect.scoped)

export const http: Bench = { name: "http", short: { rounds: 5, seconds: 1 }, figures: measure }

if (import.meta.main) {
  Command.make("bench:http", {
    rounds: Flag.Int("rounds").pipe(
      Flag.withDefault(sized(5, 1)),
      Flag.withDescription("Rounds of each contender on each route")
    ),
    seconds: Flag.Finite("seconds").pipe(Flag.withDefault(sized(6, 0.2)), Flag.withDescription("Length of a round"))
  }, measure).pipe(Command.run({ version: "1" }), Effect.provide(PlatformLayer), NodeRuntime.runMain)
}
