// npm run bench:classroom [-- --rounds 3 --seconds 2 --only completion]: the classroom and the ranking of a large club, beside a twin.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Duration, Effect, Layer, type Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { ClockGuard } from "../../src/platform/jobs/ClockGuard.ts"
import { connectionsLayer } from "../../src/platform/sql/Connections.ts"
import { embeddedPostgres } from "../../src/platform/sql/EmbeddedPostgres.ts"
import { migrate } from "../../src/platform/sql/Migrations.ts"
import { checkSameCompletions, keptFacts } from "./classroom/Facts.ts"
import { classroomLoads, periods, rankingLoads } from "./classroom/Loads.ts"
import { questionsOf } from "./classroom/Questions.ts"
import { lessons, scale } from "./classroom/Scale.ts"
import { seed, type Seeded } from "./classroom/Seed.ts"
import { deepCursor, deepLoad, singly } from "./classroom/Singly.ts"
import { type Contender, pool, start } from "./Contender.ts"
import type { Load } from "./drive.ts"
import type { Bench, Length } from "./figures/Bench.ts"
import { newCluster } from "./newDatabase.ts"
import { PlatformLayer } from "./platformLayer.ts"
import { besideTwin, peakMemory, routeTable, twinHas } from "./report.ts"
import { alternate, countTraffic, type Place } from "./rounds.ts"
import { checkQuestions } from "./sameAnswers.ts"
import { sized } from "./sized.ts"
import { met, spaced } from "./webhooks/tables.ts"

/** Milliseconds that a page of the ranking may take with 100 000 students. */
const rankingAim = 50
/** Statements that a read request may take. */
const statementsAim = 3
/** The most CPU that a request may take, as a multiple of the twin's. */
const cpuAim = 1.4

interface Options extends Length {
  /** Only loads whose name contains this are measured. */
  readonly only: string
  /** True if the benchmark also asks for rankings one at a time, and for pages far down. */
  readonly alone: boolean
}

/** Caps that no run reaches. */
const uncapped = { RATE_LIMIT_CLASSROOM: "1000000000" }

/** Room to fill tables fast. Before the measurements the cluster starts again with the defaults. */
const roomy = {
  fsync: "off",
  max_wal_senders: "0",
  max_wal_size: "16GB",
  maintenance_work_mem: "512MB",
  shared_buffers: "512MB",
  wal_level: "minimal"
}

const databaseLayer = (url: Redacted.Redacted) =>
  ClockGuard.layer.pipe(Layer.provideMerge(connectionsLayer({ url, connections: 3 })))

const introduction = ({ entries }: Seeded, { rounds, seconds }: Options, seedSeconds: number) =>
  `A club of ${spaced(scale.students)} students, ${spaced(lessons)} lessons and ${spaced(entries)} point entries, and ${
    spaced(scale.bystanders)
  } others, filled in ${seedSeconds.toFixed(0)} s without fsync.
Turma and its hand-written twin (Fastify, postgres.js) on that PostgreSQL with default durability: ${rounds} rounds of
${seconds} s each in turn, ${scale.connections} connections of ${scale.studentsOfConnection} students each, a pool of ${pool}, no request log in either.
${twinHas}
Driver, server and database share this machine, so ratios mean more than numbers. Statements include begin and commit.
`

const fill = Effect.fn("fill")(function*(directory: string) {
  const database = yield* embeddedPostgres({ directory, settings: roomy })
  return yield* Effect.timed(Effect.provide(Effect.andThen(migrate(), seed), databaseLayer(database)))
}, Effect.scoped)

type Both = readonly [Contender, Contender]

const none = { statements: 0, roundTrips: 0 }

const compare = Effect.fn("compare")(function*(
  both: Both,
  load: Load,
  [ours = none, theirs = none]: ReadonlyArray<typeof none | undefined>,
  options: Options
) {
  const { one, other } = yield* alternate(both, load, options)
  const left = { name: "Turma", rounds: one, traffic: ours }
  const right = { name: "twin", rounds: other, traffic: theirs }
  yield* Console.log(routeTable(load.name, left, right))
  if (load.name.startsWith("GET")) {
    yield* Console.log(`  At most ${statementsAim} statements: ${met(ours.statements <= statementsAim)}`)
  }
  return besideTwin(load.name, left, right, cpuAim)
})

