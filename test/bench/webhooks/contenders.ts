import { Queue } from "bullmq"
import { Effect, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { makeWorkerUtils } from "graphile-worker"
import { randomUUIDv7 } from "node:crypto"
import { Events } from "../../../src/events/Events.ts"
import { type Child, startChild } from "./Child.ts"
import { type BenchClub, fillPending, untilIdle, wakeAll } from "./Clubs.ts"
import { type Job, tables } from "./jobs.ts"
import { type Stand, startWorker } from "./Stand.ts"

/** A sender of webhooks in its own process. */
export interface Contender {
  readonly name: string
  readonly child: Child
  /** Prepares this many deliveries without sending any. */
  readonly fill: (count: number) => Effect.Effect<void>
  /** Sends the prepared deliveries. Ends once each is sent and recorded. */
  readonly drain: (count: number) => Effect.Effect<void>
  /** Runs an effect while the contender sends added deliveries at once. */
  readonly whileOpen: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Makes one delivery and answers its webhook-id. */
  readonly add: Effect.Effect<string>
}

/** The parts that contenders need. */
export interface Place {
  readonly stand: Stand
  readonly redis: string
  readonly body: string
  /** Its endpoints receive the drained deliveries. */
  readonly club: BenchClub
  /** Clubs with one endpoint each, for deliveries that are added one by one. */
  readonly others: ReadonlyArray<BenchClub>
  /** The address of the database for the process. */
  readonly database: Redacted.Redacted
  readonly profile: string | undefined
}

const settingsOf = ({ body, database, redis, stand }: Place) => ({
  BODY: body,
  CA_FILE: stand.caFile,
  DATABASE_URL: Redacted.value(database),
  REDIS_URL: redis,
  SECRET: stand.secret.toString("base64"),
  URLS: JSON.stringify(stand.receivers.prompt)
})

const startOther = Effect.fn("startOther")(function*(entry: string, place: Place) {
  const child = yield* startChild({ args: [`test/bench/webhooks/${entry}.ts`], env: settingsOf(place) })
  yield* child.until("ready")
  return child
})

/** (a) Signs and posts, as fast as undici can. */
export const ceiling = Effect.fn("ceiling")(function*(place: Place) {
  const child = yield* startOther("ceiling", place)
  return {
    name: "bare undici",
    child,
    fill: () => Effect.void,
    drain: (count) => child.ask({ do: "send", count }, Schema.Null),
    whileOpen: (effect) => effect,
    add: Effect.die(new Error("Nothing is added to a loop"))
  } satisfies Contender
})

/** (b) Turma's worker. A single delivery starts as a recorded event, and the assembly makes its message. */
export const turma = Effect.fn("turma")(function*({ body, club, database, others, profile, stand }: Place) {
  const events = yield* Events
  const context = yield* Effect.context<
    Effect.Services<ReturnType<typeof fillPending>> | Effect.Services<ReturnType<typeof wakeAll>>
  >()
  const child = yield* startWorker(stand, { database, profile })
  let added = 0
  return {
    name: "Turma",
    child,
    fill: (count) => Effect.provideContext(fillPending(club, count, body), context),
    drain: () => Effect.provideContext(Effect.andThen(wakeAll(club), untilIdle(club)), context),
    whileOpen: (effect) => effect,
    add: Effect.suspend(() => {
      const other = others[added++ % others.length] ?? club
      return events.record(other.club_id, {
        type: "student.created",
        student_id: other.student_id,
        origin: "registration_link"
      })
    })
  } satisfies Contender
})

/** Jobs added in one call. */
const chunk = 1000

/** A contender on one of these queues, with its tables in its own schema. */
const queued = Effect.fn("queued")(function*(
  { entry, name }: { readonly entry: "bullmq" | "graphile"; readonly name: string },
  place: Place,
  addAll: (jobs: ReadonlyArray<Job>) => Promise<unknown>
) {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(tables(entry), (statement) => sql.unsafe(statement))
  const child = yield* startOther(entry, place)
  const urls = place.stand.receivers.prompt
  let added = 0
  let total = 0

  const add = Effect.fnUntraced(function*(count: number) {
    const jobs = Array.from({ length: count }, () => ({
      delivery_id: randomUUIDv7(),
      event_id: randomUUIDv7(),
      url: urls[added++ % urls.length] ?? "",
      body: place.body
    }))
    yield* sql`
        insert into ${sql(entry)}.deliveries (id, event_id, url, status, created_at)
        select id, event_id, url, 'pending', clock_timestamp()
        from unnest(
          ${jobs.map(({ delivery_id }) => delivery_id)}::uuid[], ${jobs.map(({ event_id }) => event_id)}::uuid[],
          ${jobs.map(({ url }) => url)}::text[]
        ) as new (id, event_id, url)`
    yield* Effect.promise(() => addAll(jobs))
    return jobs
  }, Effect.orDie)

  const fill = Effect.fnUntraced(function*(count: number) {
    for (let left = count; left > 0; left -= chunk) yield* add(Math.min(left, chunk))
    yield* Effect.forEach(["deliveries", "attempts"], (table) => sql`vacuum (analyze) ${sql(entry)}.${sql(table)}`)
    yield* sql`checkpoint`
  }, Effect.orDie)

  const run = child.ask({ do: "run" }, Schema.Null)
  const stop = child.ask({ do: "stop" }, Schema.Null)
  const contender: Contender = {
    name,
    child,
    fill,
    drain: (count) =>
      Effect.suspend(() => {
        total += count
        return Effect.andThen(run, child.ask({ do: "reach", count: total }, Schema.Null)).pipe(Effect.andThen(stop))
      }),
    whileOpen: (effect) => Effect.ensuring(Effect.andThen(run, effect), stop),
    add: Effect.map(add(1), ([job]) => {
      total += 1
      return job?.event_id ?? ""
    })
  }
  return contender
})

/** (c) BullMQ. Its Redis keeps nothing on disk. */
export const bullmq = Effect.fn("bullmq")(function*(place: Place) {
  const { hostname, port } = new URL(place.redis)
  const queue = yield* Effect.acquireRelease(
    Effect.sync(() => new Queue<Job>("webhooks", { connection: { host: hostname, port: Number(port) } })),
    (queue) => Effect.promise(() => queue.close())
  )
  const opts = { attempts: 8, backoff: { type: "exponential", delay: 5000 }, removeOnComplete: true }
  return yield* queued(
    { entry: "bullmq", name: "BullMQ" },
    place,
    (jobs) => queue.addBulk(jobs.map((data) => ({ name: "deliver", data, opts })))
  )
})

/** (d) graphile-worker. */
export const graphile = Effect.fn("graphile")(function*(place: Place) {
  const utils = yield* Effect.acquireRelease(
    Effect.promise(() => makeWorkerUtils({ connectionString: Redacted.value(place.stand.database) })),
    (utils) => Effect.promise(async () => utils.release())
  )
  yield* Effect.promise(() => utils.migrate())
  return yield* queued(
    { entry: "graphile", name: "graphile-worker" },
    place,
    (jobs) => utils.addJobs(jobs.map((payload) => ({ identifier: "deliver", payload, maxAttempts: 8 })))
  )
})
