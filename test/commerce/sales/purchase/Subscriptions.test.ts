import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { generic } from "../../../../src/commerce/sales/platform/Generic.ts"
import type { CanceledFact, PastDueFact, PurchaseFact } from "../../../../src/commerce/sales/platform/Platform.ts"
import { readBy } from "../platform/Fixture.ts"
import { at, chargeOf, eventsOf, momentsOf, openShop, SalesLayer, sold, stateOf, tell, tellAll } from "./SalesLayer.ts"

const subscription = { external_id: "I9OT62C3", plan_name: "Mensal" }
const now = at("12:00", "2026-03-10")
const shop = Effect.fnUntraced(function*(given: Parameters<typeof openShop>[0] = {}) {
  yield* TestClock.setTime(now.epochMilliseconds)
  return yield* openShop(given)
})

/** The charge of a month. It gives access for a month if its platform says so. */
const charge = (month: number, given: Partial<PurchaseFact["purchase"]> = {}): PurchaseFact => ({
  ...sold,
  kind: "approved",
  at: at("10:00", `2026-0${month}-02`),
  subscription,
  purchase: chargeOf(`HP${month}`, {
    recurrence: month,
    lateness_key: `recurrence:${month}`,
    period_end: at("10:00", `2026-0${month + 1}-02`),
    ...given
  })
})
const late = (month: number): PastDueFact => ({
  ...sold,
  kind: "past_due",
  at: at("08:00", `2026-0${month}-03`),
  subscription,
  lateness_key: `recurrence:${month}`
})
const canceled = (period_end: DateTime.Utc | null, day = "2026-03-09"): CanceledFact => ({
  ...sold,
  kind: "canceled",
  at: at("09:00", day),
  subscription,
  period_end
})
const april = at("10:00", "2026-04-02")
const may = at("10:00", "2026-05-02")

const dateOf = (moment: DateTime.Utc) => DateTime.toDateUtc(moment)
const count = (events: ReadonlyArray<string>, type: string) => events.filter((event) => event.startsWith(type)).length

