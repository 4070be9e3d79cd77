import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer, Logger, Queue } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { ClockGuard } from "../../../src/platform/jobs/ClockGuard.ts"
import { sweeperLayer, sweepOf } from "../../../src/platform/jobs/Sweep.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"
import { SpansLayer, traced } from "../../harness/Statements.ts"

/** A separate table for each test, with a row for each of these ages in hours. */
const makeNotes = Effect.fnUntraced(function*(name: string, ages: ReadonlyArray<number>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table ${sql(name)} (expires_at timestamptz not null)`
  for (const age of ages) {
    const expires_at = DateTime.subtractDuration(yield* DateTime.now, Duration.hours(age))
    yield* sql`insert into ${sql(name)} values (${DateTime.toDateUtc(expires_at)})`
  }
  const left = Effect.map(sql`select 1 from ${sql(name)}`, (rows) => rows.length)
  const sweep = sweepOf(
    "Notes.sweep",
    name,
    (sql, at) => sql`delete from ${sql(name)} where expires_at <= ${DateTime.toDateUtc(at)}`
  )
  return { left, sweep }
})

const broken = sweepOf("Things.sweep", "things", (sql) => sql`delete from things_that_nobody_made`)

layer(Layer.provideMerge(PostgresLayer, SpansLayer))("A sweep", (it) => {
  it.effect("deletes what has expired by now", () =>
    Effect.gen(function*() {
      const { left, sweep } = yield* makeNotes("notes_expired", [1, 0, -1])
      yield* sweep
      assert.strictEqual(yield* left, 1)
    }))

  it.effect("deletes nothing while the clock is doubtful", () =>
    Effect.gen(function*() {
      const { left, sweep } = yield* makeNotes("notes_doubtful", [1])
      const guard = yield* ClockGuard
      const doubtful = ClockGuard.of({ ...guard, sweep: () => Effect.succeedNone })
      yield* Effect.provideService(sweep, ClockGuard, doubtful)
      assert.strictEqual(yield* left, 1)
    }))

  it.effect("that fails says so in the log and holds up no other, at the start and every hour", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      const log = Logger.layer([Logger.map(Logger.formatJson, (line) => lines.push(line))])
      const swept = yield* Queue.unbounded<void>()
      const other = sweepOf(
        "Others.sweep",
        "others",
        (sql) => Effect.andThen(sql`select 1`, Queue.offer(swept, undefined))
      )
      yield* Effect.scoped(Effect.gen(function*() {
        yield* Layer.build(sweeperLayer([broken, other]))
        yield* Queue.take(swept)
        yield* TestClock.adjust("1 hour")
        yield* Queue.take(swept)
      })).pipe(Effect.provide(log))
      assert.isTrue(lines[0]?.includes("Expired things were not deleted"))
    }))

  it.effect("has a span, which tells whether it failed", () =>
    Effect.gen(function*() {
      const { sweep } = yield* makeNotes("notes_traced", [])
      const [, spans] = yield* traced(Effect.all([sweep, broken]).pipe(Effect.provide(Logger.layer([]))))
      const ends = ["Notes.sweep", "Things.sweep"].map((name) => {
        const status = spans.find((span) => span.name === name)?.status
        return status?._tag === "Ended" && status.exit._tag
      })
      assert.deepStrictEqual(ends, ["Success", "Failure"])
    }))
})
