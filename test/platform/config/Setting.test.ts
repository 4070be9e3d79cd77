import { assert, describe, it } from "@effect/vitest"
import { Config, ConfigProvider, Effect, Option, Runtime } from "effect"
import { optionalSetting, setting } from "../../../src/platform/config/Setting.ts"

const environment = (variables: Record<string, string>) => ConfigProvider.layer(ConfigProvider.fromUnknown(variables))

const description = { variable: "SEATS", meaning: "how many", expected: "a whole number", example: "12" }

const seats = setting({ ...description, fallback: "4" }, Config.Int)
const optionalSeats = optionalSetting({ ...description, unset: "unset: everybody" }, Config.Int)

describe("a setting", () => {
  it.effect("is read from the environment", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* seats.read, 7)
      assert.deepStrictEqual(yield* optionalSeats.read, Option.some(7))
    }).pipe(Effect.provide(environment({ SEATS: "7" }))))

  it.effect("has its default, or none, without a value", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* seats.read, 4)
      assert.deepStrictEqual(yield* optionalSeats.read, Option.none())
    }).pipe(Effect.provide(environment({}))))

  it.effect("is unset when it is empty", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* seats.read, 4)
      assert.deepStrictEqual(yield* optionalSeats.read, Option.none())
    }).pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: { SEATS: "" } })))))

  it.effect("is refused rather than replaced by its default when it is malformed", () =>
    Effect.gen(function*() {
      for (const read of [Effect.asVoid(seats.read), Effect.asVoid(optionalSeats.read)]) {
        assert.strictEqual(
          (yield* Effect.flip(read)).message,
          "SEATS: expected a whole number, for example SEATS=12"
        )
      }
    }).pipe(Effect.provide(environment({ SEATS: "seven" }))))

  it.effect("never carries the value that was refused, and ends the process with 2", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(seats.read)
      assert.notInclude(JSON.stringify(error) + String(error) + (error.stack ?? ""), "s3cret")
      assert.strictEqual(Runtime.getErrorExitCode(error), 2)
    }).pipe(Effect.provide(environment({ SEATS: "s3cret" }))))

  it.effect("refuses a default that breaks its own rule", () =>
    Effect.gen(function*() {
      const wrong = setting({ ...description, fallback: "four" }, Config.Int)
      assert.strictEqual((yield* Effect.flip(wrong.read)).variable, "SEATS")
    }).pipe(Effect.provide(environment({}))))
})
