import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Schema } from "effect"
import { SqlError } from "effect/sql"
import { TestClock } from "effect/testing"
import { Claim } from "../../../src/operations/backup/BackupRuns.ts"
import { inTime, untilLost } from "../../../src/operations/backup/BackupWorker.ts"

const claim = Schema.decodeSync(Claim)("a")

const away = new SqlError.SqlError({
  reason: new SqlError.ConnectionError({ cause: new Error("the connection was refused"), message: "refused" })
})

/** The loss of a claim, if the database answers its extension like this. */
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

describe("The run of a backup", () => {
  it.effect("is given up after a day, or after as long as from one to the next where that is more", () =>
    Effect.gen(function*() {
      for (const [every, longest, given] of [[1 / 24, 1, "1d"], [1, 1, "1d"], [7, 7, "7d"]] as const) {
        const fiber = yield* Effect.forkChild(Effect.flip(inTime(Duration.days(every))(Effect.never)))
        yield* TestClock.adjust(Duration.subtract(Duration.days(longest), Duration.seconds(1)))
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust("1 second")
        assert.strictEqual((yield* Fiber.join(fiber)).message, `It took longer than ${given} and was stopped`)
      }
      assert.strictEqual(
        yield* inTime(Duration.hours(1))(Effect.as(Effect.sleep("23 hours"), 7)).pipe(
          Effect.forkChild,
          Effect.tap(() => TestClock.adjust("23 hours")),
          Effect.flatMap(Fiber.join)
        ),
        7
      )
    }))
})
