import { assert, layer } from "@effect/vitest"
import { Effect, Schema, Struct } from "effect"
import { TestClock } from "effect/testing"
import type { PurchaseFact, SaleFact } from "../../../src/sales/platform/Platform.ts"
import { at, chargeOf, eventsOf, openShop, SalesLayer, sold, stateOf, tellAll } from "./SalesLayer.ts"

// Any order and any repetition of what a platform tells ends as the natural order does.

/** In the natural order. */
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
const ofSubscription: Record<string, SaleFact> = {
  first: monthly(1),
  late2: late(2),
  second: monthly(2),
  late3: late(3),
  third: monthly(3),
  canceled: {
    ...sold,
    kind: "canceled",
    at: at("12:00", "2026-03-20"),
    subscription,
    period_end: at("10:00", "2026-04-02")
  },
  refunded: { ...monthly(3), kind: "refunded", at: at("15:00", "2026-03-21") }
}

const endOf = Effect.fnUntraced(function*(facts: ReadonlyArray<SaleFact>) {
  const { club, delivery } = yield* openShop()
  yield* tellAll(club, facts)
  const state = yield* stateOf(club)
  assert.isTrue(state.enrollments.every(({ delivery_id }) => delivery_id === delivery.id))
  const enrollments = state.enrollments.map(Struct.omit(["delivery_id"]))
  return { ...state, enrollments, events: yield* eventsOf(club) }
})

const isTheSame = Effect.fnUntraced(function*(facts: Readonly<Record<string, SaleFact>>, told: ReadonlyArray<string>) {
  yield* TestClock.setTime(at("00:00", "2026-03-22").epochMilliseconds)
  const natural = Object.entries(facts).filter(([name]) => told.includes(name)).map(([, fact]) => fact)
  const shuffled = told.flatMap((name) => facts[name] ?? [])
  assert.deepStrictEqual(yield* endOf(shuffled), yield* endOf(natural))
})

const anyOf = (facts: Readonly<Record<string, SaleFact>>) =>
  Schema.Array(Schema.Literals(Object.keys(facts))).check(Schema.isBetweenLength(1, 9))

/** Every choice of these, in every order. */
const arrangements = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> => [
  [],
  ...items.flatMap((item, index) =>
    arrangements(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest])
  )
]

const whole = { timeout: 120_000, arbitrary: { runs: 60 } } as const

layer(SalesLayer, { timeout: "120 seconds" })("In any order and repeated at will,", (it) => {
  it.effect(
    "whichever of a purchase's facts are told end in the same state and the same events",
    () =>
      Effect.gen(function*() {
        const all = arrangements(Object.keys(ofPurchase)).filter(({ length }) => length > 0)
        assert.lengthOf(all, 64)
        yield* Effect.forEach(all, (told) => isTheSame(ofPurchase, told), { discard: true })
      }),
    60_000
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
})
