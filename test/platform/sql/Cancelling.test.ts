import { PgConnection } from "@effect/sql-pg"
import { assert, describe, it, layer } from "@effect/vitest"
import { Clock, Deferred, Duration, Effect, Fiber, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { PassThrough } from "node:stream"
import { allAtOnce, bothAtOnce } from "../../../src/platform/sql/AtOnce.ts"
import { cancellingWith } from "../../../src/platform/sql/Cancelling.ts"
import { EmptyPostgresLayer } from "../../harness/Postgres.ts"
import { untilBlocked, whileHeld } from "../../harness/Waiting.ts"

const makeRow = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table things (id int primary key, n int not null)`
  yield* sql`insert into things values (1, 0)`
})

const hold = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select n from things for update`)
const increment = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`update things set n = n + 1`)
const read = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select n from things`)

layer(EmptyPostgresLayer, { excludeTestServices: true })("A statement that is interrupted while it waits", (it) => {
  it.effect("is canceled at the server before its connection is anybody else's", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* makeRow
      const waiting = [
        increment,
        sql.withTransaction(increment),
        sql.withTransaction(Effect.andThen(read, increment)),
        sql.withTransaction(sql.withTransaction(increment)),
        sql.withTransaction(bothAtOnce(hold, read)),
        sql.withTransaction(Effect.andThen(read, allAtOnce([increment, increment, increment])))
      ]
      for (const statement of waiting) {
        yield* whileHeld(
          hold,
          Effect.gen(function*() {
            const fiber = yield* Effect.forkChild(statement)
            yield* untilBlocked()
            const [took] = yield* Effect.timed(Fiber.interrupt(fiber))
            // Without the interruption, the statement would give up on the lock after ten seconds.
            assert.isBelow(Duration.toMillis(took), 5_000)
            const left = yield* sql.withTransaction(sql`
              select state from pg_stat_activity
              where datname = current_database() and pid <> pg_backend_pid()
                and (wait_event_type = 'Lock' or query like 'update%' and state <> 'idle')`)
            assert.deepStrictEqual(left, [])
          })
        )
        assert.deepStrictEqual(yield* read, [{ n: 0 }])
      }
      // All connections work as before: each runs a transaction.
      yield* Effect.all(Array.from({ length: 16 }, () => sql.withTransaction(increment)), { concurrency: 8 })
      assert.deepStrictEqual(yield* read, [{ n: 16 }])
    }))
})

/** A connection that falls silent on the test's command, and counts the requests to cancel its statement. */
const busyConnection = (answer: Effect.Effect<void>) => {
  const silence = Deferred.makeUnsafe<void>()
  const socket = new PassThrough()
  let asked = 0
  const session: PgConnection.PgConnection = {
    [PgConnection.TypeId]: PgConnection.TypeId,
    config: {},
    processId: 1,
    query: () => Effect.never,
    queryValues: () => Effect.never,
    stream: () => Stream.never,
    listen: () => Effect.never,
    interrupt: Effect.void,
    pin: Effect.suspend(() => Effect.as(Deferred.await(silence), session))
  }
  const cancel = Effect.suspend(() => {
    asked += 1
    return answer
  })
  return {
    // The driver's type lacks `session` and `cancel`.
    connection: { ...session, session: { socket }, cancel },
    asked: () => asked,
    isClosed: () => socket.destroyed,
    fallSilent: Deferred.succeed(silence, undefined)
  }
}

/** Begins to interrupt this many statements on the connection. A failing test does not wait for their end. */
const interrupting = Effect.fnUntraced(function*(connection: PgConnection.PgConnection, statements: number) {
  const cancelling = cancellingWith(yield* Clock.Clock)
  const under = Array.from({ length: statements }, () => cancelling(connection, Effect.never))
  const fibers = yield* Effect.forEach(under, (statement) => Effect.forkDetach(statement, { startImmediately: true }))
  return yield* Effect.forkDetach(Fiber.interruptAll(fibers), { startImmediately: true })
})

describe("A connection whose statement is interrupted", () => {
  it.effect("is closed after five seconds at which nobody answers, neither there nor when asked for the end", () =>
    Effect.gen(function*() {
      // The driver, too, tries to connect for five seconds.
      const { asked, connection, isClosed } = busyConnection(Effect.sleep("5 seconds"))
      const ending = yield* interrupting(connection, 1)
      yield* TestClock.adjust("10 millis")
      assert.strictEqual(asked(), 1)
      yield* TestClock.adjust("4999 millis")
      assert.isFalse(isClosed())
      yield* TestClock.adjust("1 millis")
      assert.isTrue(isClosed())
      yield* Fiber.join(ending)
    }))

  it.effect("is nobody else's before the server has answered whether it ends the statement", () =>
    Effect.gen(function*() {
      const answered = yield* Deferred.make<void>()
      const { connection, fallSilent } = busyConnection(Deferred.await(answered))
      const ending = yield* interrupting(connection, 1)
      yield* TestClock.adjust("10 millis")
      yield* fallSilent
      yield* TestClock.adjust("1 second")
      // A late request to cancel would end another client's statement.
      assert.isUndefined(ending.pollUnsafe())
      yield* Deferred.succeed(answered, undefined)
      yield* Fiber.join(ending)
    }))

  it.effect("is asked once for the end of all that are under way, and all wait for it", () =>
    Effect.gen(function*() {
      const { asked, connection, fallSilent, isClosed } = busyConnection(Effect.void)
      const ending = yield* interrupting(connection, 3)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(asked(), 1)
      assert.isUndefined(ending.pollUnsafe())
      yield* fallSilent
      yield* Fiber.join(ending)
      assert.isFalse(isClosed())
    }))

  it.effect("is not asked to end what ends by itself within a moment", () =>
    Effect.gen(function*() {
      const { asked, connection, fallSilent } = busyConnection(Effect.void)
      const ending = yield* interrupting(connection, 1)
      yield* TestClock.adjust("9 millis")
      yield* fallSilent
      yield* Fiber.join(ending)
      assert.strictEqual(asked(), 0)
    }))
})
