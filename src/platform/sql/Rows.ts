import { Effect, Option, Schema } from "effect"
import { type SqlClient, SqlError } from "effect/sql"

// Decodes the answer of a statement with a schema. Effect's `SqlSchema` also wants a schema of the request, and leaves
// the faults in the type. Here arguments have their types where they are written, and no caller can handle a fault.

type Fault = SqlError.SqlError | Schema.SchemaError

const isExpected = <E>(error: E): error is Exclude<E, Fault> =>
  !SqlError.isSqlError(error) && !Schema.isSchemaError(error)

/** `Effect.orDie` for faults alone: a refused statement or a row that is not what its schema says. Other errors stay. */
export const faultsDie = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.catch(effect, (error) => isExpected(error) ? Effect.fail(error) : Effect.die(error))

/** Runs a change in a transaction. Faults die, those of beginning and ending the transaction too. */
export const inTransaction = (sql: SqlClient.SqlClient) => <A, E, R>(change: Effect.Effect<A, E, R>) =>
  faultsDie(sql.withTransaction(change))

/**
 * Makes a decoder of all rows of a statement: `` sql`…`.pipe(decodeMembers) `` with `const decodeMembers = rows(Member)`.
 * Make it once, beside the schema and outside of the function that runs the statement: it compiles the schema. Faults die;
 * errors that the statement's own handlers made of a fault stay.
 */
export const rows = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(schema))
  return <E, R>(statement: Effect.Effect<ReadonlyArray<unknown>, E, R>) =>
    faultsDie(Effect.flatMap(statement, (found) => decode(found)))
}

/** Like `rows`, for the first row; `None` without a row. */
export const first = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(schema)
  return <E, R>(statement: Effect.Effect<ReadonlyArray<unknown>, E, R>) =>
    faultsDie(Effect.flatMap(statement, ([row]) => row === undefined ? Effect.succeedNone : Effect.asSome(decode(row))))
}

/** Like `first`, failing with the error that `missing` makes when there is no row. */
export const firstOr = <A, I, M>(schema: Schema.Codec<A, I>, missing: () => M) => {
  const decode = first(schema)
  return <E, R>(statement: Effect.Effect<ReadonlyArray<unknown>, E, R>) =>
    Effect.flatMap(decode(statement), Option.match({ onNone: () => Effect.fail(missing()), onSome: Effect.succeed }))
}

/** Like `rows`, of a statement that answers exactly one row: any other number of rows is a defect. */
export const one = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Tuple([schema]))
  return <E, R>(statement: Effect.Effect<ReadonlyArray<unknown>, E, R>) =>
    faultsDie(Effect.map(Effect.flatMap(statement, (found) => decode(found)), ([row]) => row))
}
