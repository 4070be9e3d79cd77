// npm run bench:webhooks:recoveries: the cost of a large recovery: memory, other clubs' time, time to cancel.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, DateTime, Effect, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import { readFileSync } from "node:fs"
import { UserId } from "../../../src/identity/ids/UserId.ts"
import { Recoveries } from "../../../src/webhooks/history/recovery/Recoveries.ts"
import type { RecoveryId, WebhookRecovery } from "../../../src/webhooks/history/recovery/Recovery.ts"
import { PlatformLayer } from "../platformLayer.ts"
import { sized } from "../sized.ts"
import { type BenchClub, ensurePartitions, exampleBody, makeBenchClub } from "./Clubs.ts"
import { firstAttempts } from "./firstAttempts.ts"
import { driverLayer, makeStand, type Stand, startWorker } from "./Stand.ts"
import { median, met, percentile, spaced, table } from "./tables.ts"
import { preciseNow } from "./trickle.ts"

const others = sized(20, 2)
const round = firstAttempts({ perSecond: 50, seconds: sized(5, 0.2) })

/** The most that others' wait may grow, milliseconds that a canceled recovery may still send, and MB of its worker. */
const aims = { ratio: 1.2, cancel: 1000, memory: 64 }

const insertedAtOnce = 100_000

/** This many deliveries that failed a moment ago, with their messages. */
const fillFailed = Effect.fn("fillFailed")(function*({ club_id, endpoints, student_id }: BenchClub, count: number) {
  const sql = yield* SqlClient.SqlClient
  const body = Buffer.from(yield* exampleBody)
  yield* ensurePartitions
  for (let made = 0; made < count; made += insertedAtOnce) {
    const now = DateTime.toDateUtc(yield* DateTime.now)
    yield* sql`
      with new as materialized (
        select uuidv7() as event_id from generate_series(1, ${Math.min(insertedAtOnce, count - made)}::int)
      ), written as (
        insert into webhook_messages (club_id, id, type, student_id, occurred_at, created_at, body)
        select ${club_id}::uuid, event_id, 'student.created', ${student_id}::uuid, ${now}::timestamptz,
          ${now}::timestamptz, ${body}::bytea
        from new
      )
      insert into webhook_deliveries (
        club_id, endpoint_id, id, event_id, event_type, student_id, status, trigger, rung, attempts_count, created_at,
        finished_at
      )
      select ${club_id}::uuid, (${endpoints}::uuid[])[1], uuidv7(), event_id, 'student.created', ${student_id}::uuid,
        'failed', 'schedule', 8, 8, ${now}::timestamptz, ${now}::timestamptz
      from new`
  }
  yield* sql`vacuum (analyze) webhook_messages`
  yield* sql`vacuum (analyze) webhook_deliveries`
  yield* sql`checkpoint`
}, Effect.orDie)

/** Megabytes that a process has in memory. */
const residentOf = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

/** Looks at the memory again and again until the scope closes, and answers the first and the highest value. */
const watchMemory = Effect.fn("watchMemory")(function*(pid: number) {
  const seen = { first: residentOf(pid), most: residentOf(pid) }
  yield* Effect.forkScoped(Effect.sync(() => {
    seen.most = Math.max(seen.most, residentOf(pid))
  }).pipe(Effect.delay("250 millis"), Effect.forever))
  return seen
})

const someone = { id: UserId.make("019d4860-d9c0-7f21-8b6c-0d1e2f3a4b5c") }

const counted = Schema.Tuple([Schema.Struct({ attempts: Schema.Int, deliveries: Schema.Int, pending: Schema.Int })])

const attemptsOf = Effect.fn("attemptsOf")(function*({ club_id }: BenchClub) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* Schema.decodeUnknownEffect(counted)(yield* sql`
      select count(*)::int as attempts, count(distinct delivery_id)::int as deliveries,
        (select count(*)::int from webhook_deliveries where club_id = ${club_id} and status = 'pending') as pending
      from webhook_attempts where club_id = ${club_id} and trigger = 'recover'`)
  return row
}, Effect.orDie)