layer(SalesLayer)("A subscription", (it) => {
  it.effect("gives one access that each charge extends, and each charge has the event of a purchase", () =>
    Effect.gen(function*() {
      const { club } = yield* shop()
      yield* tellAll(club, [charge(3), charge(4)])
      const { enrollments, purchases, subscriptions } = yield* stateOf(club)
      assert.strictEqual(purchases.length, 2)
      assert.strictEqual(enrollments.length, 1)
      assert.deepInclude(enrollments[0], { source: "subscription", expires_at: dateOf(may), revoked: false })
      assert.deepInclude(subscriptions[0], { status: "active", plan_name: "Mensal", current_period_end: dateOf(may) })
      assert.deepStrictEqual(yield* eventsOf(club), [
        "access.extended from 2026-04-02T10:00:00.000Z",
        "access.granted",
        "purchase.paid",
        "purchase.paid",
        "student.created"
      ])
    }))

  it.effect("whose renewal comes before its first charge has the later end", () =>
    Effect.gen(function*() {
      const { club } = yield* shop()
      yield* tellAll(club, [charge(4), charge(3)])
      const { enrollments, subscriptions } = yield* stateOf(club)
      assert.deepInclude(enrollments[0], { expires_at: dateOf(may) })
      assert.deepInclude(subscriptions[0], { current_period_end: dateOf(may) })
    }))

  it.effect("adds the days of its mapping with each charge, where the platform names no end", () =>
    Effect.gen(function*() {
      const { club } = yield* shop({ access_days: 30 })
      yield* tellAll(club, [charge(3, { period_end: null }), charge(4, { period_end: null })])
      const [enrollment] = (yield* stateOf(club)).enrollments
      assert.deepStrictEqual(enrollment?.["expires_at"], dateOf(DateTime.addDuration(now, Duration.days(60))))
    }))

  it.effect("lasts until it is canceled where nobody names an end", () =>
    Effect.gen(function*() {
      const { club } = yield* shop()
      yield* tellAll(club, [charge(2, { period_end: null }), charge(3, { period_end: null })])
      assert.deepInclude((yield* stateOf(club)).enrollments[0], { expires_at: null })
      yield* tell(club, canceled(null))
      const { enrollments } = yield* stateOf(club)
      assert.deepInclude(enrollments[0], { revoked: true, revoke_reason: "subscription_canceled" })
    }))

  it.effect("that is canceled without an end keeps what the days of its mapping give", () =>
    Effect.gen(function*() {
      const { club } = yield* shop({ access_days: 30 })
      yield* tellAll(club, [charge(3, { period_end: null }), canceled(null)])
      const { enrollments, subscriptions } = yield* stateOf(club)
      assert.deepInclude(subscriptions[0], { status: "canceled" })
      assert.deepInclude(enrollments[0], {
        revoked: false,
        expires_at: dateOf(DateTime.addDuration(now, Duration.days(30)))
      })
    }))

  it.effect("has events with the times when it was late, paid and canceled, in whatever order they come", () =>
    Effect.gen(function*() {
      const facts = [charge(2), late(3), { ...charge(3), at: at("10:00", "2026-03-05") }, late(4), canceled(april)]
      const expected = [
        "purchase.paid 2026-02-02T10:00:00.000Z",
        "subscription.past_due 2026-03-03T08:00:00.000Z",
        "purchase.paid 2026-03-05T10:00:00.000Z",
        "subscription.canceled 2026-03-09T09:00:00.000Z",
        "subscription.past_due 2026-04-03T08:00:00.000Z"
      ]
      for (const order of [facts, facts.toReversed(), [3, 1, 4, 0, 2].flatMap((n) => facts[n] ?? [])]) {
        const { club } = yield* shop()
        yield* tellAll(club, order)
        assert.deepStrictEqual(yield* momentsOf(club), expected)
      }
    }))

  it.effect("that is late has one event, however often the platform tries", () =>
    Effect.gen(function*() {
      const { club } = yield* shop()
      const outcomes = yield* tellAll(club, [charge(2), late(3), { ...late(3), at: at("08:00", "2026-03-06") }])
      assert.deepStrictEqual(outcomes, ["processed", "processed", "duplicate"])
      assert.strictEqual(count(yield* eventsOf(club), "subscription.past_due"), 1)
      const { subscriptions } = yield* stateOf(club)
      assert.deepInclude(subscriptions[0], {
        status: "past_due",
        past_due_since: dateOf(at("08:00", "2026-03-03"))
      })
    }))

  it.effect("has another event when it is late after it was paid", () =>
    Effect.gen(function*() {
      const { club } = yield* shop()
      const paid = { ...charge(3), at: at("10:00", "2026-03-05") }
      yield* tellAll(club, [charge(2), late(3), paid, late(4)])
      assert.strictEqual(count(yield* eventsOf(club), "subscription.past_due"), 2)
      assert.deepInclude((yield* stateOf(club)).subscriptions[0], { status: "past_due" })
    }))

  it.effect("is active again once the late charge is paid", () =>
    Effect.gen(function*() {
      const { club } = yield* shop()
      yield* tellAll(club, [charge(2), late(3), charge(3)])
      assert.deepInclude((yield* stateOf(club)).subscriptions[0], { status: "active", past_due_since: null })
    }))

  it.effect("that is canceled keeps its access until the end of what was paid", () =>
    Effect.gen(function*() {
      const { club } = yield* shop()
      yield* tellAll(club, [charge(3), canceled(april)])
      const { enrollments, subscriptions } = yield* stateOf(club)
      assert.deepInclude(subscriptions[0], { status: "canceled", current_period_end: dateOf(april) })
      assert.deepInclude(enrollments[0], { revoked: false, expires_at: dateOf(april) })
      const events = yield* eventsOf(club)
      assert.strictEqual(count(events, "subscription.canceled"), 1)
      assert.strictEqual(count(events, "access.revoked") + count(events, "access.shortened"), 0)
    }))

  it.effect("that is canceled earlier than its access ends has it shortened", () =>
    Effect.gen(function*() {
      const { club } = yield* shop()
      yield* tellAll(club, [charge(4), canceled(april)])
      assert.deepInclude((yield* stateOf(club)).enrollments[0], { expires_at: dateOf(april) })
      assert.include(yield* eventsOf(club), "access.shortened from 2026-05-02T10:00:00.000Z")
    }))

  it.effect("that is canceled with its end in the past loses access at once", () =>
    Effect.gen(function*() {
      const { club } = yield* shop()
      yield* tellAll(club, [charge(3), canceled(at("09:00", "2026-03-09"))])
      const { enrollments } = yield* stateOf(club)
      assert.deepInclude(enrollments[0], { revoked: true, revoke_reason: "subscription_canceled" })
      assert.strictEqual(count(yield* eventsOf(club), "access.revoked"), 1)
    }))

  it.effect("that a platform cancels at once loses access in the middle of what was paid, planned to end later or not", () =>
    Effect.gen(function*() {
      const atOnce = { id: "evt", type: "subscription.canceled", occurred_at: "2026-03-10T09:00:00Z" }
      const told = readBy(generic, { ...atOnce, subscription: { id: subscription.external_id } })
      const facts = Result.isSuccess(told) ? told.success.facts : []
      const { club } = yield* shop()
      yield* tellAll(club, [charge(3), ...facts])
      assert.deepInclude((yield* stateOf(club)).enrollments[0], {
        revoked: true,
        revoke_reason: "subscription_canceled"
      })
      const { club: planned } = yield* shop()
      yield* tellAll(planned, [charge(3), canceled(april), ...facts])
      assert.deepInclude((yield* stateOf(planned)).enrollments[0], { revoked: true })
      assert.strictEqual(count(yield* eventsOf(planned), "subscription.canceled"), 1)
    }))

  it.effect("that is canceled while its charge is disputed stays canceled when the dispute is won", () =>
    Effect.gen(function*() {
      const chargeback: PurchaseFact = { ...charge(3), kind: "chargeback", at: at("10:00", "2026-03-04") }
      const won: PurchaseFact = { ...chargeback, kind: "dispute_won", at: at("11:00", "2026-03-10") }
      const ended = canceled(at("09:00", "2026-03-09"))
      const natural = yield* shop()
      yield* tellAll(natural.club, [charge(3), chargeback, won, ended])
      for (const facts of [[chargeback, ended], [ended, chargeback]]) {
        const { club } = yield* shop()
        yield* tellAll(club, [charge(3), ...facts, won])
        const { enrollments, subscriptions } = yield* stateOf(club)
        assert.deepInclude(subscriptions[0], { status: "canceled" })
        assert.deepInclude(enrollments[0], { revoked: true, revoke_reason: "subscription_canceled" })
        assert.deepStrictEqual(yield* eventsOf(club), yield* eventsOf(natural.club))
      }
      const { club } = yield* shop()
      yield* tellAll(club, [charge(3), chargeback, canceled(at("10:00", "2026-03-20")), won])
      const [enrollment] = (yield* stateOf(club)).enrollments
      assert.deepInclude(enrollment, { revoked: false, expires_at: dateOf(at("10:00", "2026-03-20")) })
    }))

  it.effect("that is canceled again after a renewal, without an end, keeps what the renewal paid", () =>
    Effect.gen(function*() {
      const { club } = yield* shop()
      yield* tellAll(club, [
        charge(2),
        canceled(at("10:00", "2026-03-02"), "2026-02-20"),
        charge(3),
        canceled(null)
      ])
      const { enrollments, subscriptions } = yield* stateOf(club)
      assert.deepInclude(subscriptions[0], { status: "canceled", current_period_end: dateOf(april) })
      assert.deepInclude(enrollments[0], { revoked: false, expires_at: dateOf(april) })
      assert.strictEqual(count(yield* eventsOf(club), "subscription.canceled"), 2)
    }))

  it.effect("that is canceled again has one event", () =>
    Effect.gen(function*() {
      const { club } = yield* shop()
      const outcomes = yield* tellAll(club, [
        charge(3),
        canceled(april),
        canceled(april),
        canceled(april, "2026-03-10")
      ])
      assert.deepStrictEqual(outcomes, ["processed", "processed", "duplicate", "duplicate"])
      assert.strictEqual(count(yield* eventsOf(club), "subscription.canceled"), 1)
    }))

  it.effect("that is canceled before its purchase comes gives what is left of it", () =>
    Effect.gen(function*() {
      const { club } = yield* shop()
      assert.deepStrictEqual(yield* tellAll(club, [canceled(april), charge(3)]), ["unmapped", "processed"])
      const { enrollments, subscriptions } = yield* stateOf(club)
      assert.deepInclude(subscriptions[0], { status: "canceled", current_period_end: dateOf(april) })
      assert.deepInclude(enrollments[0], { revoked: false, expires_at: dateOf(april) })
    }))

  it.effect("that is paid again after its cancellation is active, and gives its access back", () =>
    Effect.gen(function*() {
      const { club } = yield* shop()
      const again = { ...charge(4), at: at("10:00", "2026-03-10") }
      yield* tellAll(club, [charge(3), canceled(at("09:00", "2026-03-09")), again])
      const { enrollments, subscriptions } = yield* stateOf(club)
      assert.deepInclude(subscriptions[0], { status: "active", current_period_end: dateOf(may) })
      assert.deepInclude(enrollments[0], { revoked: false, expires_at: dateOf(may) })
      assert.strictEqual(count(yield* eventsOf(club), "access.restored"), 1)
    }))

  it.effect("loses access with the refund of its last charge, and not of an older one", () =>
    Effect.gen(function*() {
      const { club } = yield* shop()
      yield* tellAll(club, [charge(3), charge(4), { ...charge(3), kind: "refunded" }])
      assert.deepInclude((yield* stateOf(club)).enrollments[0], { revoked: false })
      yield* tell(club, { ...charge(4), kind: "refunded" })
      assert.deepInclude((yield* stateOf(club)).enrollments[0], { revoked: true, revoke_reason: "refund" })
      assert.strictEqual(count(yield* eventsOf(club), "purchase.refunded"), 2)
    }))

  it.effect("makes nobody a student by being late or canceled: that waits for a charge", () =>
    Effect.gen(function*() {
      const { club } = yield* shop()
      assert.deepStrictEqual(yield* tellAll(club, [late(3), canceled(april)]), ["unmapped", "unmapped"])
      assert.deepStrictEqual(yield* eventsOf(club), [])
      assert.deepStrictEqual((yield* stateOf(club)).students, [])
    }))

  it.effect("of an archived delivery is carried on, and nobody is granted it anew", () =>
    Effect.gen(function*() {
      const { club, delivery } = yield* shop()
      const sql = yield* SqlClient.SqlClient
      yield* tell(club, charge(3))
      yield* sql`update deliveries set archived_at = ${dateOf(now)} where club_id = ${club.id} and id = ${delivery.id}`
      yield* tell(club, charge(4))
      assert.deepInclude((yield* stateOf(club)).enrollments[0], { expires_at: dateOf(may) })
      const other = { ...charge(3, {}), subscription: { ...subscription, external_id: "another" } }
      const bought = { ...other, purchase: chargeOf("HP9") }
      assert.strictEqual((yield* tell(club, bought)).outcome, "unmapped")
      assert.strictEqual((yield* tell(club, { ...bought, subscription: null })).outcome, "unmapped")
    }))

  it.effect("that a platform cancels without naming its product is canceled once its purchase is known", () =>
    Effect.gen(function*() {
      const { club } = yield* shop()
      const unnamed = { ...canceled(april), products: [] }
      assert.deepStrictEqual(yield* tellAll(club, [unnamed, charge(3)]), ["unmapped", "processed"])
      assert.deepInclude((yield* stateOf(club)).subscriptions[0], { status: "canceled" })
      assert.strictEqual(count(yield* eventsOf(club), "subscription.canceled"), 1)
    }))

  it.effect("stays its student's when the address of a later charge is another", () =>
    Effect.gen(function*() {
      const { club } = yield* shop()
      const buyer = { name: "Bia", email: "other@example.com", document: null }
      yield* tellAll(club, [charge(3), { ...charge(4), buyer }])
      assert.strictEqual((yield* stateOf(club)).students.length, 1)
    }))
})
