import { assert, describe, it } from "@effect/vitest"
import {
  boolean,
  integer,
  listOf,
  nullOr,
  oneOf,
  randomUuid,
  record,
  type Shape,
  string,
  timestamp,
  uuid
} from "./Shape.ts"

// The contract's tests depend on these complaints, so the complaints are tested too.
describe("A shape", () => {
  const level = record({ name: string, points: integer })

  it.each<[Shape, unknown]>([
    [string, ""],
    [boolean, false],
    [integer, -1],
    [uuid, "0190a000-0000-7000-8000-000000000001"],
    [randomUuid, "0b8f7a1e-6f5d-4c3b-8a29-1d0e9f8c7b6a"],
    [timestamp, "2026-01-31T12:00:00.000Z"],
    [oneOf("a", "b"), "b"],
    [nullOr(string), null],
    [nullOr(string), "a"],
    [level, { name: "A", points: 0 }],
    [listOf(level), [{ name: "A", points: 0 }]]
  ])("is content: %#", (shape, value) => {
    assert.deepStrictEqual(shape(value), [])
  })

  it.each<[Shape, unknown, string]>([
    [string, 1, "data: not a string"],
    [boolean, 0, "data: not a boolean"],
    [integer, 0.5, "data: not an integer"],
    [integer, "1", "data: not an integer"],
    [uuid, "1", "data: not a UUID, version 7"],
    [uuid, "0b8f7a1e-6f5d-4c3b-8a29-1d0e9f8c7b6a", "data: not a UUID, version 7"],
    [randomUuid, "0190a000-0000-7000-8000-000000000001", "data: not a UUID, version 4"],
    [timestamp, "2026-01-31T12:00:00Z", "data: not a timestamp"],
    [timestamp, "2026-01-31T12:00:00.000+03:00", "data: not a timestamp"],
    [oneOf("a", "b"), "c", "data: not one of a, b"],
    [nullOr(string), undefined, "data: not a string"],
    [listOf(level), [], "data: not a list with items"],
    [level, [], "data: not a record"],
    [level, { name: "A" }, "data.points: missing"],
    [level, { name: "A", points: 0, color: "red" }, "data.color: invented"],
    [listOf(level), [{ name: "A", points: 0 }, { name: "B", points: null }], "data[1].points: not an integer"]
  ])("complains: %#", (shape, value, complaint) => {
    assert.deepStrictEqual(shape(value), [complaint])
  })
})
