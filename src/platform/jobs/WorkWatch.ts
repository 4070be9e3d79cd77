import { Context, DateTime, Duration, Effect, Layer, Queue, Schedule, Schema, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { Instant } from "../schema/Instant.ts"
import { Notifications, OnBehalfOf } from "../sql/Connections.ts"
import { rows } from "../sql/Rows.ts"
import type { Signal } from "./Signal.ts"
import type { WorkQueue } from "./WorkQueue.ts"

/**
 * How often the watch looks at the queues while nothing is due. Work that is due before the next look is found in its
 * time.
 */
const lookEvery = Duration.seconds(2)

/** The server ends a wait for a lock earlier. A server without an answer by then may not answer at all. */
const patience = Duration.seconds(12)

/** The pause while something is due: it may be locked for a moment, or wait for something before it. */
const lookAgain = Duration.millis(250)

/**
 * Other processes hear of a queue at most this often. Work that comes meanwhile is not announced: a process that hears
 * of a queue looks there once more after this time.
 */
const tellEvery = Duration.millis(250)
const tellEveryNanos = BigInt(Duration.toMillis(tellEvery)) * 1_000_000n

/** The channel on which processes tell each other, by the names of queues. */
const channel = "turma_work"

const decodeDue = rows(Schema.Struct({ name: Schema.String, due_at: Instant }))

/** The due work, and the earliest time at which more is due: one statement for all queues. */
export const nextDue = (sql: SqlClient.SqlClient, queues: ReadonlyArray<WorkQueue>) =>
  sql`
    select name, due_at from (values
    ${sql.csv(queues.map(({ name, nextDue }) => sql`(${name}, ${nextDue(sql)})`))}) as waiting (name, due_at)
    where due_at is not null`.pipe(decodeDue)

/**
 * Looks at all queues of this process in one statement, every two seconds while nothing is due. It looks more often for
 * a queue that says so (`notice`), and when work is about to be due. If work comes in a process without a worker for
 * it, the commit announces it to the others. The next look finds work whose announcement was lost.
 */
export const WorkWatch = Context.Reference<
  {
    /** Gives the signal whenever work of this queue may be due, until the scope closes. */
    readonly watch: (queue: WorkQueue, signal: Signal) => Effect.Effect<void, never, Scope.Scope>
    /** Says that something of this queue is due now, to workers here, or else to those of other processes. */
    readonly announce: (queue: WorkQueue) => Effect.Effect<void>
  } | undefined
>("turma/platform/jobs/WorkWatch", { defaultValue: () => undefined })

interface Watched {
  readonly queue: WorkQueue
  readonly signals: ReadonlySet<Signal>
}

const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const notifications = yield* Notifications
  const scope = yield* Effect.scope
  const watched = new Map<string, Watched>()
  const toldAt = new Map<string, bigint>()
  let isLooking = false

  // A trace of these would say nothing of anybody's work, and they wait in nobody's line.
  const goOn = <A, E>(work: Effect.Effect<A, E>) =>
    work.pipe(
      Effect.withTracerEnabled(false),
      Effect.provideService(OnBehalfOf, undefined),
      Effect.forkIn(scope)
    )

  const wake = (name: string) =>
    Effect.forEach(watched.get(name)?.signals ?? [], ({ notify }) => notify, { discard: true })

  const wakeAll = (names: Iterable<string>) => Effect.forEach(names, wake, { discard: true })

  const look = Effect.gen(function*() {
    if (watched.size === 0) return lookEvery
    const queues = Array.from(watched.values(), ({ queue }) => queue)
    const found = yield* Effect.timeout(nextDue(sql, queues), patience)
    const now = yield* DateTime.now
    const due = found.filter(({ due_at }) => DateTime.isLessThanOrEqualTo(due_at, now))
    yield* wakeAll(due.map(({ name }) => name))
    if (due.length > 0) return lookAgain
    const pauses = [
      ...found.map(({ due_at }) => DateTime.distance(now, due_at)),
      ...Array.from(watched.values(), ({ queue }) => Duration.max(queue.notice ?? lookEvery, lookAgain))
    ]
    return pauses.reduce((shortest, pause) => Duration.min(shortest, pause), lookEvery)
  }).pipe(
    // One table that cannot be read must not hold up the others' workers: each looks for itself.
    Effect.catchCause((cause) =>
      Effect.logWarning("Could not check if work is due", cause).pipe(
        Effect.andThen(Effect.suspend(() => wakeAll(watched.keys()))),
        Effect.as(lookEvery)
      )
    )
  )

  const listen = Effect.scoped(Effect.gen(function*() {
    const heard = yield* notifications.listen(channel)
    while (true) {
      const names = new Set((yield* Queue.takeAll(heard)).map(({ payload }) => payload))
      yield* wakeAll(names)
      yield* Effect.forkScoped(Effect.delay(wakeAll(names), tellEvery))
    }
  })).pipe(
    Effect.tapCause(() => Effect.logWarning("Work that came to other processes is found by looking for now")),
    Effect.retry(Schedule.spaced(Duration.seconds(5)))
  )

  // A look finds work whose announcement fails.
  const tell = (name: string) =>
    Effect.clockWith((clock) => {
      const now = clock.monotonicTimeNanosUnsafe()
      const last = toldAt.get(name)
      if (last !== undefined && now - last < tellEveryNanos) return Effect.void
      toldAt.set(name, now)
      return goOn(Effect.ignoreCause(sql`select pg_notify(${channel}, ${name})`))
    })

  const startLooking = Effect.suspend(() => {
    if (isLooking) return Effect.void
    isLooking = true
    const looking = Effect.delay(Effect.forever(Effect.flatMap(look, Effect.sleep)), lookAgain)
    return Effect.asVoid(Effect.andThen(goOn(looking), goOn(listen)))
  })

  const change = (queue: WorkQueue, signals: ReadonlySet<Signal>) =>
    Effect.sync(() => {
      if (signals.size === 0) watched.delete(queue.name)
      else watched.set(queue.name, { queue, signals })
    })
  const signalsOf = ({ name }: WorkQueue) => watched.get(name)?.signals ?? new Set()

  return {
    watch: (queue: WorkQueue, signal: Signal) =>
      Effect.acquireRelease(
        Effect.andThen(Effect.suspend(() => change(queue, new Set([...signalsOf(queue), signal]))), startLooking),
        () => Effect.suspend(() => change(queue, new Set([...signalsOf(queue)].filter((one) => one !== signal))))
      ),
    announce: ({ name }: WorkQueue) => Effect.suspend(() => Effect.asVoid(watched.has(name) ? wake(name) : tell(name)))
  }
})

/** The watch of a process, for all its workers. */
export const WorkWatchLayer: Layer.Layer<never, never, Notifications | SqlClient.SqlClient> = Layer.effect(
  WorkWatch,
  make
)
