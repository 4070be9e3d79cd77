// npm run bench:webhooks:fairness: the cost for other clubs of 20 tarpits with 100 000 waiting deliveries.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, DateTime, Effect, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import { LaneChanges } from "../../../src/webhooks/engine/lane/LaneChanges.ts"
import { PlatformLayer } from "../platformLayer.ts"
import { sized } from "../sized.ts"
import { type BenchClub, exampleBody, fillPending, makeBenchClub } from "./Clubs.ts"
import { firstAttempts } from "./firstAttempts.ts"
import { driverLayer, makeStand, type Stand, startWorker } from "./Stand.ts"
import { median, met, percentile, spaced, table } from "./tables.ts"

const others = sized(99, 5)
const backlog = sized(100_000, 500)
const aim = 1.5

/** The deadline of an attempt, in seconds. */
const deadline = sized(15, 1)

/** Rounds are shorter than the deadline, so that the tarpits keep all their slots for the whole round. */
const rate = { perSecond: 100, seconds: sized(10, 0.2) }

const round = firstAttempts(rate)

/** Enables or pauses the endpoints of a club, as its administrator does. */
const setEnabled = Effect.fn("setEnabled")(function*({ club_id, endpoints }: BenchClub, enabled: boolean) {
  const sql = yield* SqlClient.SqlClient
  const lanes = yield* LaneChanges
  const now = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql`
      update webhook_endpoints set status = ${enabled ? "enabled" : "paused"}, updated_at = ${now}
      where club_id = ${club_id}`
    yield* Effect.forEach(endpoints, (endpoint_id) => lanes[enabled ? "enable" : "suspend"]({ club_id, endpoint_id }))
  }))
}, Effect.orDie)

const decodeHeld = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ held: Schema.Int })]))

/** Lanes of the club that workers lease now. */
const leasedLanes = Effect.fn("leasedLanes")(function*({ club_id }: BenchClub) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    select count(*)::int as held from webhook_lanes where club_id = ${club_id} and lease_id is not null`
  const [{ held }] = yield* decodeHeld(rows)
  return held
}, Effect.orDie)

/** Ends once the club has no leased lane. Attempts that hang end with their deadline. */
const untilReleased = (club: BenchClub) =>
  Effect.sleep("100 millis").pipe(
    Effect.andThen(leasedLanes(club)),
    Effect.repeat({ until: (held) => held === 0, times: 200 })
  )

interface Times {
  readonly all: Array<number>
  readonly p99s: Array<number>
}

const rowOf = (
  name: string,
  { all, p99s }: Times
) => [name, ...[percentile(all, 0.5), percentile(all, 0.99), median(p99s)].map((time) => time.toFixed(1))]

const compare = Effect.fn("compare")(function*(stand: Stand, rounds: number) {
  const { receivers: { prompt, tarpits }, secret } = stand
  const slow = yield* makeBenchClub(tarpits, { secret, status: "paused" })
  const urls = Array.from({ length: others }, (_, index) => prompt[index % prompt.length] ?? "")
  const clubs = yield* Effect.forEach(urls, (url) => makeBenchClub([url], { secret }))
  yield* fillPending(slow, backlog, yield* exampleBody)
  yield* startWorker(stand, { env: { WEBHOOK_ATTEMPT_TIMEOUT: `${deadline} seconds` } })
  yield* round(stand, clubs)
  const alone: Times = { all: [], p99s: [] }
  const beside: Times = { all: [], p99s: [] }
  for (let count = 0; count < rounds; count++) {
    for (const times of count % 2 === 0 ? [alone, beside] : [beside, alone]) {
      yield* setEnabled(slow, times === beside)
      const measured = yield* round(stand, clubs)
      times.all.push(...measured)
      times.p99s.push(percentile(measured, 0.99))
      yield* setEnabled(slow, false)
      yield* untilReleased(slow)
    }
  }
  const ratio = median(beside.p99s) / median(alone.p99s)
  yield* Console
    .log(`${others} clubs, ${rate.perSecond} deliveries/s in all; tarpits: 20 endpoints of one club, ${
      spaced(backlog)
    } pending. ms from due to received.\n`)
  yield* Console.log(table(["", "p50", "p99 of all", "median of the rounds' p99"], [
    rowOf("without tarpits", alone),
    rowOf("with tarpits", beside)
  ]))
  yield* Console.log(`\np99 with to without: ${ratio.toFixed(2)} ×, aim ≤ ${aim}: ${met(ratio <= aim)}`)
})

const run = Effect.fn("run")(function*({ rounds }: { readonly rounds: number }) {
  const stand = yield* makeStand()
  yield* Effect.provide(compare(stand, rounds), driverLayer(stand))
}, Effect.scoped)

Command.make("bench:webhooks:fairness", {
  rounds: Flag.Int("rounds").pipe(Flag.withDefault(sized(3, 1)), Flag.withDescription("Rounds of each"))
}, run).pipe(Command.run({ version: "1" }), Effect.provide(PlatformLayer), NodeRuntime.runMain)
