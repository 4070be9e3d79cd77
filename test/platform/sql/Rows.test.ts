import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Option, Result, Schema } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { faultsDie, first, inTransaction, one, rows } from "../../../src/platform/sql/Rows.ts"
import { EmptyPostgresLayer } from "../../harness/Postgres.ts"

const Course = Schema.Struct({ id: Schema.Int, starts_at: Schema.DateTimeUtcFromDate })
const decodeCourses = rows(Course)
const decodeFirst = first(Course)
const decodeOne = one(Course)

class CourseExists extends Schema.TaggedError<CourseExists>()("CourseExists", {}) {}

/** This many courses. */
const courses = Effect.fnUntraced(function*(count: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`
    select id, '2026-11-21T10:00:00Z'::timestamptz as starts_at from generate_series(1, ${count}::int) as id order by id`
})

const misspelt = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select 'one' as id, now() as starts_at`)

const refused = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select id from courses_that_nobody_made`)

const defectOf = Effect.fnUntraced(function*<A, R>(effect: Effect.Effect<A, never, R>) {
  const exit = yield* Effect.exit(effect)
  return Exit.isFailure(exit) ? Result.getOrUndefined(Cause.findDefect(exit.cause)) : undefined
})

layer(EmptyPostgresLayer)("A statement decoded with a schema", (it) => {
  it.effect("answers all rows, or none", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* courses(3).pipe(decodeCourses)).map(({ id }) => id), [1, 2, 3])
      assert.deepStrictEqual(yield* courses(0).pipe(decodeCourses), [])
    }))

  it.effect("answers the first row, if there is one", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(Option.map(yield* courses(2).pipe(decodeFirst), ({ id }) => id), Option.some(1))
      assert.deepStrictEqual(yield* courses(0).pipe(decodeFirst), Option.none())
    }))

  it.effect("answers the one row", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* courses(1).pipe(decodeOne)).id, 1)
    }))

  it.effect("dies when the one row is missing or not alone", () =>
    Effect.gen(function*() {
      assert.isTrue(Schema.isSchemaError(yield* defectOf(courses(0).pipe(decodeOne))))
      assert.isTrue(Schema.isSchemaError(yield* defectOf(courses(2).pipe(decodeOne))))
    }))

  it.effect("dies of rows that are not what the schema says", () =>
    Effect.gen(function*() {
      assert.isTrue(Schema.isSchemaError(yield* defectOf(misspelt.pipe(decodeCourses))))
      assert.isTrue(Schema.isSchemaError(yield* defectOf(misspelt.pipe(decodeFirst))))
      assert.isTrue(Schema.isSchemaError(yield* defectOf(misspelt.pipe(decodeOne))))
    }))

  it.effect("dies of a statement that the database refuses", () =>
    Effect.gen(function*() {
      assert.isTrue(SqlError.isSqlError(yield* defectOf(refused.pipe(decodeCourses))))
      assert.isTrue(SqlError.isSqlError(yield* defectOf(refused.pipe(decodeFirst))))
      assert.isTrue(SqlError.isSqlError(yield* defectOf(refused.pipe(decodeOne))))
    }))

  it.effect("keeps the error that its own handler made of a fault", () =>
    Effect.gen(function*() {
      const handled = refused.pipe(Effect.catchTag("SqlError", () => new CourseExists()), decodeCourses)
      const error: CourseExists = yield* Effect.flip(handled)
      assert.strictEqual(error._tag, "CourseExists")
    }))

  it.effect("shares the spelling of its defects with statements that answer no rows", () =>
    Effect.gen(function*() {
      assert.isTrue(SqlError.isSqlError(yield* defectOf(faultsDie(refused))))
      const error: CourseExists = yield* Effect.flip(faultsDie(Effect.fail(new CourseExists())))
      assert.strictEqual(error._tag, "CourseExists")
    }))

  it.effect("leaves nothing in a transaction that fails or dies", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`create table taken_courses (id int)`
      const take = sql`insert into taken_courses values (1)`
      const error: CourseExists = yield* Effect
        .flip(Effect.andThen(take, Effect.fail(new CourseExists())).pipe(inTransaction(sql)))
      assert.strictEqual(error._tag, "CourseExists")
      assert.isTrue(SqlError.isSqlError(yield* defectOf(Effect.andThen(take, refused).pipe(inTransaction(sql)))))
      assert.deepStrictEqual(yield* sql`select id from taken_courses`, [])
      yield* take.pipe(inTransaction(sql))
      assert.deepStrictEqual(yield* sql`select id from taken_courses`, [{ id: 1 }])
    }))
})
