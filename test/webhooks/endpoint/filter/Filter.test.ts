import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { parseFilter } from "../../../../src/webhooks/endpoint/filter/Filter.ts"
import { judge, matches, reasons } from "../../../../src/webhooks/endpoint/filter/matches.ts"
import { judgeFilter, openFilter } from "../../../../src/webhooks/endpoint/filter/StoredFilter.ts"

const body = {
  type: "purchase.paid",
  occurred_at: "2026-04-01T09:30:00.000Z",
  data: {
    student: { email: "ana@people.example", verified: true, age: 31 },
    purchase: { amount_cents: 19_900, currency: "BRL", refunded_at: null, paid_at: "2026-04-01T09:29:00.000Z" },
    changed: ["name"]
  }
}

const parsed = (json: unknown) => Result.getOrThrow(parseFilter(json))
const passes = (json: unknown, event: unknown = body) => matches(parsed(json), event)
const problem = (json: unknown) => Result.match(parseFilter(json), { onSuccess: () => "", onFailure: String })

describe("A filter", () => {
  it.each([
    [{ field: "data.purchase.currency", equals: "BRL" }, true],
    [{ field: "data.purchase.currency", equals: "brl" }, false],
    [{ field: "data.student.age", equals: 31 }, true],
    [{ field: "data.student.age", equals: "31" }, false],
    [{ field: "data.student.verified", equals: true }, true],
    [{ field: "data.student.verified", equals: 1 }, false],
    [{ field: "data.purchase.refunded_at", equals: null }, true],
    [{ field: "data.purchase.nothing", equals: null }, false],
    [{ field: "data.purchase.currency", in: ["USD", "BRL"] }, true],
    [{ field: "data.student.age", in: ["31", null] }, false],
    [{ field: "data.nothing", in: [null] }, false],
    [{ field: "data.student", exists: true }, true],
    [{ field: "data.purchase.refunded_at", exists: true }, false],
    [{ field: "data.purchase.refunded_at", exists: false }, true],
    [{ field: "data.nothing.at.all", exists: false }, true],
    [{ field: "data.purchase.amount_cents", gt: 19_899, lt: 19_901 }, true],
    [{ field: "data.purchase.amount_cents", gt: 19_900 }, false],
    [{ field: "data.purchase.amount_cents", gte: 19_900, lte: 19_900 }, true],
    [{ field: "data.purchase.currency", gt: 0 }, false],
    [{ field: "occurred_at", gte: "2026-04-01T06:30:00-03:00" }, true],
    [{ field: "occurred_at", lt: "2026-04-01T09:30:00Z" }, false],
    [{ field: "data.purchase.amount_cents", gt: "2020-01-01T00:00:00Z" }, false],
    [{ not: { field: "type", equals: "student.created" } }, true],
    [{ all: [{ field: "type", exists: true }, { field: "type", equals: "x" }] }, false],
    [{ any: [{ field: "type", equals: "x" }, { field: "type", exists: true }] }, true]
  ])("reads %j", (json, expected) => {
    assert.strictEqual(passes(json), expected)
  })

  it("knows own fields of objects alone", () => {
    for (
      const field of [
        "__proto__",
        "constructor",
        "data.toString",
        "type.length",
        "data.changed.0",
        "data.changed.length"
      ]
    ) {
      assert.isTrue(passes({ field, exists: false }), field)
    }
    assert.isTrue(passes({ field: "__proto__.x", equals: 1 }, JSON.parse("{\"__proto__\":{\"x\":1}}")))
    for (const event of [null, 1, "text", []]) assert.isFalse(passes({ field: "length", exists: true }, event))
  })

  it.each([
    [null, "filter: must be"],
    ["x", "filter: must be"],
    [[], "filter: must be"],
    [{}, "filter: must be"],
    [{ field: "a" }, "filter: must have one of"],
    [{ field: "a", equals: 1, in: [1] }, "filter: must be"],
    [{ field: "a", equals: {} }, "filter: must be"],
    [{ field: "a", matches: ".*" }, "filter: must be"],
    [{ field: "", equals: 1 }, "filter: must be"],
    [{ field: "a..b", equals: 1 }, "filter: must be"],
    [{ field: "a.b.c.d.e.f.g.h.i", equals: 1 }, "filter: must be"],
    [{ field: "x".repeat(65), equals: 1 }, "filter: must be"],
    [{ field: "a", equals: "x".repeat(501) }, "filter: must be"],
    [{ field: "a", in: [] }, "filter: must be"],
    [{ field: "a", in: Array.from({ length: 101 }, (_, index) => index) }, "filter: must be"],
    [{ field: "a", gt: "yesterday" }, "filter: must be"],
    [{ field: "a", gt: 1, lt: "2026-04-01T00:00:00Z" }, "filter: must compare with"],
    [{ all: [] }, "filter: must be"],
    [{ all: [{ field: "a", exists: true }], any: [] }, "filter: must be"],
    [{ all: [{ field: "a", exists: true }, { not: { field: "a" } }] }, "filter.all[1].not: must have one of"],
    [{ not: { not: { not: { not: { not: { field: "a", exists: true } } } } } }, "not lie deeper than 5"],
    [
      { all: [1, 2].map(() => ({ any: Array.from({ length: 25 }, () => ({ field: "a", exists: true })) })) },
      "50 conditions"
    ]
  ])("is none that is %j", (json, expected) => {
    assert.include(problem(json), expected)
  })

  it("may have as much as is allowed", () => {
    const leaf = { field: "a.b.c.d.e.f.g.h", in: Array.from({ length: 100 }, (_, index) => index) }
    assert.strictEqual(problem({ not: { not: { not: { not: leaf } } } }), "")
    assert.strictEqual(problem({ any: Array.from({ length: 49 }, () => leaf) }), "")
  })

  it("is not followed into the depth where it never ends", () => {
    let deep: unknown = { field: "a", exists: true }
    for (let depth = 0; depth < 200_000; depth += 1) deep = depth % 2 === 0 ? { not: deep } : { all: [deep] }
    assert.include(problem(deep), "deeper than 5")
  })

  it("is 10,000 characters long at most", () => {
    const leaf = (length: number) => ({ field: "a", in: Array.from({ length }, (_, index) => `${index}`.padEnd(499)) })
    assert.isTrue(Result.isSuccess(judgeFilter(leaf(19))))
    assert.isTrue(Result.isFailure(judgeFilter(leaf(20))))
  })

  it("names the conditions without which it would match", () => {
    const filter = parsed({
      all: [
        { field: "type", equals: "purchase.paid" },
        { any: [{ field: "data.student.age", gt: 40 }, { field: "data.student.age", lt: 20 }] },
        { not: { any: [{ field: "data.purchase.currency", equals: "BRL" }, { field: "data.x", exists: true }] } }
      ]
    })
    assert.deepStrictEqual(reasons(filter, body), [
      "filter.all[1].any[0]",
      "filter.all[1].any[1]",
      "filter.all[2].not.any[0]"
    ])
    assert.deepStrictEqual(judge(filter, body).map(({ matches, place }) => [place, matches]), [
      ["filter.all[0]", true],
      ["filter.all[1].any[0]", false],
      ["filter.all[1].any[1]", false],
      ["filter.all[2].not.any[0]", true],
      ["filter.all[2].not.any[1]", false]
    ])
  })
})

