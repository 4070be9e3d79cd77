import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import { backOff } from "../../../src/platform/jobs/BackOff.ts"

const seconds = (delayAfter: (failures: number) => Duration.Duration, failures: ReadonlyArray<number>) =>
  failures.map((count) => Duration.toSeconds(delayAfter(count)))

describe("A back-off", () => {
  it("doubles from the first wait up to the longest", () => {
    const delayAfter = backOff({ first: "10 seconds", longest: "10 minutes" })
    assert.deepStrictEqual(seconds(delayAfter, [1, 2, 3, 6, 7, 1_000_000]), [10, 20, 40, 320, 600, 600])
  })

  it("grows by another factor", () => {
    const delayAfter = backOff({ first: "1 second", longest: "5 minutes", factor: 4 })
    assert.deepStrictEqual(seconds(delayAfter, [1, 2, 3, 5, 6, 1000]), [1, 4, 16, 256, 300, 300])
  })
})
