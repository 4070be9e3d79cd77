import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { freshDatabaseUrl } from "../harness/Postgres.ts"
import { type Links, makeLinks } from "./Links.ts"
import { prepare, simulate } from "./Simulation.ts"

/** The sessions of a file: its simulations share a database, one after another. */
class Sessions extends Context.Service<Sessions, Links>()("test/simulation/Sessions") {
  static readonly layer = Layer.effect(
    Sessions,
    freshDatabaseUrl.pipe(Effect.flatMap(makeLinks), Effect.tap(prepare), Effect.map(Sessions.of))
  )
}

const timeout = 120_000

/** Tests with so many seeds from the first one on. A file of them runs on one core. */
export const simulateSeeds = (first: number, count: number): void => {
  describe("a month of webhooks keeps its rules", () => {
    layer(Sessions.layer, { timeout: "60 seconds", excludeTestServices: true })((it) => {
      for (let seed = first; seed < first + count; seed++) {
        it.effect(`with seed ${seed}`, () =>
          Effect.gen(function*() {
            const { days } = yield* simulate(yield* Sessions, seed)
            assert.isAtLeast(days, 30)
          }), timeout)
      }
    })
  })
}

/** Tests that a seed tells the whole story. */
export const repeatSeed = (seed: number): void => {
  describe("a simulation", () => {
    layer(Sessions.layer, { timeout: "60 seconds", excludeTestServices: true })((it) => {
      it.effect("is the same again with the same seed", () =>
        Effect.gen(function*() {
          const sessions = yield* Sessions
          const first = yield* simulate(sessions, seed)
          yield* simulate(sessions, seed + 1)
          assert.deepStrictEqual(yield* simulate(sessions, seed), first)
        }), 3 * timeout)
    })
  })
}