const Name = Schema.Literals(["a", "b", "__proto__", "constructor"])
const Value = Schema.Union([
  Schema.Literals([0, 1, 2, "1", "x", "2026-04-01T00:00:00Z", "2026-04-01T02:00:00+02:00", true, false]),
  Schema.Null
])
const Path = Schema.Array(Name).check(Schema.isMinLength(1), Schema.isMaxLength(3))
const Leaf = Schema.Struct({
  path: Path,
  is: Schema.Literals(["equals", "in", "exists", "range"]),
  value: Value,
  other: Value,
  flag: Schema.Boolean,
  from: Schema.Literals([-1, 0, 1]),
  to: Schema.Literals([0, 1, 2])
})
const Shape = Schema.Array(Schema.Struct({
  is: Schema.Literals(["all", "any", "not"]),
  leaves: Schema.Array(Leaf).check(Schema.isMinLength(1), Schema.isMaxLength(3))
})).check(Schema.isMinLength(1), Schema.isMaxLength(4))
const Inner = Schema.Record(Name, Value)
const Body = Schema.Record(Name, Schema.Union([Value, Inner, Schema.Record(Name, Inner), Schema.Array(Value)]))

const jsonOf = ({ flag, from, is, other, path, to, value }: typeof Leaf.Type) => {
  const field = path.join(".")
  switch (is) {
    case "equals":
      return { field, equals: value }
    case "in":
      return { field, in: [value, other] }
    case "exists":
      return { field, exists: flag }
    case "range":
      return { field, gte: from, lt: to }
  }
}