const measure = Effect.fn("measure")(function*(
  stand: Stand,
  { count, rate, rounds }: { readonly count: number; readonly rate: number; readonly rounds: number }
) {
  const { receivers, secret } = stand
  const [url = ""] = receivers.prompt
  const club = yield* makeBenchClub([url], { secret })
  const [endpoint_id] = club.endpoints
  if (endpoint_id === undefined) return yield* Effect.die(new Error("No endpoint"))
  const clubs = yield* Effect.forEach(
    Array.from({ length: others }, (_, index) => receivers.prompt[index % receivers.prompt.length] ?? ""),
    (url) => makeBenchClub([url], { secret })
  )
  yield* fillFailed(club, count)
  const recoveries = yield* Recoveries
  const read = (id: RecoveryId) => Effect.orDie(recoveries.get(club.club_id, endpoint_id, id))
  const change = (id: RecoveryId, to: "running" | "paused" | "canceled", rate?: number | null) =>
    Effect.orDie(recoveries.patch(
      club.club_id,
      endpoint_id,
      id,
      rate === undefined ? { status: to } : { status: to, rate }
    ))
  const create = Effect.gen(function*() {
    const since = DateTime.subtract(yield* DateTime.now, { hours: 1 })
    const maker = { user: someone, club: { id: club.club_id, time_zone: "UTC" } }
    return yield* Effect.orDie(recoveries.create(maker, endpoint_id, { since, order: "oldest", start: false }))
  })
  const until = (id: RecoveryId, is: (recovery: WebhookRecovery) => boolean) =>
    Effect.repeat(Effect.delay(read(id), "50 millis"), { until: is })

  const worker = yield* startWorker(stand)
  yield* round(stand, clubs)
  const memory = yield* watchMemory(worker.pid)

  const asked = preciseNow()
  const first = yield* create
  const answered = preciseNow() - asked
  const { preview } = yield* until(first.id, ({ status }) => status === "previewed")
  yield* Console
    .log(`${spaced(preview.total)} to send; asked for in ${answered.toFixed(0)} ms, counted after ${
      ((preciseNow() - asked) / 1000).toFixed(1)
    } s\n`)

  const [alone, beside]: [Array<number>, Array<number>] = [[], []]
  for (let number = 0; number < rounds; number++) {
    alone.push(...yield* round(stand, clubs))
    yield* change(first.id, "running", rate)
    beside.push(...yield* round(stand, clubs))
    yield* change(first.id, "paused")
    yield* until(first.id, ({ progress }) => progress.waiting === 0)
  }
  yield* Console.log(table([`${others} other clubs, 50 deliveries/s: ms from due to received`, "p50", "p99"], [
    ["without a recovery", ...[0.5, 0.99].map((share) => percentile(alone, share).toFixed(1))],
    [`beside one of ${rate}/s`, ...[0.5, 0.99].map((share) => percentile(beside, share).toFixed(1))]
  ]))
  const ratio = median(beside) / median(alone)
  yield* Console
    .log(`\nMedian with to without: ${ratio.toFixed(2)} ×, aim ≤ ${aims.ratio}: ${met(ratio <= aims.ratio)}`)

  yield* change(first.id, "running", null)
  yield* Effect.sleep(sized(3_000, 100))
  yield* receivers.note
  const canceled = preciseNow()
  yield* change(first.id, "canceled")
  const after = preciseNow() - canceled
  const ended = yield* until(first.id, ({ progress }) => progress.waiting === 0)
  const last = (yield* receivers.arrivals).reduce((latest, [, at]) => Math.max(latest, at), canceled) - canceled
  yield* Console
    .log(`Canceled at full speed: answered after ${after.toFixed(0)} ms, last attempt after ${
      last.toFixed(0)
    } ms, aim ≤ ${aims.cancel}: ${met(last <= aims.cancel)}; ${spaced(ended.progress.moved)} moved, ${
      spaced(ended.progress.remaining)
    } not`)

  const second = yield* create
  yield* until(second.id, ({ status }) => status === "previewed")
  const begun = preciseNow()
  yield* change(second.id, "running")
  const done = yield* until(second.id, ({ status }) => status === "completed")
  const seconds = (preciseNow() - begun) / 1000
  const { attempts, deliveries, pending } = yield* attemptsOf(club)
  const sums = [ended.progress, done.progress]
  const moved = sums.reduce((sum, progress) => sum + progress.moved, 0)
  const sent = sums.reduce((sum, progress) => sum + progress.succeeded + progress.failed, 0)
  yield* Console
    .log(`The rest as fast as it goes: ${spaced(done.progress.moved)} in ${seconds.toFixed(0)} s, ${
      (done.progress.moved / seconds).toFixed(0)
    }/s\nMoved ${spaced(moved)}, ended ${spaced(sent)}; attempts ${spaced(attempts)} of ${
      spaced(deliveries)
    } deliveries, ${pending} pending: ${
      met([moved, sent, attempts, deliveries].every((one) => one === count) && pending === 0)
    }\nThe worker's memory: ${memory.first.toFixed(0)} MB before, ${
      memory.most.toFixed(0)
    } MB at most, aim ≤ ${aims.memory} MB more: ${met(memory.most - memory.first <= aims.memory)}`)
}, Effect.scoped)

const run = Effect.fn("run")(function*(options: {
  readonly count: number
  readonly rate: number
  readonly rounds: number
}) {
  const stand = yield* makeStand()
  yield* Effect.provide(measure(stand, options), driverLayer(stand))
}, Effect.scoped)

Command.make("bench:webhooks:recoveries", {
  count: Flag.Int("count").pipe(
    Flag.withDefault(sized(1_000_000, 2_000)),
    Flag.withDescription("Deliveries that failed")
  ),
  rate: Flag.Int("rate").pipe(Flag.withDefault(200), Flag.withDescription("A second, beside others")),
  rounds: Flag.Int("rounds").pipe(Flag.withDefault(sized(3, 1)), Flag.withDescription("Rounds of each"))
}, run).pipe(Command.run({ version: "1" }), Effect.provide(PlatformLayer), NodeRuntime.runMain)
