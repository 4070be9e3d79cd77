import { Context, DateTime, Duration, Effect, Latch, Layer, Queue, Schedule, Schema, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { texts } from "../sql/Arrays.ts"
import { Notifications } from "../sql/Connections.ts"
import { rows } from "../sql/Rows.ts"
import type { Signal } from "./Signal.ts"
import type { WorkQueue } from "./WorkQueue.ts"

/** How often the queues are looked at while nothing is due. What is due before the next look is found in its time. */
const lookEvery = Duration.seconds(2)

/** The pause while something is due: it may be locked for a moment, or wait for something before it. */
const lookAgain = Duration.millis(250)

/** Others are told at once, and then of all that came within this time together. */
const tellEvery = Duration.millis(100)

/** The channel on which processes tell each other, by the names of queues. */
const channel = "turma_work"

const decodeDue = rows(Schema.Struct({ name: Schema.String, due_at: Schema.DateTimeUtcFromDate }))

/** What there is to do, and when it is due at the earliest: one statement for all queues. */
export const nextDue = (sql: SqlClient.SqlClient, queues: ReadonlyArray<WorkQueue>) =>
  sql`
    select name, due_at from (values ${
    sql.csv(queues.map(({ name, nextDue }) => sql`(${name}, ${nextDue(sql)})`))
  }) as waiting (name, due_at)
    where due_at is not null`.pipe(decodeDue)

/**
 * Looks at all queues of this process in one statement, and at none of them more often than every two seconds while nothing
 * is due. Work that came in a process without a worker for it is told to the others when its transaction has committed;
 * what they do not hear of is found by the next look.
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
  const untold = new Set<string>()
  const anyUntold = yield* Latch.make()
  let isLooking = false

  const wake = (name: string) =>
    Effect.forEach(watched.get(name)?.signals ?? [], ({ notify }) => notify, { discard: true })

  const look = Effect.gen(function*() {
    if (watched.size === 0) return lookEvery
    const found = yield* nextDue(sql, Array.from(watched.values(), ({ queue }) => queue))
    const now = yield* DateTime.now
    const due = found.filter(({ due_at }) => DateTime.isLessThanOrEqualTo(due_at, now))
    yield* Effect.forEach(due, ({ name }) => wake(name), { discard: true })
    if (due.length > 0) return lookAgain
    const pauses = [
      ...found.map(({ due_at }) => DateTime.distance(now, due_at)),
      ...Array.from(watched.values(), ({ queue }) => queue.notice ?? lookEvery)
    ]
    return pauses.reduce((shortest, pause) => Duration.min(shortest, pause), lookEvery)
  }).pipe(
    Effect.catchCause((cause) =>
      Effect.as(Effect.logWarning("Whether work is due could not be looked at", cause), lookEvery)
    )
  )

  const listen = Effect.scoped(Effect.gen(function*() {
    const heard = yield* notifications.listen(channel)
    while (true) {
      const names = new Set((yield* Queue.takeAll(heard)).map(({ payload }) => payload))
      yield* Effect.forEach(names, wake, { discard: true })
    }
  })).pipe(
    Effect.tapCause(() => Effect.logWarning("Work that came to other processes is found by looking for now")),
    Effect.retry(Schedule.spaced(Duration.seconds(5)))
  )

  const tell = Effect.gen(function*() {
    yield* anyUntold.await
    yield* anyUntold.close
    const names = texts([...untold])
    untold.clear()
    yield* sql`select pg_notify(${channel}, name) from unnest(${names}) as name`.pipe(
      Effect.catchCause((cause) => Effect.logDebug("Other processes were not told of work", cause))
    )
    yield* Effect.sleep(tellEvery)
  })

  // A trace of these would say nothing of anybody's work.
  const goOn = <A, E>(work: Effect.Effect<A, E>) => Effect.forkIn(Effect.withTracerEnabled(work, false), scope)

  yield* goOn(Effect.forever(tell))
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
    announce: ({ name }: WorkQueue) =>
      Effect.suspend(() => {
        if (watched.has(name)) return wake(name)
        untold.add(name)
        return anyUntold.open
      }).pipe(Effect.asVoid)
  }
})

/** The watch of a process, for all its workers. */
export const WorkWatchLayer: Layer.Layer<never, never, Notifications | SqlClient.SqlClient> = Layer.effect(
  WorkWatch,
  make
)
