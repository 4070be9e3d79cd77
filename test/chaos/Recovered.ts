import { Effect, Fiber, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Events } from "../../src/events/Events.ts"
import { ask } from "../harness/Turma.ts"
import type { Dice } from "../simulation/Dice.ts"
import { at, foundClub } from "./Clubs.ts"
import type { Accepted } from "./Load.ts"
import { retried } from "./Retried.ts"
import type { Stand } from "./Stand.ts"

const Job = Schema.Struct({
  id: Schema.String,
  status: Schema.String,
  moved: Schema.Int,
  ended: Schema.Int,
  waiting: Schema.Int
})
const Attempted = Schema.Struct({ id: Schema.String, sent: Schema.Int })

/** A club with one endpoint. Its queue is canceled again and again, and a job recovers it. */
export const openRecovered = (stand: Stand, api: string) =>
  foundClub({ stand, api }, "recovered", [["student.created"]])
type Recovered = Effect.Success<ReturnType<typeof openRecovered>>

interface Options {
  readonly api: string
  readonly club: Recovered
  readonly dice: Dice
  readonly accepted: Array<Accepted>
}

/** Number of facts that wait together. */
const slice = 12

/** Most recoveries at the end. The receiver accepts everything by then, so the first moves all deliveries. */
const mostInTheEnd = 10

/** Cancels the queue and recovers it, for as long as it runs. Requests without confirmation are repeated. */
export const recoverAgain = ({ accepted, api, club, dice }: Options) => {
  const counts = { recoveries: 0, drains: 0 }
  let latest: string | undefined
  const [endpoint] = club.endpoints
  const path = `${api}${club.base}/webhook-endpoints/${endpoint?.id}`

  // An interrupted request still takes effect, and could do so after the last one. So each caller waits for the answer.
  const call = (method: string, url: string, body?: object) =>
    retried(Effect.suspend(() =>
      ask(url, {
        method,
        headers: {
          authorization: `Bearer ${club.token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" })
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
    )).pipe(Effect.interruptible, Effect.forkDetach, Effect.flatMap(Fiber.join), Effect.uninterruptible)

  const set = (status: string) => call("PATCH", path, { status })

  const busy = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql`select 1 from event_outbox where club_id = ${club.id} limit 1`
    return rows.length > 0
  }).pipe(Effect.catchCause(() => Effect.succeed(true)))

  const record = Effect.gen(function*() {
    const events = yield* Events
    const facts = Array.from({ length: slice }, () => ({
      type: "student.created" as const,
      student_id: club.student_id,
      origin: "registration_link" as const
    }))
    const ids = yield* events.recordAll(club.id, facts)
    for (const event of ids) accepted.push({ event, paths: [endpoint?.path ?? ""] })
  }).pipe(Effect.catchCause(() => Effect.sleep("200 millis")))

  /** Recovers failed and canceled deliveries until no such one remains: a receiver may refuse them meanwhile. */
  const recover = Effect.gen(function*() {
    const since = new Date(Date.now() - 3_600_000).toISOString()
    const body = { since, start: true, ...(dice.chance(0.5) ? { rate: 20 } : {}) }
    const made = yield* call("POST", `${path}/recoveries`, body)
    // A recovery that was not confirmed may be under way.
    if (made.status !== 201) return yield* Effect.sleep("200 millis")
    counts.recoveries += 1
    const own = `${path}/recoveries/${String(at(made.json, "data", "id"))}`
    latest = own
    if (dice.chance(0.3)) {
      yield* call("PATCH", own, { status: "paused" })
      yield* Effect.sleep(dice.between(0, 500))
      yield* call("PATCH", own, { status: dice.chance(0.3) ? "canceled" : "running" })
    }
    yield* call("GET", own).pipe(
      Effect.delay("100 millis"),
      Effect.repeat({ until: ({ json }) => ["completed", "canceled"].includes(String(at(json, "data", "status"))) })
    )
  })

  const isPending = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql`
      select 1 from webhook_deliveries where club_id = ${club.id} and status = 'pending' limit 1`
    return rows.length > 0
  })

  /** True if a delivery failed or was canceled. An attempt under way may still fail, so this waits for its end. */
  const left = Effect.gen(function*() {
    yield* busy.pipe(Effect.delay("50 millis"), Effect.repeat({ until: (isBusy) => !isBusy }))
    yield* isPending.pipe(Effect.delay("50 millis"), Effect.repeat({ until: (isOpen) => !isOpen }))
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql`
      select 1 from webhook_deliveries where club_id = ${club.id} and status in ('failed', 'canceled') limit 1`
    return rows.length > 0
  }).pipe(Effect.orDie)

  /** Sends the queue at a rate, for a moment. */
  const drain = Effect.gen(function*() {
    const made = yield* call("PATCH", path, { status: "enabled", drain_rate: 20 })
    if (made.status === 200) counts.drains += 1
    yield* Effect.sleep(dice.between(0, 600))
  })

  const once = Effect.gen(function*() {
    yield* set("paused")
    yield* record
    yield* busy.pipe(Effect.delay("50 millis"), Effect.repeat({ until: (isBusy) => !isBusy }))
    if (counts.drains === 0 || dice.chance(0.5)) yield* drain
    yield* set("disabled")
    yield* set("enabled")
    yield* recover
  })

  return {
    counts,
    run: Effect.forever(once),
    /** Recovers the remaining deliveries, as far as possible. Call it when all is well. */
    end: Effect.gen(function*() {
      yield* set("enabled")
      if (latest !== undefined) yield* call("PATCH", latest, { status: "running" })
      const enough = counts.recoveries + mostInTheEnd
      while (counts.recoveries < enough && (yield* left)) yield* recover
    })
  }
}

/**
 * Jobs that did not end or have wrong counts, deliveries that were sent more often than moved, and deliveries that no
 * job moved.
 */
export const misrecovered = Effect.fnUntraced(function*({ id: club_id }: Recovered) {
  const sql = yield* SqlClient.SqlClient
  const jobs = yield* sql`
    select r.id, r.status, r.moved, r.succeeded + r.failed + r.canceled as ended, (
      select count(*)::int from webhook_recovery_moves m where m.club_id = r.club_id and m.recovery_id = r.id
    ) as waiting
    from webhook_recoveries r where r.club_id = ${club_id}`
    .pipe(Effect.flatMap(Schema.decodeUnknownEffect(Schema.Array(Job))))
  const attempted = yield* sql`
    select d.id, count(a.id)::int as sent from webhook_deliveries d
    join webhook_attempts a on a.club_id = d.club_id and a.delivery_id = d.id and a.trigger = 'recover'
    where d.club_id = ${club_id} group by d.id`
    .pipe(Effect.flatMap(Schema.decodeUnknownEffect(Schema.Array(Attempted))))
  const unmoved = yield* sql`
    select id from webhook_deliveries where club_id = ${club_id} and status in ('failed', 'canceled')`
  const sent = attempted.reduce((sum, one) => sum + one.sent, 0)
  const moved = jobs.reduce((sum, one) => sum + one.moved, 0)
  return [
    ...jobs.filter(({ ended, moved, status, waiting }) =>
      (status !== "completed" && status !== "canceled") || ended !== moved || waiting !== 0
    ).map((job) => JSON.stringify(job)),
    ...unmoved.map(({ id }) => `${String(id)} was not recovered`),
    ...sent > moved ? [`${sent} attempts of ${moved} deliveries that were moved`] : []
  ]
}, Effect.orDie)
