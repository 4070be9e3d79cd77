import { Effect, Fiber, Stream } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"

/** The statements that begin and end a transaction on such a connection. */
export const controls = { begin: "begin", commit: "commit", rollback: "rollback" } as const

type Asked<A> = Effect.Effect<A, SqlError.SqlError>

const nothing = Effect.succeed([])

/**
 * A transaction's connection on which `begin` costs no round trip. It is sent together with the first statement if that
 * one only reads or locks, and so leaves no trace outside of a transaction. Without a statement it is never sent. If
 * `begin` fails, all statements fail. A first statement that writes is sent once the transaction has begun.
 */
export const beginLater = (
  connection: SqlConnection.Connection,
  leavesNoTrace: (text: string) => boolean
): SqlConnection.Connection => {
  let isOwed = false
  let beginning: Fiber.Fiber<unknown, SqlError.SqlError> | undefined
  /** Something waits for the answer to `begin`, and so does what is asked after it. */
  let awaitsBegin = false

  const begun: Asked<void> = Effect.suspend(() =>
    beginning === undefined ? Effect.void : Effect.map(Fiber.join(beginning), () => {
      beginning = undefined
      awaitsBegin = false
    })
  )
  const sendBegin = Effect.suspend(() => {
    isOwed = false
    return Effect.map(
      Effect.forkDetach(connection.execute(controls.begin, [], undefined), { startImmediately: true }),
      (fiber) => {
        beginning = fiber
      }
    )
  })
  const behindBegin = <A>(text: string, statement: Asked<A>): Asked<A> => {
    awaitsBegin ||= !leavesNoTrace(text)
    return awaitsBegin ? Effect.andThen(begun, statement) : Effect.tap(statement, begun)
  }
  const ask = <A>(text: string, statement: Asked<A>): Asked<A> =>
    Effect.suspend(() => {
      if (isOwed) return Effect.andThen(sendBegin, behindBegin(text, statement))
      return beginning === undefined ? statement : behindBegin(text, statement)
    })
  const unlessOwed = <A>(end: Asked<A>, instead: Asked<A>): Asked<A> =>
    Effect.suspend(() => {
      if (!isOwed) return end
      // A transaction that never began is over: no later statement may begin it.
      isOwed = false
      return instead
    })

  return {
    execute: (text, params, transformRows) => {
      const statement = connection.execute(text, params, transformRows)
      if (text === controls.begin) return Effect.andThen(Effect.sync(() => void (isOwed = true)), nothing)
      return text === controls.rollback ? unlessOwed(statement, nothing) : ask(text, statement)
    },
    executeRaw: (text, params) => {
      const statement = ask(text, connection.executeRaw(text, params))
      return text === controls.commit ? unlessOwed(statement, nothing) : statement
    },
    executeUnprepared: (text, params, transformRows) =>
      ask(text, connection.executeUnprepared(text, params, transformRows)),
    executeValues: (text, params) => ask(text, connection.executeValues(text, params)),
    executeValuesUnprepared: (text, params) => ask(text, connection.executeValuesUnprepared(text, params)),
    executeStream: (text, params, transformRows) =>
      Stream.unwrap(Effect.andThen(
        Effect.suspend(() => isOwed ? Effect.andThen(sendBegin, begun) : begun),
        Effect.succeed(connection.executeStream(text, params, transformRows))
      ))
  }
}
