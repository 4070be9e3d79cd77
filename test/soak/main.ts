// npm run soak [-- --days 6 --seconds 300 --seed 1 --svg FILE]: runs days of a club with mishaps. The measured
// processes never restart. Their memory, connections and open files must not grow, and neither must tables.
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect, FileSystem } from "effect"
import { Command, Flag } from "effect/cli"
import { table } from "../bench/webhooks/tables.ts"
import { conclusionOf, type Rule, verdictOf } from "../chaos/Rules.ts"
import { driverLayer, makeStand, PlatformLayer } from "../chaos/Stand.ts"
import { type Curve, drawCurves } from "./Curve.ts"
import { type Allowance, trendOf } from "./Flatness.ts"
import { soak } from "./Soak.ts"
import { tableTrends } from "./Tables.ts"

/** The allowed rise from the second day to the last, in the unit of the curve. Other curves may not rise. */
const allowances: Readonly<Record<string, Allowance>> = {
  "API, memory": { share: 0.1, beside: 8 },
  "Worker, memory": { share: 0.1, beside: 8 },
  "API, open files": { share: 0, beside: 8 },
  "Worker, open files": { share: 0, beside: 8 },
  "Connections to PostgreSQL": { share: 0, beside: 2 }
}

const shown = (values: ReadonlyArray<number>, digits = 0) => values.map((value) => value.toFixed(digits)).join(", ")

const nothing: Allowance = { share: 0, beside: 0 }

/** New rows come every day, so each table has its own verdict. */
const grows = "Tables and indexes"

const curveRules = (curves: ReadonlyArray<Curve>): ReadonlyArray<Rule> =>
  curves.filter(({ name }) => name !== grows).map(({ name, samples, unit }) => {
    const { days, isFlat, rise } = trendOf(samples, allowances[name] ?? nothing)
    const said = `${shown(days)} ${unit}, a rise of ${rise.toFixed(1)}`
    return [`${name} is flat: ${said}`, isFlat ? [] : [said]]
  })

const MB = 1024 * 1024

/**
 * If PostgreSQL is killed, it forgets the free pages since its last checkpoint. Every index then grows by all writes
 * until the next vacuum. It is killed once a day here, as rarely as it usually makes a checkpoint. So checkpoints are
 * more frequent here.
 */
const database = { checkpoint_timeout: "30s" }

/** Runs days of a club, as long as they take on this machine. */
const run = Effect.fn("run")(function*(
  { days, seconds, seed, svg }: {
    readonly days: number
    readonly seconds: number
    readonly seed: number
    readonly svg: string
  }
) {
  yield* Console
    .log(`${days} days of ${seconds} s with seed ${seed}: the API and two workers; one is killed every day`)
  const stand = yield* makeStand({ seed, lease: 6, database })
  const { curves, judged, kills, mails, outages, rules, statuses, tables } = yield* Effect.provide(
    soak(stand, { days, seconds, seed }),
    driverLayer(stand)
  )
  const fs = yield* FileSystem.FileSystem
  yield* fs.writeFileString(svg, drawCurves(curves))
  const reads = [...statuses].toSorted(([one], [other]) => one - other).map(([status, n]) => `${n} × ${status}`)
  yield* Console.log(`
Recorded ${judged.facts} facts, ${judged.deliveries} deliveries, ${judged.attempts} attempts; ${judged.posts} POSTs received
Sold ${judged.sales}, imported ${judged.imports} lists, ${judged.completed} lessons completed, ${judged.said} comments, ${judged.asked} questions, ${judged.uploaded} uploads, ${mails} mails
Read: ${reads.join(", ")}
A worker was killed ${kills} times, PostgreSQL and Redis were away ${outages} times each
The curves are drawn in ${svg}
`)
  const trends = tableTrends(tables)
  const ofTables = trends.map(({ heap, indexes, rows, size, table, verdict }) => [
    table,
    shown(size.days.map((bytes) => bytes / MB), 1),
    rows.toFixed(0),
    shown(heap.days),
    shown(indexes.days),
    verdict
  ])
  yield* Console.log(table(["table", "MB", "rows", "bytes a row", "bytes of indexes a row", "verdict"], ofTables))
  const rising = trends.filter(({ verdict }) => verdict === "rises").map(({ table }) => table)
  const all: ReadonlyArray<Rule> = [
    ...rules,
    ...curveRules(curves),
    ["No table and no index is larger than its rows need", rising]
  ]
  yield* Effect.forEach(all, (rule) => Console.log(verdictOf(rule)), { discard: true })
  const { broken, text } = conclusionOf(all)
  yield* Console.log(`\n${text}`)
  if (broken > 0) return yield* Effect.die(new Error(`${text}; seed ${seed}`))
}, Effect.scoped)

Command.make("soak", {
  days: Flag.Int("days").pipe(Flag.withDefault(6), Flag.withDescription("How many days")),
  seconds: Flag.Int("seconds").pipe(Flag.withDefault(300), Flag.withDescription("How long a day is")),
  seed: Flag.Int("seed").pipe(Flag.withDefault(1), Flag.withDescription("Repeats who does what")),
  svg: Flag.String("svg").pipe(Flag.withDefault("test/soak/soak.svg"), Flag.withDescription("Where to draw the curves"))
}, run).pipe(Command.run({ version: "1" }), Effect.provide(PlatformLayer), NodeRuntime.runMain)
