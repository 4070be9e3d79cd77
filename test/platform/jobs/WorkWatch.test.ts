import { PgClient } from "@effect/sql-pg"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, DateTime, Duration, Effect, Exit, Fiber, Layer, Logger, Queue, Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { announcedSignal, announcementOf } from "../../../src/platform/jobs/Announcement.ts"
import { makeSignal } from "../../../src/platform/jobs/Signal.ts"
import { untilDue } from "../../../src/platform/jobs/UntilDue.ts"
import type { WorkQueue } from "../../../src/platform/jobs/WorkQueue.ts"
import { WorkWatch, WorkWatchLayer } from "../../../src/platform/jobs/WorkWatch.ts"
import { Notifications, OnBehalfOf } from "../../../src/platform/sql/Connections.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"
import { Stillness } from "../../harness/Stillness.ts"

/** A queue whose due time the test sets: a moment, null, or a text that PostgreSQL rejects. */
const scripted = (name: string) => {
  const script: { due: DateTime.Utc | null; fails: boolean; looks: number } = { due: null, fails: false, looks: 0 }
  const queue: WorkQueue = {
    name,
    waiting: (sql) => sql`from generate_series(1, 0)`,
    nextDue: (sql) => {
      script.looks += 1
      return script.fails ? sql`nonsense` : sql`${script.due && DateTime.toDateUtc(script.due)}::timestamptz`
    }
  }
  return { queue, script }
}

/** A watch that gets no notification of other processes. */
const LookingLayer = Stillness
  .driven(Layer.provide(WorkWatchLayer, Layer.succeed(Notifications, { listen: () => Effect.never })))
  .pipe(Layer.provideMerge(Stillness.layer()))

const pass = (duration: Parameters<typeof TestClock.adjust>[0]) =>
  Effect.andThen(TestClock.adjust(duration), Effect.flatMap(Stillness, ({ still }) => still))

/** A worker that waits again and again, and the count of its wakes. */
const waiter = Effect.fnUntraced(function*(queue: WorkQueue) {
  const idle = yield* untilDue(queue, { pollEvery: "1 hour" })
  const told = { times: 0 }
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(idle, Effect.sync(() => told.times += 1))))
  return told
})

const inTime = (duration: Parameters<typeof DateTime.addDuration>[1]) =>
  Effect.map(DateTime.now, (now) => DateTime.addDuration(now, duration))

layer(LookingLayer)("The watch", (it) => {
  it.effect("looks at all queues in one statement, every two seconds while nothing is due", () =>
    Effect.scoped(Effect.gen(function*() {
      const { sent } = yield* Stillness
      const [one, another] = [scripted("one"), scripted("another")]
      yield* waiter(one.queue)
      yield* waiter(another.queue)
      yield* pass("250 millis")
      const before = sent()
      for (let n = 0; n < 80; n++) yield* pass("250 millis")
      assert.strictEqual(sent() - before, 10)
      assert.strictEqual(one.script.looks, another.script.looks)
    })))

  it.effect("tells of what is due later when it is due", () =>
    Effect.scoped(Effect.gen(function*() {
      const { queue, script } = scripted("later")
      const told = yield* waiter(queue)
      yield* pass("2 seconds")
      script.due = yield* inTime("2700 millis")
      yield* pass("2 seconds")
      assert.strictEqual(told.times, 0)
      yield* pass("699 millis")
      assert.strictEqual(told.times, 0)
      yield* pass("1 millis")
      assert.strictEqual(told.times, 1)
    })))

  it.effect("tells four times a second of what stays due, since it may be locked or kept back", () =>
    Effect.scoped(Effect.gen(function*() {
      const { queue, script } = scripted("kept back")
      script.due = yield* inTime(0)
      const told = yield* waiter(queue)
      yield* pass("2 seconds")
      const before = told.times
      for (let n = 0; n < 8; n++) yield* pass("250 millis")
      assert.strictEqual(told.times - before, 8)
    })))

  it.effect("looks as often as work comes before it is due, where nobody announces it", () =>
    Effect.scoped(Effect.gen(function*() {
      const { queue, script } = scripted("short notice")
      yield* waiter({ ...queue, notice: Duration.millis(500) })
      yield* pass("2 seconds")
      const before = script.looks
      for (let n = 0; n < 8; n++) yield* pass("250 millis")
      assert.strictEqual(script.looks - before, 4)
    })))

  it.effect("tells every worker after a look that failed, since it does not know of whose queue", () =>
    Effect.scoped(Effect.gen(function*() {
      const [away, well] = [scripted("away"), scripted("well")]
      yield* waiter(away.queue)
      const told = yield* waiter(well.queue)
      yield* pass("2 seconds")
      assert.strictEqual(told.times, 0)
      away.script.fails = true
      for (const times of [1, 2, 3]) {
        yield* pass("2 seconds")
        assert.strictEqual(told.times, times)
      }
      away.script.fails = false
      for (let n = 0; n < 3; n++) yield* pass("2 seconds")
      assert.strictEqual(told.times, 3)
      well.script.due = yield* inTime(0)
      yield* pass("2 seconds")
      assert.isAbove(told.times, 3)
    })).pipe(Effect.provide(Logger.layer([]))))

  it.effect("looks at no queue whose worker has ended", () =>
    Effect.gen(function*() {
      const { queue, script } = scripted("ended")
      const scope = yield* Scope.make()
      yield* Scope.provide(waiter(queue), scope)
      yield* pass("2 seconds")
      yield* Scope.close(scope, Exit.void)
      const before = script.looks
      yield* pass("10 seconds")
      assert.strictEqual(script.looks, before)
    }))

  it.effect("hears at once of work that came in its own process", () =>
    Effect.scoped(Effect.gen(function*() {
      const { queue } = scripted("own")
      const { still } = yield* Stillness
      const told = yield* waiter(queue)
      yield* yield* announcementOf(queue)
      yield* still
      assert.strictEqual(told.times, 1)
    })))
})

