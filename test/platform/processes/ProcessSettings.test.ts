import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { availableParallelism } from "node:os"
import { processCountSettings } from "../../../src/platform/processes/ProcessSettings.ts"

const countOf = (environment: { readonly PROCESSES?: string }) =>
  Effect.provide(processCountSettings.PROCESSES.read, ConfigProvider.layer(ConfigProvider.fromUnknown(environment)))

describe("PROCESSES", () => {
  it.effect("auto is one process for each core that is available", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* countOf({ PROCESSES: "auto" }), Math.min(128, availableParallelism()))
    }))

  it.effect("is the number itself, and one process without it", () =>
    Effect.gen(function*() {
      const counts = [yield* countOf({}), yield* countOf({ PROCESSES: "1" }), yield* countOf({ PROCESSES: "128" })]
      assert.deepStrictEqual(counts, [1, 1, 128])
    }))

  it.effect.each(["0", "-1", "1.5", "many", "129"])("%s is refused by name", (PROCESSES) =>
    Effect.gen(function*() {
      const { message } = yield* Effect.flip(countOf({ PROCESSES }))
      assert.strictEqual(
        message,
        "PROCESSES: expected a whole number from 1 to 128, or auto, for example PROCESSES=auto"
      )
    }))
})
