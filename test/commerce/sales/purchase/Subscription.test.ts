import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import {
  type Cancellation,
  cancellationsOf,
  type Lateness,
  latestCharge,
  pastDuesOf,
  stateOf,
  type SubscriptionCharge,
  type SubscriptionHistory,
  withoutEvent
} from "../../../../src/commerce/sales/purchase/Subscription.ts"

const day = (n: number) => DateTime.makeUnsafe(Date.UTC(2026, 0, n))

const charge = (n: number, given: Partial<SubscriptionCharge> = {}): SubscriptionCharge => ({
  external_id: `HP${n}`,
  recurrence: n,
  lateness_key: `recurrence:${n}`,
  period_end: day(n * 30 + 30),
  paid_at: day(n * 30),
  ...given
})

const late = (n: number, since = n * 30 - 2): Lateness => ({ key: `recurrence:${n}`, since: day(since), told: false })

const told = (given: Partial<SubscriptionHistory>): SubscriptionHistory => ({
  charges: [charge(1)],
  latenesses: [],
  cancellations: [],
  ...given
})

const ended = (n: number, until: number | null = null): Cancellation => ({
  at: day(n),
  until: until === null ? null : day(until),
  told: false
})

const statusOf = (given: Partial<SubscriptionHistory>) => stateOf(told(given)).status

describe("A subscription", () => {
  it("is active with the charges that are paid, until the last one's end", () => {
    const charges = [charge(2), charge(1)]
    assert.deepStrictEqual(stateOf(told({ charges })), {
      status: "active",
      past_due_since: null,
      canceled_at: null,
      current_period_end: day(90)
    })
    assert.strictEqual(latestCharge(charges)?.external_id, "HP2")
  })

  it("is past due since the first charge that is late", () => {
    const latenesses = [late(3), late(2)]
    assert.deepInclude(stateOf(told({ latenesses })), { status: "past_due", past_due_since: day(58) })
  })

  it.each([
    ["that charge", charge(2)],
    ["any charge after it", charge(5, { lateness_key: null })],
    ["that charge, whatever the clocks say", charge(2, { paid_at: day(57) })]
  ])("is no longer past due once %s is paid", (_, paid) => {
    assert.strictEqual(stateOf(told({ charges: [charge(1), paid], latenesses: [late(2)] })).status, "active")
  })

  it("stays past due when an earlier charge is paid late in the telling", () => {
    assert.strictEqual(stateOf(told({ charges: [charge(1), charge(0)], latenesses: [late(2)] })).status, "past_due")
  })

  it("becomes late once, however many of its charges are late at a time", () => {
    assert.deepStrictEqual(pastDuesOf(told({ latenesses: [late(2), late(3), late(4)] })), [late(2)])
  })

  it("becomes late again once it was paid in between", () => {
    const charges = [charge(1), charge(2)]
    assert.deepStrictEqual(pastDuesOf(told({ charges, latenesses: [late(2), late(3)] })), [late(2), late(3)])
  })

  it("is canceled until the end that the cancellation names, even while a charge is late", () => {
    const canceled = told({ cancellations: [ended(40, 50)], latenesses: [late(2)] })
    assert.deepStrictEqual(stateOf(canceled), {
      status: "canceled",
      past_due_since: null,
      canceled_at: day(40),
      current_period_end: day(50)
    })
  })

  it("is canceled until the end of what was paid where the cancellation names none", () => {
    assert.deepStrictEqual(stateOf(told({ cancellations: [ended(40)] })).current_period_end, day(60))
  })

  it("is begun anew by a renewal after the cancellation, but not by its first charge", () => {
    assert.strictEqual(statusOf({ cancellations: [ended(40)], charges: [charge(2)] }), "canceled")
    assert.strictEqual(statusOf({ cancellations: [ended(40)], charges: [] }), "canceled")
    assert.strictEqual(statusOf({ cancellations: [ended(40)], charges: [charge(1), charge(2)] }), "active")
    assert.deepInclude(stateOf(told({ cancellations: [ended(40, 45)], charges: [charge(1), charge(2)] })), {
      status: "active",
      current_period_end: day(90)
    })
  })
})

