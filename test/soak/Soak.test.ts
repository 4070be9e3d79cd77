import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { driverLayer, makeStand, PlatformLayer } from "../chaos/Stand.ts"
import { soak } from "./Soak.ts"
import { queues, tableTrends } from "./Tables.ts"

// Takes long: it runs through hours of a club.

layer(PlatformLayer, { excludeTestServices: true })("Days of a club", (it) => {
  it.effect(
    "lose nothing whatever goes wrong on them, and are looked at",
    () =>
      Effect.gen(function*() {
        const stand = yield* makeStand({ lease: 6, seed: 3 })
        const { curves, kills, outages, rules, statuses, tables } = yield* Effect.provide(
          soak(stand, { days: 3, seconds: 8, seed: 3 }),
          driverLayer(stand)
        )
        assert.deepStrictEqual(rules.filter(([, exceptions]) => exceptions === undefined || exceptions.length > 0), [])
        assert.isAbove(kills, 0)
        assert.strictEqual(outages, 3)
        assert.isAbove(statuses.get(200) ?? 0, 20)
        for (const { name, samples } of curves) {
          assert.isAbove(samples.length, 5, name)
          for (const { value } of samples) assert.isAbove(value, 0, name)
        }
        assert.includeMembers(tableTrends(tables).map(({ table }) => table), [...queues])
      })
  )
})