/** The expected result, from the entries of the object and without the compiled filter. */
const naive = ({ flag, from, is, other, path, to, value }: typeof Leaf.Type, event: unknown) => {
  let found: ReadonlyArray<unknown> = [event]
  for (const name of path) {
    found = found.flatMap((one) =>
      typeof one === "object" && one !== null && !Array.isArray(one)
        ? Object.entries(one).filter(([key]) => key === name).map(([, inner]) => inner)
        : []
    )
  }
  const [first] = found
  switch (is) {
    case "equals":
      return found.length > 0 && first === value
    case "in":
      return found.length > 0 && (first === value || first === other)
    case "exists":
      return (found.length > 0 && first !== null) === flag
    case "range":
      return typeof first === "number" && first >= from && first < to
  }
}

describe("Any filter", () => {
  it.prop("says what a reading of the body says, and names a reason exactly where it does not match", [Shape, Body], (
    [shape, event]
  ) => {
    const json = {
      all: shape.map(({ is, leaves }) =>
        is === "not" ? { not: { all: leaves.map(jsonOf) } } : { [is]: leaves.map(jsonOf) }
      )
    }
    const expected = shape.every(({ is, leaves }) => {
      const results = leaves.map((leaf) => naive(leaf, event))
      if (is === "any") return results.some((one) => one)
      return is === "all" ? results.every((one) => one) : !results.every((one) => one)
    })
    const filter = parsed(json)
    assert.strictEqual(matches(filter, event), expected)
    assert.strictEqual(reasons(filter, event).length === 0, expected)
  }, { arbitrary: { runs: 300 } })

  it("is read once for all events that an endpoint is asked about", () => {
    const json = { field: "data.student.age", gt: 30 }
    const opened = openFilter(json)
    assert.isNotNull(opened)
    assert.strictEqual(openFilter(json), opened)
    assert.isNull(openFilter({ field: "a", like: "x" }))
  })

  it("reads a moment once for all conditions about it", () => {
    const moments = new Map<string, number | undefined>()
    const range = (gte: string) => ({ field: "occurred_at", gte })
    const filter = parsed({ all: [range("2026-04-01T09:00:00Z"), range("2026-04-01T09:30:00Z")] })
    assert.isTrue(matches(filter, body, moments))
    assert.deepStrictEqual([...moments], [[body.occurred_at, Date.parse(body.occurred_at)]])
    moments.set(body.occurred_at, 0)
    assert.isFalse(matches(filter, body, moments))
  })

  it.prop("is parsed or refused, whatever is written", [Schema.Json], ([json]) => {
    const result = parseFilter(json)
    if (Result.isSuccess(result)) assert.isBoolean(matches(result.success, json))
  })
})
