import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Enrollments } from "../../../src/membership/access/Enrollments.ts"
import { outboxOf, typesOf } from "../../events/EventsLayer.ts"
import { makeCatalogDelivery, makeEnrollment, makeStudent } from "../../harness/Makers.ts"
import { SpansLayer, statements } from "../../harness/Statements.ts"
import {
  AccessLayer,
  historyIn,
  inDays,
  kindsOf,
  makePurchase,
  makeSubscription,
  openCatalog,
  storedIn
} from "./AccessLayer.ts"

/** An access from a purchase. */
const openSale = Effect.fn("openSale")(function*(given: Parameters<typeof makeEnrollment>[3] = {}) {
  const { club, delivery, student } = yield* openCatalog()
  const purchase = yield* makePurchase(club, student)
  const enrollments = yield* Enrollments
  const sold = yield* makeEnrollment(club, student, delivery, { source: "purchase", ...purchase, ...given })
  return { club, delivery, student, purchase, enrollments, id: sold.id }
})

layer(AccessLayer.pipe(Layer.provideMerge(SpansLayer)))("A sale", (it) => {
  it.effect("gives access once for a delivery, whatever else the student has", () =>
    Effect.gen(function*() {
      const { club, delivery, student } = yield* openCatalog()
      const enrollments = yield* Enrollments
      yield* makeEnrollment(club, student, delivery)
      const purchases = [yield* makePurchase(club, student), yield* makePurchase(club, student)]
      const subscription = yield* makeSubscription(club, student)
      const about = { student_id: student.id, delivery_id: delivery.id, cohort_id: null }
      const grants = [
        ...purchases.map((purchase) => ({ ...about, ...purchase, source: "purchase" as const })),
        { ...about, ...subscription, source: "subscription" as const }
      ]
      const first = yield* enrollments.grantAll(club.id, [...grants, ...grants], {})
      const [no, yes] = ["already_enrolled", "granted"]
      assert.deepStrictEqual(first.map(({ outcome }) => outcome), [yes, yes, yes, no, no, no])
      const ids = (yield* storedIn(club)).map(({ id }) => id)
      yield* Effect.forEach(ids, (id) => enrollments.revoke(club.id, id, {}))
      const again = yield* enrollments.grantAll(club.id, grants, {})
      assert.deepStrictEqual(
        again.map(({ enrollment_id, outcome }) => [outcome, enrollment_id]),
        grants.map(() => [no, null])
      )
    }))

  it.effect("has its access found, and nobody else's", () =>
    Effect.gen(function*() {
      const { club, delivery, enrollments, id, purchase, student } = yield* openSale({ expires_at: yield* inDays(3) })
      const second = yield* makeCatalogDelivery(club)
      const other = yield* makeEnrollment(club, student, second, { source: "purchase", ...purchase })
      yield* makeEnrollment(club, student, delivery, { source: "purchase", ...(yield* makePurchase(club, student)) })
      const subscription = yield* makeSubscription(club, student)
      const recurring = yield* makeEnrollment(club, student, delivery, { source: "subscription", ...subscription })
      const held = yield* enrollments.ofSale(club.id, purchase)
      assert.deepStrictEqual(held.map((one) => one.id), [id, other.id])
      assert.deepInclude(held[0], {
        student_id: student.id,
        delivery_id: delivery.id,
        starts_at: yield* DateTime.now,
        expires_at: yield* inDays(3),
        revoked_at: null,
        revoke_reason: null
      })
      assert.deepStrictEqual((yield* enrollments.ofSale(club.id, subscription)).map((one) => one.id), [recurring.id])
      const foreign = yield* openCatalog()
      assert.deepStrictEqual(yield* enrollments.ofSale(foreign.club.id, purchase), [])
    }))

  it.effect("takes its access away and gives it back, once each, in any state", () =>
    Effect.gen(function*() {
      const states = [{}, { starts_at: yield* inDays(3) }, {
        starts_at: yield* inDays(-3),
        expires_at: yield* inDays(0)
      }]
      for (const given of states) {
        const { club, enrollments, id } = yield* openSale(given)
        yield* enrollments.restoreForSale(club.id, id, {})
        yield* enrollments.revokeForSale(club.id, id, "refund", {})
        yield* enrollments.revokeForSale(club.id, id, "chargeback", {})
        assert.strictEqual((yield* storedIn(club))[0]?.revoke_reason, "refund")
        yield* enrollments.restoreForSale(club.id, id, {})
        yield* enrollments.restoreForSale(club.id, id, {})
        assert.deepStrictEqual((yield* storedIn(club))[0]?.revoked_at, null)
        assert.deepStrictEqual(kindsOf(yield* historyIn(club)), ["revoked", "restored"])
        assert.deepStrictEqual(typesOf(yield* outboxOf(club)), ["access.revoked", "access.restored"])
      }
    }))

  it.effect("corrects why its access was taken away, without a change of access", () =>
    Effect.gen(function*() {
      const { club, enrollments, id } = yield* openSale()
      const reason = Effect.map(storedIn(club), ([stored]) => stored?.revoke_reason)
      yield* enrollments.correctReason(club.id, id, "chargeback")
      assert.isNull(yield* reason)
      yield* enrollments.revokeForSale(club.id, id, "refund", {})
      yield* enrollments.correctReason(club.id, id, "chargeback")
      assert.strictEqual(yield* reason, "chargeback")
      yield* enrollments.restore(club.id, id, {})
      yield* enrollments.revoke(club.id, id, {})
      yield* enrollments.correctReason(club.id, id, "refund")
      assert.strictEqual(yield* reason, "manual")
      assert.deepStrictEqual(kindsOf(yield* historyIn(club)), ["revoked", "restored", "revoked"])
    }))

  it.effect("moves the end, and says which way", () =>
    Effect.gen(function*() {
      const [now, three, nine] = [yield* DateTime.now, yield* inDays(3), yield* inDays(9)]
      const { club, enrollments, id, purchase } = yield* openSale({ expires_at: three })
      const first = DateTime.add(now, { milliseconds: 1 })
      const steps: ReadonlyArray<readonly [DateTime.Utc | null, DateTime.Utc | null]> = [
        [three, three],
        [nine, nine],
        [null, null],
        [nine, nine],
        [yield* inDays(-9), first],
        [now, first]
      ]
      for (const [asked, expected] of steps) {
        yield* enrollments.endAt(club.id, id, asked, {})
        const [held] = yield* enrollments.ofSale(club.id, purchase)
        assert.deepStrictEqual(held?.expires_at, expected)
      }
      const kinds = ["extended", "extended", "shortened", "shortened"]
      assert.deepStrictEqual(kindsOf(yield* historyIn(club)), kinds)
      const facts = yield* outboxOf(club)
      assert.deepStrictEqual(typesOf(facts), kinds.map((kind) => `access.${kind}`))
      assert.deepStrictEqual(facts.map(({ subject }) => Object(subject).previous_expires_at), [
        DateTime.formatIso(three),
        DateTime.formatIso(nine),
        null,
        DateTime.formatIso(nine)
      ])
    }))

  it.effect("moves the end of what is revoked, which stays revoked", () =>
    Effect.gen(function*() {
      const { club, enrollments, id } = yield* openSale({ expires_at: yield* inDays(3) })
      yield* enrollments.revokeForSale(club.id, id, "subscription_canceled", {})
      yield* enrollments.endAt(club.id, id, null, {})
      const [stored] = yield* storedIn(club)
      assert.deepInclude({ ...stored }, { expires_at: null, revoke_reason: "subscription_canceled" })
    }))

  it.effect("tells of an extension of late, and leaves the end as it is", () =>
    Effect.gen(function*() {
      const { club, enrollments, id } = yield* openSale({ expires_at: yield* inDays(9) })
      const before = yield* storedIn(club)
      yield* enrollments.noteExtension(club.id, id, yield* inDays(3), {})
      assert.deepStrictEqual(yield* storedIn(club), before)
      const [noted] = yield* historyIn(club)
      assert.deepStrictEqual([noted?.kind, noted?.effective_expires_at], ["extended", yield* inDays(9)])
      const [fact] = yield* outboxOf(club)
      assert.strictEqual(fact?.type, "access.extended")
      const previous_expires_at = DateTime.formatIso(yield* inDays(3))
      assert.deepStrictEqual(fact?.subject, { enrollment_id: id, previous_expires_at })
    }))

  it.effect("joins the transaction of whoever asks", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, delivery, enrollments, id, student } = yield* openSale()
      const grant = { student_id: student.id, delivery_id: delivery.id, cohort_id: null, source: "free" as const }
      const all = enrollments.revokeForSale(club.id, id, "refund", {})
        .pipe(Effect.andThen(enrollments.grantAll(club.id, [grant], {})))
      assert.notInclude(yield* statements(all.pipe(Effect.andThen(Effect.fail("no")), Effect.flip)), "transaction")
      const before = yield* historyIn(club)
      const undone = enrollments.restoreForSale(club.id, id, {}).pipe(
        Effect.andThen(Effect.fail("changed my mind")),
        sql.withTransaction
      )
      assert.isTrue(Exit.isFailure(yield* Effect.exit(undone)))
      assert.deepStrictEqual(yield* historyIn(club), before)
      assert.strictEqual((yield* outboxOf(club)).length, 2)
    }))

  it.effect("that names no enrollment of the club is a defect", () =>
    Effect.gen(function*() {
      const { enrollments, id } = yield* openSale()
      const { club } = yield* openCatalog()
      yield* makeStudent(club)
      assert.isTrue(Exit.hasDies(yield* Effect.exit(enrollments.revokeForSale(club.id, id, "refund", {}))))
    }))
})
