// npm run bench:webhooks:fanout: shows if the assembly keeps up with 1 000 events a second to 20 endpoints each.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, DateTime, Effect, Fiber, Layer, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import { Events } from "../../../src/events/Events.ts"
import type { Fact } from "../../../src/events/Fact.ts"
import { Outbox } from "../../../src/events/Outbox.ts"
import { PlatformLayer } from "../platformLayer.ts"
import { sized } from "../sized.ts"
import { cpuMillis } from "./Child.ts"
import { type BenchClub, ensurePartitions, makeBenchClub } from "./Clubs.ts"
import { driverLayer, makeStand, type Stand, startWorker } from "./Stand.ts"
import { spaced, table } from "./tables.ts"
import { atRate } from "./trickle.ts"

/** Events that one statement records, as an import does. */
const together = 10

const decodeCount = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Schema.Int })]))

const assembledCount = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [{ count }] = yield* Effect.flatMap(sql`select count(*)::int as count from webhook_deliveries`, decodeCount)
  return count
}).pipe(Effect.orDie)

/** How long the oldest due event has waited, in milliseconds. */
const lag = Effect.gen(function*() {
  const { oldestDue } = yield* Outbox
  const oldest = yield* oldestDue
  const now = DateTime.toEpochMillis(yield* DateTime.now)
  return Option.match(oldest, { onNone: () => 0, onSome: (at) => now - DateTime.toEpochMillis(at) })
})

interface Options {
  readonly perSecond: number
  readonly seconds: number
}

/** The delay before an event is due, in milliseconds. */
const delay = 2000

/** Milliseconds from the first event until the last one is recorded, and until the last one is assembled. */
const recordAndAwait = Effect.fn("recordAndAwait")(function*(club: BenchClub, { perSecond, seconds }: Options) {
  const events = yield* Events
  const fact: Fact = { type: "student.created", student_id: club.student_id, origin: "import" }
  const facts = Array.from({ length: together }, () => fact)
  const started = performance.now()
  yield* atRate(events.recordAll(club.club_id, facts), { perSecond: perSecond / together, seconds })
  const recorded = performance.now() - started
  const wanted = perSecond * seconds * club.endpoints.length
  yield* Effect.sleep("100 millis").pipe(
    Effect.andThen(assembledCount),
    Effect.repeat({ until: (count) => count >= wanted, times: 1200 })
  )
  return { recorded, assembled: performance.now() - started }
})

const compare = Effect.fn("compare")(function*(stand: Stand, options: Options) {
  const { postmaster, receivers: { prompt }, secret } = stand
  // Paused endpoints get deliveries like any other. Sending would be another measurement.
  const club = yield* makeBenchClub(prompt, { secret, status: "paused" })
  yield* ensurePartitions
  const worker = yield* startWorker(stand)
  const cpu = Effect.all([cpuMillis(worker.pid), cpuMillis(postmaster)])
  const before = yield* cpu
  const lags: Array<number> = []
  const watch = Effect.andThen(Effect.map(lag, (now) => lags.push(now)), Effect.sleep("250 millis"))
  const watching = yield* Effect.forkChild(Effect.forever(watch))
  const { assembled, recorded } = yield* recordAndAwait(club, options)
  yield* Fiber.interrupt(watching)
  const after = yield* cpu
  const count = options.perSecond * options.seconds
  const perSecond = count / (assembled - delay) * 1000
  yield* Console.log(table(["1 event to 20 endpoints", ""], [
    ["recorded, events/s", spaced(Math.round(count / recorded * 1000))],
    ["assembled, events/s", spaced(Math.round(perSecond))],
    ["deliveries written, per s", spaced(Math.round(perSecond * prompt.length))],
    ["longest wait of an event that was due, ms", spaced(Math.max(...lags))],
    ["all assembled after the last was due, ms", spaced(Math.max(0, Math.round(assembled - recorded - delay)))],
    ["CPU ms of the worker, per event", ((after[0] - before[0]) / count).toFixed(2)],
    ["CPU ms of PostgreSQL, per event", ((after[1] - before[1]) / count).toFixed(2)]
  ]))
})

const run = Effect.fn("run")(function*(options: Options) {
  const stand = yield* makeStand()
  yield* Effect.provide(compare(stand, options), Outbox.layer.pipe(Layer.provideMerge(driverLayer(stand))))
}, Effect.scoped)

Command.make("bench:webhooks:fanout", {
  perSecond: Flag.Int("rate").pipe(
    Flag.withDefault(sized(1000, 100)),
    Flag.withDescription("Events recorded in a second")
  ),
  seconds: Flag.Finite("seconds").pipe(
    Flag.withDefault(sized(10, 0.2)),
    Flag.withDescription("For how long they are recorded")
  )
}, run).pipe(Command.run({ version: "1" }), Effect.provide(PlatformLayer), NodeRuntime.runMain)
