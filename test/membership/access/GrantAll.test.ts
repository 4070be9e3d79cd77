import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { StudentId } from "../../../src/identity/ids/StudentId.ts"
import { Enrollments } from "../../../src/membership/access/Enrollments.ts"
import type { NewGrant } from "../../../src/membership/access/NewGrant.ts"
import type { CohortId, DeliveryId } from "../../../src/membership/catalog/Delivery.ts"
import { outboxOf, typesOf } from "../../events/EventsLayer.ts"
import { makeCatalogDelivery, makeCohort, makeEnrollment, makeStudent, makeUser } from "../../harness/Makers.ts"
import { SpansLayer, statements } from "../../harness/Statements.ts"
import { AccessLayer, historyIn, inDays, kindsOf, linesOf, openCatalog, storedIn } from "./AccessLayer.ts"

const grantOf = (
  student: { readonly id: StudentId },
  delivery: { readonly id: DeliveryId },
  more: Partial<NewGrant> = {}
): NewGrant => ({ student_id: student.id, delivery_id: delivery.id, cohort_id: null, source: "import", ...more })

const receivers = (...students: ReadonlyArray<{ readonly id: StudentId }>) =>
  students.map(({ id: student_id }) => ({ student_id }))

const outcomes = (granted: ReadonlyArray<{ readonly outcome: string }>) => granted.map(({ outcome }) => outcome)

layer(AccessLayer.pipe(Layer.provideMerge(SpansLayer)))("Many grants", (it) => {
  it.effect("give access, with its history and its event", () =>
    Effect.gen(function*() {
      const { club, delivery, student } = yield* openCatalog()
      const enrollments = yield* Enrollments
      const member = yield* makeUser()
      const cause = { actor_user_id: member.id, reason: "Bolsa", platform_event_id: delivery.id }
      const [granted] = yield* enrollments.grantAll(club.id, [grantOf(student, delivery)], cause)
      const [stored] = yield* storedIn(club)
      assert.deepStrictEqual(granted, { outcome: "granted", enrollment_id: stored?.id ?? null })
      const history = yield* historyIn(club)
      const [noted] = history
      assert.deepStrictEqual(linesOf(history), [{
        ...cause,
        kind: "granted",
        enrollment_id: stored?.id ?? assert.fail(),
        occurred_at: yield* DateTime.now,
        effective_expires_at: null
      }])
      assert.match(noted?.id ?? "", /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
      const [fact] = yield* outboxOf(club)
      assert.deepInclude(fact, { type: "access.granted", student_id: student.id })
      assert.deepStrictEqual(fact?.subject, { enrollment_id: stored?.id })
    }))

  it.effect("take three statements, however many they are", () =>
    Effect.gen(function*() {
      const { club, delivery } = yield* openCatalog()
      const other = yield* makeCatalogDelivery(club)
      const enrollments = yield* Enrollments
      const students = yield* Effect.forEach(Array.from({ length: 40 }), () => makeStudent(club))
      const grants = students.flatMap((student) => [grantOf(student, delivery), grantOf(student, other)])
      const ran = yield* statements(enrollments.grantAll(club.id, grants, {}))
      assert.strictEqual(ran.length, 3)
      assert.strictEqual((yield* storedIn(club)).length, 80)
      assert.strictEqual((yield* historyIn(club)).length, 80)
      assert.strictEqual((yield* outboxOf(club)).length, 80)
    }))

  it.effect("of nothing ask nothing", () =>
    Effect.gen(function*() {
      const { club } = yield* openCatalog()
      const enrollments = yield* Enrollments
      assert.deepStrictEqual(yield* statements(enrollments.grantAll(club.id, [], {})), [])
      assert.deepStrictEqual(yield* statements(enrollments.grantFree(club.id, [])), [])
    }))

  it.effect("leave a student who has the delivery as they are, from whatever it came", () =>
    Effect.gen(function*() {
      const { club, delivery } = yield* openCatalog()
      const enrollments = yield* Enrollments
      const states = [
        { live: true, given: {} },
        { live: true, given: { starts_at: yield* inDays(3) } },
        { live: true, given: { source: "invitation" as const, expires_at: yield* inDays(3) } },
        { live: false, given: { starts_at: yield* inDays(-3), expires_at: yield* DateTime.now } },
        { live: false, given: { revoked_at: yield* DateTime.now, revoke_reason: "manual" as const } }
      ]
      for (const { given, live } of states) {
        const student = yield* makeStudent(club)
        yield* makeEnrollment(club, student, delivery, given)
        const [granted] = yield* enrollments.grantAll(club.id, [grantOf(student, delivery)], {})
        assert.strictEqual(granted?.outcome, live ? "already_enrolled" : "granted")
        assert.strictEqual(granted?.enrollment_id === null, live)
      }
      assert.deepStrictEqual(kindsOf(yield* historyIn(club)), ["granted", "granted"])
    }))

  it.effect("of one place count once", () =>
    Effect.gen(function*() {
      const { club, delivery, student } = yield* openCatalog()
      const cohort = yield* makeCohort(club, delivery)
      const enrollments = yield* Enrollments
      const twice = [grantOf(student, delivery, { cohort_id: cohort.id }), grantOf(student, delivery)]
      const granted = yield* enrollments.grantAll(club.id, twice, {})
      assert.deepStrictEqual(outcomes(granted), ["granted", "already_enrolled"])
      assert.deepStrictEqual((yield* storedIn(club)).map(({ cohort_id }) => cohort_id), [cohort.id])
      assert.strictEqual((yield* outboxOf(club)).length, 1)
    }))

  it.effect("name what the club does not have, and give the rest", () =>
    Effect.gen(function*() {
      const { club, delivery, student } = yield* openCatalog()
      const foreign = yield* openCatalog()
      const archived = yield* makeCatalogDelivery(club, { archived_at: yield* DateTime.now })
      const cohortOfOther = yield* makeCohort(club, yield* makeCatalogDelivery(club))
      const foreignCohort = yield* makeCohort(foreign.club, foreign.delivery)
      const enrollments = yield* Enrollments
      const asked = (cohort_id: CohortId) => grantOf(student, delivery, { cohort_id })
      const granted = yield* enrollments.grantAll(club.id, [
        grantOf(student, foreign.delivery),
        grantOf(student, archived),
        asked(cohortOfOther.id),
        asked(foreignCohort.id),
        grantOf(student, delivery)
      ], {})
      assert.deepStrictEqual(outcomes(granted), [
        "delivery_unknown",
        "delivery_unknown",
        "cohort_of_other_delivery",
        "cohort_of_other_delivery",
        "granted"
      ])
      assert.strictEqual((yield* storedIn(club)).length, 1)
    }))

  it.effect("give a removed student nothing", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, delivery, student } = yield* openCatalog()
      yield* sql`update students set removed_at = ${new Date(0)} where id = ${student.id}`
      const enrollments = yield* Enrollments
      const granted = yield* enrollments.grantAll(club.id, [grantOf(student, delivery)], {})
      assert.deepStrictEqual(granted, [{ outcome: "student_removed", enrollment_id: null }])
      assert.deepStrictEqual(yield* storedIn(club), [])
    }))

  it.effect("that are over before they start end right after it", () =>
    Effect.gen(function*() {
      const { club, delivery, student } = yield* openCatalog()
      const enrollments = yield* Enrollments
      yield* enrollments.grantAll(club.id, [grantOf(student, delivery, { expires_at: yield* inDays(-3) })], {})
      const now = yield* DateTime.now
      const [stored] = yield* storedIn(club)
      assert.deepStrictEqual(stored?.starts_at, now)
      assert.deepStrictEqual(stored?.expires_at, DateTime.add(now, { milliseconds: 1 }))
    }))
})

