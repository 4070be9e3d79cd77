import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { CountedGroup, emptyPreview, withCounted } from "../../../../src/webhooks/history/recovery/Preview.ts"

const Group = Schema.Struct({
  ...CountedGroup.fields,
  event_type: Schema.Literals(["student.created", "purchase.paid", "lesson.completed"]),
  date: Schema.Literals(["2026-11-19", "2026-11-20", "2026-11-21"]),
  count: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 }))
})
const Batches = Schema.Array(Schema.Array(Group).check(Schema.isMaxLength(6))).check(Schema.isMaxLength(6))

const sum = (counted: ReadonlyArray<{ readonly count: number }>) => counted.reduce((all, { count }) => all + count, 0)

describe("The preview of a recovery", () => {
  it.prop("is the same however it was cut into batches", [Batches], ([batches]) => {
    const inBatches = batches.reduce(withCounted, emptyPreview)
    assert.deepStrictEqual(inBatches, withCounted(emptyPreview, batches.flat()))
  })

  it.prop("counts each delivery once, by type, by day and by what it was", [Batches], ([batches]) => {
    const groups = batches.flat()
    const { by_day, by_type, endpoint_disabled, failed, left_out, total } = withCounted(emptyPreview, groups)
    assert.strictEqual(total + sum(Object.values(left_out).map((count) => ({ count }))), sum(groups))
    assert.deepStrictEqual([failed + endpoint_disabled, sum(by_type), sum(by_day)], [total, total, total])
    assert.deepStrictEqual(by_day.map(({ date }) => date), [...new Set(by_day.map(({ date }) => date))].toSorted())
  })
})