describe("A database that does not answer", () => {
  /** A watch whose database never answers, and the keys of its queries. */
  const unanswered = Effect.gen(function*() {
    const keys: Array<string | undefined> = []
    const sql = yield* SqlClient.make({
      acquirer: Effect.flatMap(OnBehalfOf, (key) => {
        keys.push(key)
        return Effect.never
      }),
      compiler: PgClient.makeCompiler(),
      driver: "pg",
      spanAttributes: []
    }).pipe(Effect.provide(Reactivity.layer))
    const context = yield* Layer.build(Layer.fresh(WorkWatchLayer)).pipe(
      Effect.provideService(SqlClient.SqlClient, sql),
      Effect.provideService(Notifications, { listen: () => Effect.never })
    )
    return { keys, context }
  })

  it.effect("is waited for longer than the server waits for a lock, and then every worker looks for itself", () =>
    Effect.scoped(Effect.gen(function*() {
      const { context } = yield* unanswered
      const told = yield* Effect.provideContext(waiter(scripted("silent").queue), context)
      yield* TestClock.adjust("12 seconds")
      assert.strictEqual(told.times, 0)
      yield* TestClock.adjust("250 millis")
      assert.strictEqual(told.times, 1)
    })).pipe(Effect.provide(Logger.layer([]))))

  it.effect("hears of work on nobody's behalf, since a club may have all its places in use", () =>
    Effect.scoped(Effect.gen(function*() {
      const { context, keys } = yield* unanswered
      const announce = yield* Effect.provideContext(announcementOf(scripted("told").queue), context)
      yield* Effect.provideService(announce, OnBehalfOf, "a club")
      yield* Effect.yieldNow
      assert.deepStrictEqual(keys, [undefined])
    })))
})

describe("Without a watch", () => {
  it.effect("a worker looks for itself", () =>
    Effect.scoped(Effect.gen(function*() {
      const idle = yield* untilDue(scripted("alone").queue, { pollEvery: "1 second" })
      const waiting = yield* Effect.forkChild(idle)
      yield* TestClock.adjust("999 millis")
      assert.isUndefined(waiting.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      yield* Fiber.join(waiting)
    })))
})

/** The watch of a new process. Its queues are never due, so only notifications of other processes wake it. */
const aProcess = Effect.flatMap(
  Layer.build(Layer.fresh(WorkWatchLayer)),
  (context) => Effect.succeed(Context.get(context, WorkWatch) ?? assert.fail("There is no watch"))
)

layer(PostgresLayer, { excludeTestServices: true })("Of several processes", (it) => {
  it.effect("one without a worker tells those that have one, and once more after what it leaves out", () =>
    Effect.scoped(Effect.gen(function*() {
      const { queue } = scripted("elsewhere")
      const [worker, api] = [yield* aProcess, yield* aProcess]
      const told = yield* Queue.unbounded<void>()
      const notify = Effect.asVoid(Queue.offer(told, undefined))
      yield* worker.watch(queue, { notify, next: Effect.never })
      // The worker listens once it is connected.
      const heard = Effect.raceFirst(Queue.take(told), Effect.as(Effect.sleep("50 millis"), false))
      const announced = Effect.andThen(api.announce(queue), heard)
      yield* Effect.repeat(announced, { while: (nothing) => nothing === false })
      yield* api.announce(queue)
      yield* Queue.take(told)
    })))

  it.effect("one whose own worker waits leaves the others alone", () =>
    Effect.scoped(Effect.gen(function*() {
      const { listen } = yield* Notifications
      const heard = yield* listen("turma_work")
      const watch = yield* aProcess
      const { queue } = scripted("here")
      const signal = yield* makeSignal
      yield* watch.watch(queue, signal)
      yield* watch.announce(queue)
      yield* signal.next
      yield* watch.announce(scripted("end").queue)
      assert.strictEqual((yield* Queue.take(heard)).payload, "end")
    })))
})

describe("A signal that is announced", () => {
  const announcing = Effect.gen(function*() {
    const announced = { times: 0 }
    const signal = yield* announcedSignal(scripted("signal").queue).pipe(Effect.provideService(WorkWatch, {
      watch: () => Effect.void,
      announce: () => Effect.sync(() => void (announced.times += 1))
    }))
    return { announced, signal }
  })

  it.effect("reaches other processes while nobody here waits for it", () =>
    Effect.gen(function*() {
      const { announced, signal } = yield* announcing
      yield* signal.notify
      assert.strictEqual(announced.times, 1)
    }))

  it.effect("stays in the process whose worker waits for it", () =>
    Effect.gen(function*() {
      const { announced, signal } = yield* announcing
      const waiting = yield* Effect.forkChild(signal.next, { startImmediately: true })
      yield* signal.notify
      yield* Fiber.join(waiting)
      assert.strictEqual(announced.times, 0)
    }))
})