layer(AccessLayer)("Free deliveries", (it) => {
  it.effect("are given to every student once, those that are neither archived nor sold", () =>
    Effect.gen(function*() {
      const { club, delivery, student } = yield* openCatalog({ free: true, default_access_days: 30 })
      yield* makeCatalogDelivery(club)
      yield* makeCatalogDelivery(club, { free: true, archived_at: yield* DateTime.now })
      const other = yield* makeStudent(club)
      const enrollments = yield* Enrollments
      yield* enrollments.grantFree(club.id, receivers(student, other))
      yield* enrollments.grantFree(club.id, receivers(other, student))
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`select student_id, delivery_id, source from enrollments where club_id = ${club.id}`
      assert.sameDeepMembers(
        [...rows],
        [student, other].map(({ id }) => ({
          student_id: id,
          delivery_id: delivery.id,
          source: "free"
        }))
      )
      assert.deepStrictEqual((yield* storedIn(club)).map(({ expires_at }) => expires_at), [
        yield* inDays(30),
        yield* inDays(30)
      ])
      assert.deepStrictEqual(typesOf(yield* outboxOf(club)), ["access.granted", "access.granted"])
    }))

  it.effect("are not given back once they were taken away", () =>
    Effect.gen(function*() {
      const { club, student } = yield* openCatalog({ free: true })
      const enrollments = yield* Enrollments
      yield* enrollments.grantFree(club.id, receivers(student))
      const [stored] = yield* storedIn(club)
      if (stored === undefined) return assert.fail()
      yield* enrollments.revoke(club.id, stored.id, {})
      yield* enrollments.grantFree(club.id, receivers(student))
      assert.deepStrictEqual(kindsOf(yield* historyIn(club)), ["granted", "revoked"])
    }))
})