const compareSingly = Effect.fn("compareSingly")(function*([turma, twin]: Both, load: Load) {
  const [ours, theirs] = [yield* singly(turma, load), yield* singly(twin, load)]
  const said = [ours, theirs].map(({ p50, p99 }) => `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`)
  yield* Console
    .log(`  One at a time: Turma ${said[0]}; twin ${said[1]}. Turma's p99 below ${rankingAim} ms: ${
      met(ours.p99 < rankingAim)
    }`)
})

const compareAll = Effect.fn("compareAll")(function*(place: Place, seeded: Seeded, options: Options) {
  const cursors = yield* Effect.forEach(
    periods,
    (period) => Effect.map(deepCursor(seeded, period), (cursor) => [period, cursor] as const)
  )
  const rankings = rankingLoads(seeded)
  const loads = [...rankings, ...classroomLoads(seeded)].filter(({ name }) => name.includes(options.only))
  const both = [yield* start("Turma", place, uncapped), yield* start("classroom twin", place, uncapped)] as const
  yield* checkQuestions(both, questionsOf(seeded, cursors))
  yield* checkSameCompletions(both, seeded)
  const ours = yield* countTraffic("Turma", place, loads, uncapped)
  const theirs = yield* countTraffic("classroom twin", place, loads, uncapped)
  const figures = yield* Effect.forEach(loads, (load, index) =>
    Effect.gen(function*() {
      const compared = yield* compare(both, load, [ours[index], theirs[index]], options)
      if (options.alone && rankings.includes(load)) yield* compareSingly(both, load)
      yield* Console.log("")
      return compared
    }))
  for (const [period, cursor] of options.alone ? cursors : []) {
    const load = deepLoad(seeded, seeded.spare[0], period, cursor)
    yield* Console.log(load.name)
    yield* compareSingly(both, load)
  }
  const [one, other] = [yield* both[0].peakMegabytes, yield* both[1].peakMegabytes]
  yield* Console.log(`\nPeak memory (RSS): Turma ${one.toFixed(0)} MB, twin ${other.toFixed(0)} MB`)
  return [...figures.flat(), peakMemory(one)]
})

const measure = Effect.fn("measure")(function*(options: Options) {
  const { directory, folder } = yield* newCluster
  const [took, seeded] = yield* fill(directory)
  yield* Console.log(introduction(seeded, options, Duration.toSeconds(took)))
  const database = yield* embeddedPostgres({ directory })
  const random = yield* SecureRandom.SecureRandom
  const key = Buffer.from(yield* random.randomBytes(32)).toString("base64")
  return yield* Effect.gen(function*() {
    const figures = yield* compareAll({ database, folder, key }, seeded, options)
    const { deeds, entries, events, unequal } = yield* keptFacts(seeded)
    yield* Console
      .log(`Deeds of students ${spaced(deeds)}, point entries ${spaced(entries)}, events ${
        spaced(events)
      }; totals that are not the ledger's: ${unequal}`)
    return figures
  }).pipe(Effect.provide(databaseLayer(database)))
}, Effect.scoped)

export const classroom: Bench = {
  name: "classroom",
  short: { rounds: 5, seconds: 1 },
  figures: (length) => measure({ ...length, only: "", alone: false })
}

if (import.meta.main) {
  Command.make("bench:classroom", {
    rounds: Flag.Int("rounds").pipe(
      Flag.withDefault(sized(3, 1)),
      Flag.withDescription("Rounds of each contender on each route")
    ),
    seconds: Flag.Finite("seconds").pipe(Flag.withDefault(sized(2, 0.2)), Flag.withDescription("Length of a round")),
    only: Flag.String("only").pipe(
      Flag.withDefault(""),
      Flag.withDescription("Only loads whose names contain this, and nothing one at a time")
    )
  }, (options) => measure({ ...options, alone: options.only === "" })).pipe(
    Command.run({ version: "1" }),
    Effect.provide(PlatformLayer),
    NodeRuntime.runMain
  )
}