describe("A cancellation", () => {
  it("is not undone by a charge that is told later of the period that it leaves, but by one of the next", () => {
    const cancellations = [ended(70, 90)]
    const toldLate = charge(2, { paid_at: day(71) })
    assert.strictEqual(statusOf({ cancellations, charges: [charge(1), toldLate] }), "canceled")
    assert.strictEqual(statusOf({ cancellations, charges: [charge(1), toldLate, charge(3)] }), "active")
  })

  it("that another one repeats is the same ending, from the first on, until when the last one says", () => {
    const twice = told({ cancellations: [ended(40, 60), ended(45, 50), ended(46)] })
    assert.deepStrictEqual(cancellationsOf(twice).map(({ at }) => at), [day(40)])
    assert.deepInclude(stateOf(twice), { canceled_at: day(40), current_period_end: day(50) })
  })

  it("after a renewal is another one", () => {
    const twice = told({ cancellations: [ended(40), ended(70)], charges: [charge(1), charge(2)] })
    assert.deepStrictEqual(cancellationsOf(twice).map(({ at }) => at), [day(40), day(70)])
    assert.deepInclude(stateOf(twice), { status: "canceled", canceled_at: day(70) })
  })
})

describe("What is to be told of", () => {
  it("is each time that was not told of", () => {
    const charges = [charge(1), charge(2)]
    const times = pastDuesOf(told({ charges, latenesses: [late(2), { ...late(3), told: true }] }))
    assert.deepStrictEqual(withoutEvent(times, 1), [late(2)])
  })

  it("is no time of which a later part was told", () => {
    const times = pastDuesOf(told({ latenesses: [late(2), { ...late(3), told: true }] }))
    assert.deepStrictEqual(withoutEvent(times, 1), [])
    const endings = cancellationsOf(told({ cancellations: [ended(40), { ...ended(45), told: true }] }))
    assert.deepStrictEqual(withoutEvent(endings, 1), [])
  })
})

const Days = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 6 }))
const AnyHistory = Schema.Struct({
  ended: Schema.Array(Days).check(Schema.isMaxLength(4)),
  paid: Schema.Array(Days).check(Schema.isMaxLength(6)),
  late: Schema.Array(Days).check(Schema.isMaxLength(6))
})
const historyOf = ({ ended: ends, late: lates, paid }: typeof AnyHistory.Type) =>
  told({
    cancellations: [...new Set(ends)].map((n) => ended(n * 30 + 10, n % 2 === 0 ? null : n * 30 + 12)),
    charges: [...new Set(paid)].map((n) => charge(n)),
    latenesses: [...new Set(lates)].map((n) => late(n))
  })

describe("The events of a subscription", () => {
  it.prop("comes to the same in any order", { any: AnyHistory }, ({ any }) => {
    const reversed = { paid: any.paid.toReversed(), late: any.late.toReversed(), ended: any.ended.toReversed() }
    const [one, other] = [historyOf(any), historyOf(reversed)]
    assert.deepStrictEqual(stateOf(one), stateOf(other))
    assert.deepStrictEqual(pastDuesOf(one), pastDuesOf(other))
    assert.deepStrictEqual(cancellationsOf(one), cancellationsOf(other))
  })

  it.prop("never makes it late or canceled less often", { any: AnyHistory, more: AnyHistory }, ({ any, more }) => {
    const both = historyOf({
      paid: [...any.paid, ...more.paid],
      late: [...any.late, ...more.late],
      ended: [...any.ended, ...more.ended]
    })
    assert.isAtLeast(pastDuesOf(both).length, pastDuesOf(historyOf(any)).length)
    assert.isAtLeast(cancellationsOf(both).length, cancellationsOf(historyOf(any)).length)
  })
})
