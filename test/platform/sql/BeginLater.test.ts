import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { type SqlConnection, SqlError } from "effect/sql"
import { beginLater, controls } from "../../../src/platform/sql/BeginLater.ts"

const failed = new SqlError.SqlError({
  reason: new SqlError.UnknownError({ cause: new Error("canceled"), operation: "query" })
})

/** A connection that records statements and answers `begin` on the test's command. */
const noted = (begins: Effect.Effect<unknown, SqlError.SqlError>) => {
  const sent: Array<string> = []
  const send = (text: string) =>
    Effect.suspend(() => {
      sent.push(text)
      return Effect.as(text === controls.begin ? begins : Effect.void, [])
    })
  const connection: SqlConnection.Connection = {
    execute: send,
    executeRaw: send,
    executeUnprepared: send,
    executeValues: send,
    executeValuesUnprepared: send,
    executeStream: (text) => Stream.unwrap(Effect.as(send(text), Stream.empty))
  }
  return { sent, connection: beginLater(connection, (text) => text.startsWith("select")) }
}

const { begin, commit, rollback } = controls
const run = (connection: SqlConnection.Connection, text: string) => connection.execute(text, [], undefined)
const end = (connection: SqlConnection.Connection) => connection.executeRaw(commit, [])

describe("A transaction", () => {
  it.effect("is begun together with a first statement that leaves no trace", () =>
    Effect.gen(function*() {
      const answered = yield* Deferred.make<void>()
      const { connection, sent } = noted(Deferred.await(answered))
      assert.deepStrictEqual(yield* run(connection, begin), [])
      assert.deepStrictEqual(sent, [])
      const first = yield* Effect.forkChild(run(connection, "select"), { startImmediately: true })
      const second = yield* Effect.forkChild(run(connection, "select more"), { startImmediately: true })
      const write = yield* Effect.forkChild(run(connection, "update"), { startImmediately: true })
      const afterwards = yield* Effect.forkChild(run(connection, "select last"), { startImmediately: true })
      assert.deepStrictEqual(sent, [begin, "select", "select more"])
      yield* Deferred.succeed(answered, undefined)
      yield* Fiber.joinAll([first, second, write, afterwards])
      yield* end(connection)
      // In the order of the calls, even if some of them wait.
      assert.deepStrictEqual(sent, [begin, "select", "select more", "update", "select last", commit])
    }))

  it.effect("is begun before anything is written", () =>
    Effect.gen(function*() {
      for (const statement of ["update", "savepoint one"]) {
        const answered = yield* Deferred.make<void>()
        const { connection, sent } = noted(Deferred.await(answered))
        yield* run(connection, begin)
        const first = yield* Effect.forkChild(run(connection, statement), { startImmediately: true })
        assert.deepStrictEqual(sent, [begin])
        yield* Deferred.succeed(answered, undefined)
        yield* Fiber.join(first)
        assert.deepStrictEqual(sent, [begin, statement])
      }
    }))

  it.effect("is begun before rows are streamed", () =>
    Effect.gen(function*() {
      const { connection, sent } = noted(Effect.void)
      yield* run(connection, begin)
      yield* Stream.runDrain(connection.executeStream("select", [], undefined))
      assert.deepStrictEqual(sent, [begin, "select"])
    }))

  it.effect("in which nothing is asked is not begun", () =>
    Effect.gen(function*() {
      const { connection, sent } = noted(Effect.void)
      yield* run(connection, begin)
      yield* end(connection)
      yield* run(connection, begin)
      yield* run(connection, rollback)
      assert.deepStrictEqual(sent, [])
    }))

  it.effect("in which nothing is asked is over: what comes after it does not begin it", () =>
    Effect.gen(function*() {
      for (const over of [end, (connection: SqlConnection.Connection) => run(connection, rollback)]) {
        const { connection, sent } = noted(Effect.void)
        yield* run(connection, begin)
        yield* over(connection)
        yield* run(connection, "select")
        assert.deepStrictEqual(sent, ["select"])
      }
    }))

  it.effect("that cannot be begun writes nothing: all of its statements fail", () =>
    Effect.gen(function*() {
      const { connection, sent } = noted(Effect.fail(failed))
      yield* run(connection, begin)
      for (const statement of [run(connection, "select"), run(connection, "update"), end(connection)]) {
        assert.strictEqual(yield* Effect.flip(statement), failed)
      }
      yield* run(connection, rollback)
      assert.deepStrictEqual(sent, [begin, "select", rollback])
    }))
})
