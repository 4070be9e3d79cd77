import { assert, layer } from "@effect/vitest"
import { Clock, DateTime, Duration, Effect, Layer, Logger, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { batchWorker } from "../../../src/platform/jobs/BatchWorker.ts"
import { ClockGuard } from "../../../src/platform/jobs/ClockGuard.ts"
import { DatabaseTime } from "../../../src/platform/sql/DatabaseTime.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"

/** A separate guard, on a database whose clock the test can move, with its log lines. */
const guarded = Effect.fnUntraced(function*({ isOurs = false }: { readonly isOurs?: boolean } = {}) {
  const database = { ahead: Duration.zero, asked: 0, meanwhile: () => {} }
  const lines: Array<string> = []
  const Database = Layer.succeed(DatabaseTime, {
    ask: () =>
      Effect.map(DateTime.now, (now) => {
        const answer = DateTime.addDuration(now, database.ahead)
        database.asked += 1
        database.meanwhile()
        return answer
      }),
    isOurs
  })
  const Log = Logger.layer([Logger.map(Logger.formatJson, (line) => lines.push(line))])
  const context = yield* Layer.build(Layer.fresh(ClockGuard.layer).pipe(Layer.provide(Database)))
  const use = <A, E, R>(work: (guard: ClockGuard["Service"]) => Effect.Effect<A, E, R>) =>
    Effect.provide(Effect.flatMap(Effect.provideContext(ClockGuard, context), work), Log)
  return { database, lines, use, context }
})

/** Sweeps, and answers true if the guard allows it. */
const sweep = (guard: ClockGuard["Service"]) =>
  Effect.map(guard.sweep("things", () => Effect.succeed(1)), Option.isSome)

/** Moves the wall clock by this much during the effect. The monotonic clock does not move. */
const clockSetBy = (by: { millis: number }) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Clock.Clock, (clock) => {
    const currentTimeMillisUnsafe = () => clock.currentTimeMillisUnsafe() + by.millis
    return Effect.provideService(effect, Clock.Clock, {
      ...clock,
      currentTimeMillisUnsafe,
      currentTimeMillis: Effect.sync(currentTimeMillisUnsafe)
    })
  })

const clearRecord = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`delete from clock_sweeps`)

layer(PostgresLayer)("The guard of the clock", (it) => {
  it.effect("gives a sweep the moment that it has checked", () =>
    Effect.gen(function*() {
      const { use } = yield* guarded()
      assert.deepStrictEqual(
        yield* use((guard) => guard.sweep("things", Effect.succeed)),
        Option.some(yield* DateTime.now)
      )
    }))

  it.effect("lets nothing be swept while the clocks differ by more than a minute, and again when they agree", () =>
    Effect.gen(function*() {
      const { database, use } = yield* guarded()
      for (const ahead of ["61 seconds", "-61 seconds", "40 days", "-40 days"] as const) {
        database.ahead = Duration.fromInputUnsafe(ahead)
        assert.isFalse(yield* use(sweep), ahead)
        assert.isTrue(yield* use((guard) => Effect.isFailure(guard.rightNow)), ahead)
        assert.isTrue(yield* use((guard) => Effect.isFailure(guard.agreedNow)), ahead)
        database.ahead = Duration.seconds(59)
        assert.isTrue(yield* use(sweep), ahead)
      }
    }))

  it.effect("says so once a minute, with both times, and once that it is over", () =>
    Effect.gen(function*() {
      const { database, lines, use } = yield* guarded()
      yield* TestClock.setTime(Date.parse("2026-11-22T10:00:00.000Z"))
      database.ahead = Duration.days(-40)
      yield* Effect.replicateEffect(use(sweep), 5)
      assert.strictEqual(lines.length, 1)
      assert.match(lines[0] ?? "", /2026-11-22T10:00:00.000Z.*2026-10-13T10:00:00.000Z/)
      yield* TestClock.adjust("59 seconds")
      yield* use(sweep)
      assert.strictEqual(lines.length, 1)
      yield* TestClock.adjust("1 second")
      yield* use(sweep)
      assert.strictEqual(lines.length, 2)
      database.ahead = Duration.zero
      yield* Effect.replicateEffect(use(sweep), 5)
      assert.strictEqual(lines.length, 3)
      assert.include(lines[2], "right again")
    }))

  it.effect("asks for workers every 15 seconds, and at once when our clock was set", () =>
    Effect.gen(function*() {
      const { database, use } = yield* guarded()
      const set = { millis: 0 }
      const agrees = clockSetBy(set)(use((guard) => guard.agrees))
      assert.isTrue(yield* agrees)
      yield* TestClock.adjust("14 seconds")
      assert.isTrue(yield* agrees)
      assert.strictEqual(database.asked, 1)
      yield* TestClock.adjust("1 second")
      assert.isTrue(yield* agrees)
      assert.strictEqual(database.asked, 2)

      set.millis = Duration.toMillis("40 days")
      database.ahead = Duration.days(-40)
      assert.isFalse(yield* agrees)
      set.millis = 0
      database.ahead = Duration.zero
      assert.isTrue(yield* agrees)
      assert.strictEqual(database.asked, 4)
    }))

  it.effect("asks again when our clock was set while the database answered", () =>
    Effect.gen(function*() {
      const { database, use } = yield* guarded()
      const set = { millis: 0 }
      database.meanwhile = () => {
        set.millis = Duration.toMillis("40 days")
        database.ahead = Duration.days(-40)
      }
      assert.isFalse(yield* clockSetBy(set)(use((guard) => guard.agrees)))
      assert.strictEqual(database.asked, 2)
      for (const ask of ["rightNow", "agreedNow"] as const) {
        set.millis = 0
        database.ahead = Duration.zero
        assert.isTrue(yield* clockSetBy(set)(use((guard) => Effect.isFailure(guard[ask]))), ask)
      }
    }))

  it.effect("asks once for all who ask at the same time", () =>
    Effect.gen(function*() {
      const { database, use } = yield* guarded()
      const asking = Array.from({ length: 50 }, () => use((guard) => guard.agrees))
      yield* Effect.all(asking, { concurrency: "unbounded" })
      assert.strictEqual(database.asked, 1)
    }))

  it.effect("holds up a worker for as long as the clocks differ", () =>
    Effect.gen(function*() {
      const { context, database } = yield* guarded()
      let ticks = 0
      database.ahead = Duration.hours(1)
      yield* batchWorker({
        tick: Effect.sync(() => {
          ticks += 1
          return 0
        }),
        full: 1,
        idle: Effect.sleep("1 second"),
        shutdownGrace: "1 second",
        onFailure: "It failed",
        onCutOff: "It was cut off"
      }).pipe(Effect.provideContext(context), Effect.provide(Logger.layer([])))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(ticks, 0)
      database.ahead = Duration.zero
      yield* TestClock.adjust("15 seconds")
      assert.isAbove(ticks, 0)
    }))
})

