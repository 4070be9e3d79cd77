import { assert, layer } from "@effect/vitest"
import { Effect, Schema, Struct } from "effect"
import { TestClock } from "effect/testing"
import type { PurchaseFact, SaleFact } from "../../../../src/commerce/sales/platform/Platform.ts"
import { at, chargeOf, eventsOf, openShop, SalesLayer, sold, stateOf, tellAll } from "./SalesLayer.ts"

// Facts of a platform in any order and with any repetition end in the same state as in their natural order.

/** Facts in their natural order. */
const ofPurchase = {
  approved: { kind: "approved", at: at("10:00"), purchase: chargeOf("HP1"), ...sold },
  chargeback: { kind: "chargeback", at: at("12:00"), purchase: chargeOf("HP1"), ...sold },
  disputeWon: {
    kind: "dispute_won",
    at: at("13:00"),
    purchase: chargeOf("HP1"),
    buyer: null,
    products: [],
    subscription: null
  },
  refunded: { kind: "refunded", at: at("14:00"), purchase: chargeOf("HP1"), ...sold }
} satisfies Record<string, PurchaseFact>

const subscription = { external_id: "I9OT62C3", plan_name: "Mensal" }
const monthly = (month: number): PurchaseFact => ({
  ...sold,
  kind: "approved",
  at: at("10:00", `2026-0${month}-02`),
  subscription,
  purchase: chargeOf(`HP${month}`, {
    recurrence: month,
    lateness_key: `recurrence:${month}`,
    period_end: at("10:00", `2026-0${month + 1}-02`)
  })
})
const late = (month: number): SaleFact => ({
  ...sold,
  kind: "past_due",
  at: at("08:00", `2026-0${month}-02`),
  subscription,
  lateness_key: `recurrence:${month}`
})
const canceled = (day: string, until: string): SaleFact => ({
  ...sold,
  kind: "canceled",
  at: at("12:00", day),
  subscription,
  period_end: at("10:00", until)
})

/** Has two notices of the cancellation, and a dispute and a refund of the last charge. */
const ofSubscription: Record<string, SaleFact> = {
  first: monthly(1),
  late2: late(2),
  second: monthly(2),
  late3: late(3),
  third: monthly(3),
  canceled: canceled("2026-03-20", "2026-04-02"),
  canceledAgain: canceled("2026-03-21", "2026-04-02"),
  chargeback: { ...monthly(3), kind: "chargeback", at: at("13:00", "2026-03-21") },
  disputeWon: { ...monthly(3), kind: "dispute_won", at: at("14:00", "2026-03-21") },
  refunded: { ...monthly(3), kind: "refunded", at: at("15:00", "2026-03-21") }
}

/** Canceled, started again and canceled again. */
const ofTwoEndings: Record<string, SaleFact> = {
  first: monthly(1),
  second: monthly(2),
  canceled: canceled("2026-02-20", "2026-03-02"),
  third: monthly(3),
  late4: late(4),
  canceledAgain: canceled("2026-04-20", "2026-04-02")
}

const endOf = Effect.fnUntraced(function*(facts: ReadonlyArray<SaleFact>) {
  const { club, delivery } = yield* openShop()
  yield* tellAll(club, facts)
  const state = yield* stateOf(club)
  assert.isTrue(state.enrollments.every(({ delivery_id }) => delivery_id === delivery.id))
  const enrollments = state.enrollments.map(Struct.omit(["delivery_id"]))
  return { ...state, enrollments, events: yield* eventsOf(club) }
})

const inNaturalOrder = (facts: Readonly<Record<string, SaleFact>>, told: ReadonlyArray<string>) =>
  Object.entries(facts).filter(([name]) => told.includes(name)).map(([, fact]) => fact)

const asTold = (facts: Readonly<Record<string, SaleFact>>, told: ReadonlyArray<string>) =>
  told.flatMap((name) => facts[name] ?? [])

const isOfSale = (event: string) => !event.startsWith("access.")

/** The end of each choice of facts in their natural order: many orders end in it. */
const naturalEnds = new Map<string, Effect.Success<ReturnType<typeof endOf>>>()

const isTheSame = Effect.fnUntraced(function*(facts: Readonly<Record<string, SaleFact>>, told: ReadonlyArray<string>) {
  yield* TestClock.setTime(at("00:00", "2026-03-22").epochMilliseconds)
  const natural = inNaturalOrder(facts, told)
  const key = JSON.stringify(natural)
  const expected = naturalEnds.get(key) ?? (yield* endOf(natural))
  naturalEnds.set(key, expected)
  assert.deepStrictEqual(yield* endOf(asTold(facts, told)), expected)
})

const anyOf = (facts: Readonly<Record<string, SaleFact>>) =>
  Schema.Array(Schema.Literals(Object.keys(facts))).check(Schema.isBetweenLength(1, 9))

/** Every subset of these items, in every order. */
const arrangements = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> => [
  [],
  ...items.flatMap((item, index) =>
    arrangements(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest])
  )
]

const whole = { arbitrary: { runs: 60 } } as const

layer(SalesLayer)("In any order and repeated at will,", (it) => {
  it.effect(
    "whichever of a purchase's facts are told end in the same state and the same events",
    () =>
      Effect.gen(function*() {
        const all = arrangements(Object.keys(ofPurchase)).filter(({ length }) => length > 0)
        assert.lengthOf(all, 64)
        yield* Effect.forEach(all, (told) => isTheSame(ofPurchase, told), { discard: true })
      })
  )

  it.effect.prop(
    "the facts of a purchase end in the same state and the same events",
    { told: anyOf(ofPurchase) },
    ({ told }) => isTheSame(ofPurchase, told),
    whole
  )

  it.effect.prop(
    "the facts of a subscription end in the same state and the same events",
    { told: anyOf(ofSubscription) },
    ({ told }) => isTheSame(ofSubscription, told),
    whole
  )

  // If a cancellation comes before the charge that paid for the rest of the period, access grows in other steps.
  it.effect.prop(
    "the facts of a subscription that is begun anew end in the same state and tell of the same sales",
    { told: anyOf(ofTwoEndings) },
    Effect.fnUntraced(function*({ told }) {
      yield* TestClock.setTime(at("00:00", "2026-01-15").epochMilliseconds)
      const names = ["first", ...told]
      const { events: ofNatural, ...natural } = yield* endOf(inNaturalOrder(ofTwoEndings, names))
      const { events, ...state } = yield* endOf(asTold(ofTwoEndings, names))
      assert.deepStrictEqual(state, natural)
      assert.deepStrictEqual(events.filter(isOfSale), ofNatural.filter(isOfSale))
    }),
    whole
  )

  // The end of a later month can look like the end of the first month.
  it.effect("the facts of a subscription whose first charge comes last end in the same state", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(at("00:00", "2026-01-15").epochMilliseconds)
      const { canceled, first, third } = ofTwoEndings
      const told = [first, canceled, third].flatMap((fact) => fact ?? [])
      const natural = yield* endOf(told)
      const reversed = yield* endOf(told.toReversed())
      assert.deepStrictEqual(Struct.omit(reversed, ["events"]), Struct.omit(natural, ["events"]))
    }))
})
