// npm run chaos [-- --seconds 60] [--seed 1]: nothing is lost although real workers are killed and their clocks jump.
// PostgreSQL and Redis go away, an embedded PostgreSQL is killed, a disk is full, and uploads are slow.
import { NodeRuntime } from "@effect/platform-node"
import { Clock, Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { activityRules, leftRule } from "./ActivityRules.ts"
import { crowdedDisk, diskRules, slowUploads } from "./CrowdedDisk.ts"
import { embeddedKills, mostAway } from "./EmbeddedKills.ts"
import { recovery } from "./Recovery.ts"
import { conclusionOf, type Rule, verdictOf } from "./Rules.ts"
import { chaos, type Outcome } from "./Run.ts"
import { driverLayer, makeStand, PlatformLayer, startStandApi } from "./Stand.ts"

/** Milliseconds from an answer to its recorded result at most: a kill after that loses nothing. */
const recording = 1000

/** In seconds. The service's own is 30. */
const lease = 3

/** Seconds that the contract allows beyond the lease. */
const allowance = 2

const figures = (outcome: Outcome) => {
  const [accepted, refused, none] = outcome.answered
  return `
Accepted: ${outcome.facts} facts recorded, ${outcome.tests} tests answered with 202 (${outcome.testsWithoutRedis} of them without Redis); ${outcome.unconfirmed} not confirmed
Workers: ${outcome.kills} killed, ${outcome.starts} started; a clock jumped ${outcome.clockJumps} times; PostgreSQL was away for ${
    outcome.outage.join(", ")
  } ms
Sold: ${outcome.sales} sales in ${outcome.hookPosts} POSTs, ${outcome.hookDuplicates} answered as duplicates, ${outcome.hookUnconfirmed} not confirmed; ${outcome.purchases} purchases; inbound events ${
    outcome.inbound.map(({ count, outcome }) => `${count} ${outcome}`).join(", ")
  }
Imported: ${outcome.imports} lists, ${outcome.importsUnconfirmed} not confirmed; ${outcome.students} students; the API was killed ${outcome.apiKills} times
Studied: ${outcome.completed} lessons completed, ${outcome.said} comments, ${outcome.asked} questions, ${outcome.uploaded} uploads; ${outcome.studyUnconfirmed} requests not confirmed
Recovered: ${outcome.recoveries} recoveries, ${outcome.drains} drains; ${outcome.feedPages} pages of a feed, ${outcome.feedWaits} of them waited for, ${outcome.feedCrashes} read again; ${outcome.played} facts to an inbox; ${outcome.gradings} gradings
Received: ${outcome.posts} POSTs: ${accepted} answered with 200, ${refused} with 500, ${none} not answered
Recorded: ${outcome.deliveries} deliveries, ${outcome.attempts} attempts
Settled ${(outcome.settling / 1000).toFixed(1)} s after the last kill
Duplicates: ${outcome.duplicates}: ${outcome.ofKills} of ${outcome.inFlightAtKills} in flight at a kill, ${outcome.ofOutages} of ${outcome.inFlightAtOutages} in flight while PostgreSQL was away`
}

/** All rules, each with the cases that break it. */
const rules = (outcome: Outcome): ReadonlyArray<Rule> => [
  ...activityRules(outcome),
  leftRule(outcome.left),
  ["No process ended by itself", outcome.ends],
  ["The API ends cleanly", outcome.api.code === 0 && outcome.api.stderr === "" ? [] : [JSON.stringify(outcome.api)]]
]

/** Prints the result of each rule. */
const told = (rules: ReadonlyArray<Rule>) =>
  Effect.as(Effect.forEach(rules, (rule) => Console.log(verdictOf(rule)), { discard: true }), rules)

/** Judges the kills of an embedded database by their rules. */
const judgeEmbedded = Effect.gen(function*() {
  const { away, confirmed, ends, lost, tried } = yield* embeddedKills(3)
  const rules: ReadonlyArray<Rule> = [
    ["Everybody who was added while the embedded PostgreSQL was killed is there", lost],
    ["Its API and its worker live on", ends],
    [`It serves again within ${mostAway} ms`, away.filter((millis) => millis > mostAway).map(String)]
  ]
  yield* Console
    .log(`\nEmbedded PostgreSQL: away for ${away.join(", ")} ms; ${confirmed} of ${tried} students confirmed`)
  return yield* told(rules)
})

/** Judges a full disk and slow uploads by their rules. */
const judgeDisk = Effect.gen(function*() {
  const crowded = yield* crowdedDisk({ long: true })
  const { ended, refused, stored, unmounted } = crowded
  const disk = unmounted === undefined ? `full after ${stored} files, ${refused} refused` : `not tried: ${unmounted}`
  yield* Console.log(`\nA disk of 48 MiB: ${disk}; ${ended} of ${slowUploads} slow uploads ended by the service`)
  return yield* told(diskRules(crowded))
})

const run = Effect.fn("run")(
  function*({ seconds, seed: given }: { readonly seconds: number; readonly seed: Option.Option<number> }) {
    const seed = Option.getOrElse(given, () => 0) || ((yield* Clock.currentTimeMillis) % 1_000_000)
    yield* Console
      .log(`Chaos for ${seconds} s with seed ${seed}: 3 workers; one is killed every second or two`)
    const stand = yield* makeStand({ seed, lease })
    const judged = yield* Effect.gen(function*() {
      const outcome = yield* chaos(stand, { seconds, seed, recording, leastKills: Math.floor(seconds / 2) })
      yield* Console.log(figures(outcome))
      const judged = yield* told(rules(outcome))
      const { url } = yield* startStandApi(stand)
      const waited = (yield* recovery(stand, url)) / 1000
      yield* Console.log(`\nRecovery: ${waited.toFixed(2)} s from the kill of a lane's worker to its next attempt; ` +
        `lease ${lease} s, aim ≤ ${lease + allowance} s: ${waited <= lease + allowance ? "met" : "MISSED"}`)
      return judged
    }).pipe(Effect.provide(driverLayer(stand)))
    // It uses its own database, so it runs outside the layer that holds the other's services.
    const { broken, text } = conclusionOf([...judged, ...(yield* judgeEmbedded), ...(yield* judgeDisk)])
    yield* Console.log(`\n${text}`)
    if (broken > 0) return yield* Effect.die(new Error(`${text}; seed ${seed}`))
  },
  Effect.scoped
)

Command.make("chaos", {
  seconds: Flag.Int("seconds").pipe(Flag.withDefault(60), Flag.withDescription("How long workers are killed")),
  seed: Flag.Int("seed").pipe(Flag.optional, Flag.withDescription("Repeats a choice of victims and answers"))
}, run).pipe(Command.run({ version: "1" }), Effect.provide(PlatformLayer), NodeRuntime.runMain)
