import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { freshDatabaseUrl } from "../harness/Postgres.ts"
import { type Links, makeLinks } from "./Links.ts"
import { missingIn } from "./MustComeAbout.ts"
import { prepare, simulate, type Summary } from "./Simulation.ts"

/** The sessions of a file: its simulations share a database, one after another. */
class Sessions extends Context.Service<Sessions, Links>()("test/simulation/Sessions") {
  static readonly layer = Layer.effect(
    Sessions,
    freshDatabaseUrl.pipe(Effect.flatMap(makeLinks), Effect.tap(prepare), Effect.map(Sessions.of))
  )
}

/** Number of seeds, from 1 on. `.ci/run` asks for more than `npm test`, which must stay short. */
const seeds = Number(process.env["SIMULATED_SEEDS"] ?? 16)

const files = 4

/** Tests every fourth seed from this one on. The four files run in parallel with each other and with other tests. */
export const simulateSeeds = (file: 1 | 2 | 3 | 4): void => {
  describe("a month of webhooks keeps its rules", () => {
    const told: Array<Summary> = []
    layer(Sessions.layer, { excludeTestServices: true })((it) => {
      for (let seed: number = file; seed <= seeds; seed += files) {
        it.effect(`with seed ${seed}`, () =>
          Effect.gen(function*() {
            const summary = yield* simulate(yield* Sessions, seed)
            told.push(summary)
            assert.isAtLeast(summary.days, 30)
          }))
      }
      it("and all comes about that it has rules for", () => {
        assert.deepStrictEqual(missingIn(told), [])
      })
    })
  })
}

/** Tests that a seed decides the whole simulation. */
export const repeatSeed = (seed: number): void => {
  describe("a simulation", () => {
    layer(Sessions.layer, { excludeTestServices: true })((it) => {
      it.effect("is the same again with the same seed", () =>
        Effect.gen(function*() {
          const sessions = yield* Sessions
          const first = yield* simulate(sessions, seed)
          yield* simulate(sessions, seed + 1)
          assert.deepStrictEqual(yield* simulate(sessions, seed), first)
        }), 600_000)
    })
  })
}
