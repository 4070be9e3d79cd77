import { assert, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { SqlError } from "effect/sql"
import { PublicIdTaken } from "../../../src/learning/content/PublicId.ts"
import { orPublicIdTaken } from "../../../src/learning/content/PublicIdWrite.ts"

const failing = (reason: SqlError.SqlError["reason"]) =>
  Effect.exit(orPublicIdTaken(Effect.fail(new SqlError.SqlError({ reason }))))

const options = { cause: new Error("refused") }

it.effect("a public id that another one has is refused", () =>
  Effect.gen(function*() {
    const exit = yield* failing(new SqlError.UniqueViolation({ ...options, constraint: "lessons_public_id" }))
    assert.deepStrictEqual(exit, Exit.fail(new PublicIdTaken()))
  }))

it.effect("a database that is away while a public id is written is answered as everywhere", () =>
  Effect.gen(function*() {
    const exit = yield* failing(new SqlError.ConnectionError(options))
    const defects = Exit.isFailure(exit) ? exit.cause.reasons.filter(Cause.isDieReason) : []
    assert.deepStrictEqual(defects.map(({ defect }) => SqlError.isSqlError(defect)), [true])
  }))
