// npm run bench:processes [-- --rounds 3 --seconds 4]: three routes of one process beside as many as there are cores.
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect, Layer, Schedule } from "effect"
import { Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { HttpClient } from "effect/http"
import { availableParallelism } from "node:os"
import { ClockGuard } from "../../src/platform/jobs/ClockGuard.ts"
import { connectionsLayer } from "../../src/platform/sql/Connections.ts"
import { embeddedPostgres } from "../../src/platform/sql/EmbeddedPostgres.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { postgresFolder } from "../harness/Watchdog.ts"
import { type Contender, start } from "./Contender.ts"
import type { Load, Round } from "./drive.ts"
import type { Bench, Length } from "./figures/Bench.ts"
import { type Figure, ratios } from "./figures/Figure.ts"
import { routes } from "./requests.ts"
import { alternate } from "./rounds.ts"
import { seed } from "./seed.ts"
import { PlatformLayer } from "./webhooks/Stand.ts"

/** Also how many actors there are: each connection is another administrator in another club. */
const connections = 32

/** Of one core: how much more a request may cost with several processes, so that they are linear to the cores there are. */
const aim = 1.15

/** As many as cores, and two at least. */
const many = Math.max(2, availableParallelism())

const secret = "bench"

const introduction = ({ rounds, seconds }: Length) =>
  `One process and ${many} under a supervisor, on one PostgreSQL with default durability: ${rounds} rounds of ${seconds} s each
in turn, ${connections} connections, a pool of 10 each, no request log, no Redis. Driver and PostgreSQL share the ${availableParallelism()} cores with
them, so requests/s cannot double; what a request costs says whether more cores would: CPU is of all of the command's
processes, the supervisor among them. Aim: at most ${aim} × of one process.
`

/** Ends when so many processes serve. */
const untilAllServe = Effect.fnUntraced(function*({ url }: Contender, count: number) {
  const client = yield* HttpClient.HttpClient
  const serving = client.get(`${url}/internal/metrics`, { headers: { authorization: `Bearer ${secret}` } }).pipe(
    Effect.flatMap(({ text }) => text),
    Effect.map((text) => text.match(/^turma_process_answered\{.*\} 1$/gm)?.length ?? 0)
  )
  yield* Effect.repeat(serving, { until: (found) => found === count, schedule: Schedule.spaced("50 millis") })
})

const median = (rounds: ReadonlyArray<Round>, field: keyof Round) => {
  const sorted = rounds.map((round) => round[field]).toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

const columns = [["requestsPerSecond", "requests/s", 0], ["p99", "p99 ms", 2], ["cpuPerRequest", "CPU ms", 3]] as const

const table = (route: string, one: ReadonlyArray<Round>, other: ReadonlyArray<Round>) => {
  const line = (name: string, cells: ReadonlyArray<string>) =>
    `  ${name.padEnd(14)}${cells.map((cell) => cell.padStart(13)).join("")}`
  const ratio = (field: keyof Round) => median(other, field) / median(one, field)
  const cpu = ratio("cpuPerRequest")
  return [
    route,
    line("", columns.map(([, title]) => title)),
    line("1 process", columns.map(([field, , digits]) => median(one, field).toFixed(digits))),
    line(`${many} processes`, columns.map(([field, , digits]) => median(other, field).toFixed(digits))),
    line("ratio", columns.map(([field]) => `${ratio(field).toFixed(2)} ×`)),
    `  The aim of ${aim} × the CPU is ${cpu <= aim ? "met" : "missed"}.`,
    ""
  ].join("\n")
}

const measure = Effect.fn("measure")(function*(length: Length) {
  yield* Console.log(introduction(length))
  const folder = yield* postgresFolder()
  const database = yield* embeddedPostgres({ directory: `${folder}/postgres` })
  const random = yield* SecureRandom.SecureRandom
  const place = { database, folder, key: Buffer.from(yield* random.randomBytes(32)).toString("base64") }
  const actors = yield* Effect.andThen(migrate(), seed(connections)).pipe(
    Effect.provide(
      ClockGuard.layer.pipe(Layer.provideMerge(connectionsLayer({ url: database, connections: 4 })))
    )
  )
  const one = yield* start("Turma", place)
  const several = yield* start("Turma", place, { PROCESSES: `${many}`, INTERNAL_SECRET: secret })
  yield* untilAllServe(several, many)
  const figures: Array<Figure> = []
  for (const { name, request } of routes) {
    const load: Load = { name, requests: () => actors.map((actor) => [request(actor)]) }
    const rounds = yield* alternate([one, several], load, length)
    yield* Console.log(table(name, rounds.one, rounds.other))
    const cpu = (all: ReadonlyArray<Round>) => all.map(({ cpuPerRequest }) => cpuPerRequest)
    figures.push({
      name: `${name}, CPU of ${many} processes × one's`,
      is: "at most",
      aim,
      rounds: ratios(cpu(rounds.other), cpu(rounds.one))
    })
  }
  const memory = (megabytes: number) => `${megabytes.toFixed(0)} MB`
  const each = (yield* several.peaksOfProcesses).map(memory).join(" and ")
  const alone = memory(yield* one.peakMegabytes)
  const supervisor = memory(yield* several.peakMegabytes)
  yield* Console.log(`Peak memory (RSS): one process ${alone}; each of ${many} ${each}, their supervisor ${supervisor}`)
  return figures
}, Effect.scoped)

export const processes: Bench = { name: "processes", short: { rounds: 3, seconds: 1 }, figures: measure }

if (import.meta.main) {
  Command.make("bench:processes", {
    rounds: Flag.Int("rounds").pipe(Flag.withDefault(3), Flag.withDescription("Rounds of each on each route")),
    seconds: Flag.Int("seconds").pipe(Flag.withDefault(4), Flag.withDescription("Length of a round"))
  }, measure).pipe(Command.run({ version: "1" }), Effect.provide(PlatformLayer), NodeRuntime.runMain)
}
