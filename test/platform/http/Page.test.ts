import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { keysetOf } from "../../../src/platform/http/Page.ts"

const cursors = keysetOf(Schema.Struct({ points: Schema.Int, id: Schema.String }))
const rows = [7, 7, 3].map((points, n) => ({ student: { id: `student ${n}` }, points }))
const pageOf = (limit: number) =>
  cursors.page(rows.slice(0, limit + 1), limit, ({ points, student }) => ({ points, id: student.id }))

describe("A page of a list that is not ordered by id", () => {
  it.effect("leaves out the row too many, and its cursor is the place of the last row on it", () =>
    Effect.gen(function*() {
      const { data, next_cursor } = yield* pageOf(2)
      assert.deepStrictEqual(data, rows.slice(0, 2))
      assert.deepStrictEqual(
        yield* cursors.read(next_cursor ?? undefined),
        Option.some({ points: 7, id: "student 1" })
      )
    }))

  it.effect.each([3, 4])("has no next one where all rows fit on %i", (limit) =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* pageOf(limit), { data: rows, next_cursor: null })
    }))

  it.effect("is empty without rows", () =>
    Effect.gen(function*() {
      const page = yield* cursors.page([], 25, () => ({ points: 0, id: "" }))
      assert.deepStrictEqual(page, { data: [], next_cursor: null })
    }))
})
