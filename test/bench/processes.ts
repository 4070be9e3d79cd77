// npm run bench:processes [-- --rounds 3 --seconds 4]: three routes of one process beside one process for each core.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect, Layer, Schedule } from "effect"
import { Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { HttpClient } from "effect/http"
import { availableParallelism } from "node:os"
import { ClockGuard } from "../../src/platform/jobs/ClockGuard.ts"
import { connectionsLayer } from "../../src/platform/sql/Connections.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { type Contender, pool, start } from "./Contender.ts"
import { drive, type Load, type Round } from "./drive.ts"
import type { Bench, Length } from "./figures/Bench.ts"
import { type Figure, ratios } from "./figures/Figure.ts"
import { newDatabase } from "./newDatabase.ts"
import { pace } from "./pace.ts"
import { PlatformLayer } from "./platformLayer.ts"
import { type Request, routes } from "./requests.ts"
import { alternate, warmUp } from "./rounds.ts"
import { seed } from "./seed.ts"
import { sized } from "./sized.ts"

/** Connections and actors: each connection is another administrator in another club. */
const connections = sized(32, 4)

/**
 * The most CPU of a request with several processes, as a multiple of one process with the same load as each. At this
 * aim throughput grows in line with the cores.
 */
const aim = 1.15

/** A share of the flat-out rate of one process: at this rate no request waits for a core. */
const calm = 0.5

/** One process for each core, and at least two. */
const many = Math.max(2, availableParallelism())

const secret = "bench"

const introduction = ({ rounds, seconds }: Length) =>
  `One process and ${many} under a supervisor, on one PostgreSQL with default durability: ${rounds} rounds of ${seconds} s each
in turn, ${connections} connections, a pool of ${pool} each, no request log, no Redis. CPU is of all of the command's processes, the
supervisor among them. Driver and PostgreSQL share the ${availableParallelism()} cores with them: flat out requests/s cannot double, and CPU
counts the waits for caches that all want at once. So the aim is for ${many} processes at ${calm} of the rate that one reached, beside
one that has as much to do as each of them: at most ${aim} × its CPU a request. Beside one at the same rate the ratio is that of
dividing the same work, of which a process then finds less to do at once.
`

/** Ends when this many processes serve. */
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

type Rounds = ReadonlyArray<Round>

/** A route's results. The calm rate goes to one process, its share of the rate to one process, and all to several. */
interface Measured {
  readonly flatOut: { readonly one: Rounds; readonly other: Rounds }
  readonly calm: { readonly all: Rounds; readonly share: Rounds; readonly several: Rounds }
}

const cpus = (rounds: Rounds) => rounds.map(({ cpuPerRequest }) => cpuPerRequest)

const table = (route: string, { calm, flatOut }: Measured) => {
  const line = (name: string, cells: ReadonlyArray<string>) =>
    `  ${name.padEnd(32)}${cells.map((cell) => cell.padStart(13)).join("")}`
  const medians = (name: string, rounds: Rounds) =>
    line(name, columns.map(([field, , digits]) => median(rounds, field).toFixed(digits)))
  const times = (name: string, several: Rounds, one: Rounds) =>
    line(name, columns.map(([field]) => `${(median(several, field) / median(one, field)).toFixed(2)} ×`))
  return [
    route,
    line("", columns.map(([, title]) => title)),
    medians("1 process, flat out", flatOut.one),
    medians(`${many} processes, flat out`, flatOut.other),
    times("ratio", flatOut.other, flatOut.one),
    medians("1 process, a share of the rate", calm.share),
    medians("1 process, all of the rate", calm.all),
    medians(`${many} processes, all of the rate`, calm.several),
    times("ratio, as much for each process", calm.several, calm.share),
    times("ratio, as much in all", calm.several, calm.all),
    ""
  ].join("\n")
}

/** The other ratios explain the one that has the aim. */
const figuresOf = (route: string, { calm, flatOut }: Measured): ReadonlyArray<Figure> => {
  const times = (how: string, aim: number | undefined, several: Rounds, one: Rounds): Figure => ({
    name: `${route}, CPU of ${many} processes × one's ${how}`,
    is: "at most",
    aim,
    rounds: ratios(cpus(several), cpus(one))
  })
  return [
    times("with as much to do as each", aim, calm.several, calm.share),
    times("with as much to do as all", undefined, calm.several, calm.all),
    times("flat out", undefined, flatOut.other, flatOut.one)
  ]
}

/** Rounds at this rate. One process also gets the rate that each of several processes has. */
const calmRounds = Effect.fn("calmRounds")(function*(
  { one, several }: { readonly one: Contender; readonly several: Contender },
  requests: ReadonlyArray<Request>,
  rate: number,
  { rounds, seconds }: Length
) {
  const results = { share: [] as Array<Round>, all: [] as Array<Round>, several: [] as Array<Round> }
  const turns = [["share", one, rate / many], ["several", several, rate], ["all", one, rate]] as const
  for (let round = 0; round < rounds; round++) {
    for (const [turn, contender, each] of round % 2 === 0 ? turns : turns.toReversed()) {
      results[turn].push(yield* pace(contender, requests, { rate: each, seconds }))
    }
  }
  return results
})

const measure = Effect.fn("measure")(function*(length: Length) {
  yield* Console.log(introduction(length))
  const { database, folder } = yield* newDatabase()
  const random = yield* SecureRandom.SecureRandom
  const place = { database, folder, key: Buffer.from(yield* random.randomBytes(32)).toString("base64") }
  const actors = yield* Effect.andThen(migrate(), seed(connections))
    .pipe(Effect
      .provide(ClockGuard.layer.pipe(Layer.provideMerge(connectionsLayer({ url: database, connections: 4 })))))
  const one = yield* start("Turma", place)
  const several = yield* start("Turma", place, { PROCESSES: `${many}`, INTERNAL_SECRET: secret })
  yield* untilAllServe(several, many)
  const figures: Array<Figure> = []
  for (const { name, request } of routes) {
    const requests = actors.map(request)
    const load: Load = { name, requests: () => requests.map((each) => [each]) }
    // Each of several processes gets a fraction of the warm-up requests, so the warm-up repeats.
    for (let more = 1; more < many; more++) yield* drive(several, load, warmUp(length.seconds))
    const flatOut = yield* alternate([one, several], load, length)
    const rate = calm * median(flatOut.one, "requestsPerSecond")
    const measured: Measured = { flatOut, calm: yield* calmRounds({ one, several }, requests, rate, length) }
    yield* Console.log(table(name, measured))
    figures.push(...figuresOf(name, measured))
  }
  const memory = (megabytes: number) => `${megabytes.toFixed(0)} MB`
  const each = (yield* several.peaksOfProcesses).map(memory).join(" and ")
  const alone = memory(yield* one.peakMegabytes)
  const supervisor = memory(yield* several.peakMegabytes)
  yield* Console.log(`Peak memory (RSS): one process ${alone}; each of ${many} ${each}, their supervisor ${supervisor}`)
  return figures
}, Effect.scoped)

export const processes: Bench = { name: "processes", short: { rounds: 3, seconds: 2 }, figures: measure }

if (import.meta.main) {
  Command.make("bench:processes", {
    rounds: Flag.Int("rounds").pipe(
      Flag.withDefault(sized(3, 1)),
      Flag.withDescription("Rounds of each on each route")
    ),
    seconds: Flag.Finite("seconds").pipe(Flag.withDefault(sized(4, 0.2)), Flag.withDescription("Length of a round"))
  }, measure).pipe(Command.run({ version: "1" }), Effect.provide(PlatformLayer), NodeRuntime.runMain)
}
