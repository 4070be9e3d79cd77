import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, DateTime, Schema } from "effect"
import {
  accessSteps,
  type ChargeTimes,
  effectsBetween,
  effectsOf,
  noTimes,
  statusOf,
  timeFieldOf,
  withFact
} from "../../../../src/commerce/sales/purchase/Purchase.ts"

const Kind = Schema.Literals(["approved", "refunded", "chargeback", "dispute_won"])
const Fact = Schema.Struct({ kind: Kind, day: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 28 })) })
const Facts = Schema.Array(Fact).check(Schema.isMaxLength(8))

const on = (day: number) => DateTime.makeUnsafe(Date.UTC(2026, 2, day))
const tellAll = (facts: typeof Facts.Type, before: ChargeTimes = noTimes) =>
  facts.reduce((times, { day, kind }) => withFact(times, kind, on(day)), before)

const of = (...kinds: ReadonlyArray<typeof Kind.Type>) =>
  tellAll(kinds.map((kind, index) => ({ kind, day: index + 1 })))

describe("The events of a charge", () => {
  it.prop("is the same in whatever order it comes", { facts: Facts }, ({ facts }) => {
    assert.deepStrictEqual(tellAll(facts.toReversed()), tellAll(facts))
    assert.deepStrictEqual(tellAll([...facts, ...facts]), tellAll(facts))
  })

  it.prop("only adds effects", { first: Facts, more: Facts }, ({ first, more }) => {
    const before = tellAll(first)
    for (const [what, count] of Object.entries(effectsBetween(before, tellAll(more, before)))) {
      assert.isAtLeast(count, 0, what)
    }
  })

  it.prop("adds up to the same effects, however it is divided", { first: Facts, more: Facts }, ({ first, more }) => {
    const [between, end] = [tellAll(first), tellAll(more, tellAll(first))]
    const sum = Object.entries(effectsBetween(noTimes, between)).map(([what, count]) => [
      what,
      count + (Object.entries(effectsBetween(between, end)).find(([name]) => name === what)?.[1] ?? 0)
    ])
    assert.deepStrictEqual(Object.fromEntries(sum), effectsOf(end))
  })

  it.prop("leaves access exactly while it is paid", { facts: Arbitrary.schema(Facts) }, ({ facts }) => {
    const times = tellAll(facts)
    const { paid, restored, revoked } = effectsOf(times)
    const hasAccess = paid - revoked + restored
    assert.strictEqual(hasAccess, times.paid_at !== null && statusOf(times) === "paid" ? 1 : 0)
  })

  it.each([
    [["approved"], "paid"],
    [["approved", "refunded"], "refunded"],
    [["approved", "chargeback"], "chargeback"],
    [["approved", "refunded", "chargeback"], "chargeback"],
    [["approved", "chargeback", "dispute_won"], "paid"],
    [["approved", "chargeback", "dispute_won", "refunded"], "refunded"],
    [["refunded"], "refunded"],
    [["approved", "dispute_won"], "paid"]
  ] as const)("%j makes it %s", (kinds, status) => {
    assert.strictEqual(statusOf(of(...kinds)), status)
  })

  it("tells of a refund and a chargeback of the same money once, and again only after a dispute was won", () => {
    assert.strictEqual(effectsOf(of("approved", "refunded", "chargeback")).refunded, 1)
    assert.strictEqual(effectsOf(of("approved", "chargeback", "dispute_won", "refunded")).refunded, 2)
  })

  it("takes the earlier of two times", () => {
    assert.deepStrictEqual(withFact(withFact(noTimes, "approved", on(5)), "approved", on(3)).paid_at, on(3))
    assert.strictEqual(timeFieldOf.chargeback, "charged_back_at")
  })
})

describe("The steps of an access", () => {
  it.each([
    [false, { revoked: 1, restored: 0 }, ["revoke"]],
    [true, { revoked: 1, restored: 1 }, ["restore", "revoke"]],
    [false, { revoked: 2, restored: 1 }, ["revoke", "restore", "revoke"]],
    [true, { revoked: 1, restored: 0 }, []],
    [false, { revoked: 0, restored: 1 }, []]
  ])("lost %j, with %j to come, are %j", (lost, counts, steps) => {
    assert.deepStrictEqual<ReadonlyArray<string>>(accessSteps(lost, counts), steps)
  })
})
