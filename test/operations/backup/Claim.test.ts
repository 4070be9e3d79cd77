import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Schema } from "effect"
import { SqlError } from "effect/sql"
import { TestClock } from "effect/testing"
import { Claim } from "../../../src/operations/backup/BackupRuns.ts"
import { untilLost } from "../../../src/operations/backup/BackupWorker.ts"

const claim = Schema.decodeSync(Claim)("a")

const away = new SqlError.SqlError({
  reason: new SqlError.ConnectionError({ cause: new Error("the connection was refused"), message: "refused" })
})

/** What becomes of a claim whose database answers so. */
const holding = (extend: Effect.Effect<boolean, SqlError.SqlError>) =>
  Effect.forkChild(Effect.flip(untilLost({ extend: () => extend }, claim)))

describe("The claim on a backup", () => {
  it.effect("outlives a database that is away for less than the claim holds", () =>
    Effect.gen(function*() {
      let isAway = false
      let extended = 0
      const fiber = yield* holding(Effect.suspend(() => {
        if (isAway) return Effect.fail(away)
        extended += 1
        return Effect.succeed(true)
      }))
      yield* TestClock.adjust("3 minutes")
      isAway = true
      yield* TestClock.adjust("6 minutes")
      assert.strictEqual(extended, 0)
      isAway = false
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(extended, 1)
      yield* TestClock.adjust("1 hour")
      assert.isAbove(extended, 10)
      assert.isUndefined(fiber.pollUnsafe())
      yield* Fiber.interrupt(fiber)
    }))

  it.effect("is lost once another may have it, also where the database never answers, and at once where it has", () =>
    Effect.gen(function*() {
      for (const extend of [Effect.fail(away), Effect.never]) {
        const fiber = yield* holding(extend)
        yield* TestClock.adjust("9 minutes")
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust("61 seconds")
        assert.match((yield* Fiber.join(fiber)).message, /^Another worker has taken it over/)
      }
      const taken = yield* holding(Effect.succeed(false))
      yield* TestClock.adjust("201 seconds")
      assert.match((yield* Fiber.join(taken)).message, /^Another worker has taken it over/)
    }))
})