layer(PostgresLayer)("With a database that shares our clock", (it) => {
  it.effect("the first start sweeps, and so does a service that goes on", () =>
    Effect.gen(function*() {
      yield* clearRecord
      const { use } = yield* guarded({ isOurs: true })
      for (let day = 0; day < 5; day++) {
        assert.isTrue(yield* use(sweep))
        yield* TestClock.adjust("1 day")
      }
    }))

  it.effect("nothing is swept after more than a day without a sweep, until somebody confirms it", () =>
    Effect.gen(function*() {
      yield* clearRecord
      yield* Effect.flatMap(guarded({ isOurs: true }), ({ use }) => use(sweep))
      const swept = yield* DateTime.now
      yield* TestClock.adjust("3 days")
      const { lines, use } = yield* guarded({ isOurs: true })
      assert.isFalse(yield* use(sweep))
      assert.isFalse(yield* use((guard) => guard.isRight))
      assert.include(lines[0], "npx turma clock confirm")
      assert.include(lines[0], DateTime.formatIso(swept))
      // No work ends anything by this clock, but work that has rested may charge and replace by it.
      assert.strictEqual((yield* use((guard) => Effect.flip(guard.rightNow))).error.code, "temporarily_unavailable")
      assert.deepStrictEqual(yield* use((guard) => guard.agreedNow), yield* DateTime.now)
      // Work goes on, and the age of waiting work stays the same.
      assert.isTrue(yield* use((guard) => guard.agrees))
      assert.deepStrictEqual(yield* use((guard) => guard.ageing), swept)

      const own = yield* DateTime.now
      const other = yield* guarded({ isOurs: true })
      assert.deepStrictEqual(yield* other.use((guard) => guard.confirm), { _tag: "Jumped", own, swept })
      assert.deepStrictEqual(yield* other.use((guard) => guard.confirm), { _tag: "Right", at: own })
      assert.isTrue(yield* use(sweep))
      assert.deepStrictEqual(yield* use((guard) => guard.ageing), own)
    }))

  it.effect("nothing is swept while the clock is ahead, and it is as before when it comes back", () =>
    Effect.gen(function*() {
      yield* clearRecord
      const { use } = yield* guarded({ isOurs: true })
      const set = { millis: 0 }
      const sweeping = clockSetBy(set)(use(sweep))
      assert.isTrue(yield* sweeping)
      set.millis = Duration.toMillis("40 days")
      assert.isFalse(yield* sweeping)
      set.millis = 0
      assert.isTrue(yield* sweeping)
    }))

  it.effect("a clock that differs all the same cannot be confirmed", () =>
    Effect.gen(function*() {
      yield* clearRecord
      const { database, use } = yield* guarded({ isOurs: true })
      yield* use(sweep)
      yield* TestClock.adjust("3 days")
      database.ahead = Duration.hours(1)
      assert.strictEqual((yield* use((guard) => guard.confirm))._tag, "Differs")
      assert.isFalse(yield* use(sweep))
    }))
})
