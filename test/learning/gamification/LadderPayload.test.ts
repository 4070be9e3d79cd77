import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { LadderPayload, LevelId, LevelInput } from "../../../src/learning/gamification/Ladder.ts"

const id = LevelId.make("0190a000-0000-7000-8000-0000000abcde")
const decodeLevel = Schema.decodeUnknownResult(LevelInput, { onExcessProperty: "error" })
const decodePayload = Schema.decodeUnknownResult(LadderPayload)

describe("a level as it is sent", () => {
  it.each([
    ["a name of 40 characters, however many bytes", { name: "🎸".repeat(40), min_points: 0 }],
    ["the largest integer that the database holds", { name: "Top", min_points: 2_147_483_647 }],
    ["an id", { id: id, name: "Prata", min_points: 1 }]
  ])("takes %s", (_, level) => {
    assert.deepStrictEqual(Result.getOrThrow(decodeLevel(level)), level)
  })

  it.each([
    ["an empty name", { name: "", min_points: 0 }],
    ["a name of 41 characters", { name: "a".repeat(41), min_points: 0 }],
    ["no name", { min_points: 0 }],
    ["a negative min_points", { name: "Prata", min_points: -1 }],
    ["half a point", { name: "Prata", min_points: 0.5 }],
    ["more points than the database holds", { name: "Prata", min_points: 2_147_483_648 }],
    ["points as text", { name: "Prata", min_points: "100" }],
    ["an id that is no UUID", { id: "1", name: "Prata", min_points: 0 }],
    ["null for an id", { id: null, name: "Prata", min_points: 0 }],
    ["an unknown field", { name: "Prata", min_points: 0, color: "silver" }]
  ])("does not take %s", (_, level) => {
    assert.isTrue(Result.isFailure(decodeLevel(level)))
  })

  it("is found by its id in either case", () => {
    const upper = { id: id.toUpperCase(), name: "Prata", min_points: 0 }
    assert.strictEqual(Result.getOrThrow(decodeLevel(upper)).id, id)
  })

  it("may be one of any number at all, so that a wrong count has its own code", () => {
    const body = (count: number) => ({
      levels: Array.from({ length: count }, () => ({ name: "Prata", min_points: 0 }))
    })
    assert.deepStrictEqual(
      [0, 1, 13, 1000].map((count) => Result.isSuccess(decodePayload(body(count)))),
      [true, true, true, true]
    )
  })

  it("is described as one of 2 to 12", () => {
    const { schema } = Schema.toJsonSchemaDocument(LadderPayload)
    assert.deepNestedInclude(schema, { "properties.levels.minItems": 2, "properties.levels.maxItems": 12 })
  })
})
