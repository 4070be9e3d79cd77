import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Layer, Logger, References } from "effect"
import { TestClock } from "effect/testing"
import { RepeatedLinesLayer } from "../../../src/operations/telemetry/RepeatedLines.ts"

/** The lines of a logger behind the layer, as "message: repeated". */
const written = Effect.fnUntraced(function*<E>(lines: Effect.Effect<void, E>) {
  const said: Array<string> = []
  const writer = Logger.make(({ fiber, message }) => {
    const { repeated } = fiber.getRef(References.CurrentLogAnnotations)
    said.push(`${String(message)}${repeated === undefined ? "" : `: ${String(repeated)}`}`)
  })
  yield* Effect.provide(lines, RepeatedLinesLayer.pipe(Layer.provide(Logger.layer([writer]))))
  return said
})

describe("A line of the log that repeats", () => {
  it.effect("is written at once and then once a minute with a count, for as long as it comes", () =>
    Effect.gen(function*() {
      const said = yield* written(Effect.gen(function*() {
        for (let second = 0; second < 150; second++) {
          yield* Effect.logError("A batch failed", Cause.fail("gone"))
          yield* TestClock.adjust("1 second")
        }
        yield* TestClock.adjust("10 minutes")
        yield* Effect.logError("A batch failed", Cause.fail("gone"))
      }))
      const counts = said.filter((line) => line.includes(": ")).map((line) => Number(line.split(": ")[1]))
      assert.strictEqual(said[0], "A batch failed")
      assert.strictEqual(said.length - counts.length, 2)
      assert.isAtMost(counts.length, 3)
      assert.strictEqual(counts.reduce((sum, count) => sum + count, 0), 149)
    }))

  it.effect("tells its count when the process ends before the minute does", () =>
    Effect.gen(function*() {
      const said = yield* written(Effect.logWarning("No answer").pipe(Effect.repeat({ times: 4 }), Effect.asVoid))
      assert.deepStrictEqual(said, ["No answer", "No answer: 4"])
    }))

  it.effect("hides no line that says anything else", () =>
    Effect.gen(function*() {
      const said = yield* written(Effect.gen(function*() {
        yield* Effect.logError("Failed", Cause.fail("one"))
        yield* Effect.logError("Failed", Cause.fail("another"))
        yield* Effect.logWarning("Failed")
        yield* Effect.annotateLogs(Effect.logWarning("Failed"), { endpoint: "1" })
        yield* Effect.annotateLogs(Effect.logWarning("Failed"), { endpoint: "2" })
        yield* Effect.logWarning("Failed", { attempt: 2 })
      }))
      assert.strictEqual(said.length, 6)
    }))

  it.effect("is not counted below a warning: every request has its line", () =>
    Effect.gen(function*() {
      const said = yield* written(Effect.logInfo("Request").pipe(Effect.repeat({ times: 2 }), Effect.asVoid))
      assert.deepStrictEqual(said, ["Request", "Request", "Request"])
    }))
})
