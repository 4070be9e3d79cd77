import { assert, layer } from "@effect/vitest"
import { Cause, DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { type Enrollment, EnrollmentId } from "../../../src/membership/access/Enrollment.ts"
import { Enrollments } from "../../../src/membership/access/Enrollments.ts"
import { outboxOf } from "../../events/EventsLayer.ts"
import { makeCohort, makeEnrollment, makeStudent, makeUser } from "../../harness/Makers.ts"
import { SpansLayer, statements } from "../../harness/Statements.ts"
import { AccessLayer, historyIn, inDays, linesOf, openCatalog, storedIn } from "./AccessLayer.ts"

const openEnrollment = Effect.fn("openEnrollment")(function*(given: Parameters<typeof makeEnrollment>[3] = {}) {
  const { club, delivery, student } = yield* openCatalog()
  const enrollments = yield* Enrollments
  return { club, delivery, student, enrollments, ...(yield* makeEnrollment(club, student, delivery, given)) }
})

const shown = ({ cohort_name, expires_at, revoke_reason, revoked_at }: Enrollment) => ({
  cohort_name,
  expires_at,
  revoke_reason,
  revoked_at
})

layer(AccessLayer.pipe(Layer.provideMerge(SpansLayer)))("A member's change", (it) => {
  it.effect("is written with its history and its event", () =>
    Effect.gen(function*() {
      const { club, delivery, enrollments, id, student } = yield* openEnrollment({ expires_at: yield* inDays(10) })
      const cohort = yield* makeCohort(club, delivery)
      const member = yield* makeUser()
      const cause = { actor_user_id: member.id, reason: "Por quê" }
      const [now, ten, twenty, five] = [yield* DateTime.now, yield* inDays(10), yield* inDays(20), yield* inDays(5)]
      const still = { cohort_name: null, expires_at: ten, revoke_reason: null, revoked_at: null }

      const revoked = yield* enrollments.revoke(club.id, id, cause)
      assert.deepStrictEqual(shown(revoked), { ...still, revoke_reason: "manual", revoked_at: now })
      const restored = yield* enrollments.restore(club.id, id, cause)
      assert.deepStrictEqual(shown(restored), still)
      const extended = yield* enrollments.extend(club.id, id, twenty, cause)
      assert.deepStrictEqual(shown(extended), { ...still, expires_at: twenty })
      const shortened = yield* enrollments.shorten(club.id, id, five, cause)
      assert.deepStrictEqual(shown(shortened), { ...still, expires_at: five })
      const moved = yield* enrollments.move(club.id, id, cohort.id, cause)
      assert.deepStrictEqual(shown(moved), { ...still, expires_at: five, cohort_name: cohort.name })
      const out = yield* enrollments.move(club.id, id, null, cause)
      assert.deepStrictEqual(shown(out), { ...still, expires_at: five })
      assert.deepStrictEqual(yield* enrollments.get(club.id, id), out)

      const about = { enrollment_id: id, occurred_at: now, platform_event_id: null, ...cause }
      assert.deepStrictEqual(linesOf(yield* historyIn(club)), [
        { ...about, kind: "revoked", effective_expires_at: ten },
        { ...about, kind: "restored", effective_expires_at: ten },
        { ...about, kind: "extended", effective_expires_at: twenty },
        { ...about, kind: "shortened", effective_expires_at: five },
        { ...about, kind: "moved", effective_expires_at: five },
        { ...about, kind: "moved", effective_expires_at: five }
      ])
      const facts = yield* outboxOf(club)
      assert.deepStrictEqual(facts.map(({ student_id }) => student_id), facts.map(() => student.id))
      const previous = (at: DateTime.Utc) => ({ previous_expires_at: DateTime.formatIso(at) })
      assert.deepStrictEqual(facts.map(({ subject, type }) => [type, subject]), [
        ["access.revoked", { enrollment_id: id }],
        ["access.restored", { enrollment_id: id }],
        ["access.extended", { enrollment_id: id, ...previous(ten) }],
        ["access.shortened", { enrollment_id: id, ...previous(twenty) }],
        ["access.moved", { enrollment_id: id, previous_cohort: null }],
        ["access.moved", { enrollment_id: id, previous_cohort: { id: cohort.id, name: cohort.name } }]
      ])
    }))

  it.effect("takes four statements in its transaction, a move one more", () =>
    Effect.gen(function*() {
      const { club, delivery, enrollments, id } = yield* openEnrollment()
      const cohort = yield* makeCohort(club, delivery)
      const revoke = yield* statements(enrollments.revoke(club.id, id, {}))
      assert.deepStrictEqual(revoke.map((text) => text.split(" ")[0]), [
        "transaction",
        "select",
        "select",
        "with",
        "insert"
      ])
      yield* enrollments.restore(club.id, id, {})
      assert.strictEqual((yield* statements(enrollments.move(club.id, id, cohort.id, {}))).length, 6)
    }))

  it.effect("to the same cohort changes nothing", () =>
    Effect.gen(function*() {
      const { club, enrollments, id } = yield* openEnrollment()
      const same = yield* enrollments.move(club.id, id, null, {})
      assert.deepStrictEqual(same, yield* enrollments.get(club.id, id))
      assert.deepStrictEqual(yield* historyIn(club), [])
      assert.deepStrictEqual(yield* outboxOf(club), [])
    }))

  it.effect("to a cohort of another delivery is refused", () =>
    Effect.gen(function*() {
      const { club, enrollments, id } = yield* openEnrollment()
      const other = yield* openCatalog()
      const cohorts = [yield* makeCohort(other.club, other.delivery)]
      for (const cohort of cohorts) {
        const refused = yield* Effect.flip(enrollments.move(club.id, id, cohort.id, {}))
        assert.strictEqual(refused._tag, "CohortOfOtherDelivery")
      }
      assert.deepStrictEqual(yield* historyIn(club), [])
    }))

  it.effect("is one of its own club only", () =>
    Effect.gen(function*() {
      const { enrollments, ...foreign } = yield* openEnrollment()
      const { club, student } = yield* openCatalog()
      const ids = [foreign.id, EnrollmentId.make("0190a000-0000-7000-8000-000000000001")]
      for (const id of ids) {
        const changes: ReadonlyArray<Effect.Effect<Enrollment, { readonly _tag: string }>> = [
          enrollments.get(club.id, id),
          enrollments.revoke(club.id, id, {}),
          enrollments.restore(club.id, id, {}),
          enrollments.extend(club.id, id, null, {}),
          enrollments.shorten(club.id, id, yield* inDays(1), {}),
          enrollments.move(club.id, id, null, {})
        ]
        for (const change of changes) {
          assert.strictEqual((yield* Effect.flip(change))._tag, "NotFound")
        }
      }
      assert.deepStrictEqual(yield* historyIn(foreign.club), [])
      const theirs = yield* enrollments.ofStudent(club.id, foreign.student.id)
      assert.deepStrictEqual(theirs, { enrollments: [], access_events: [] })
      assert.deepStrictEqual(yield* enrollments.ofStudent(foreign.club.id, student.id), theirs)
    }))
})

layer(AccessLayer)("A student's access", (it) => {
  it.effect("is active from its start until its end, as of when it is read", () =>
    Effect.gen(function*() {
      const { club, enrollments, id } = yield* openEnrollment({
        starts_at: yield* inDays(1),
        expires_at: yield* inDays(2)
      })
      const active = Effect.map(enrollments.get(club.id, id), ({ active }) => active)
      assert.isFalse(yield* active)
      yield* TestClock.adjust(Duration.days(1))
      assert.isTrue(yield* active)
      yield* TestClock.adjust(Duration.subtract(Duration.days(1), Duration.millis(1)))
      assert.isTrue(yield* active)
      yield* TestClock.adjust(Duration.millis(1))
      assert.isFalse(yield* active)
    }))

  it.effect("is read with its history, newest first, without anybody else's", () =>
    Effect.gen(function*() {
      const { club, delivery, enrollments, id, student } = yield* openEnrollment()
      yield* makeEnrollment(club, yield* makeStudent(club), delivery)
      yield* enrollments.revoke(club.id, id, {})
      yield* TestClock.adjust(Duration.seconds(1))
      const again = yield* enrollments.grant(
        club.id,
        { student_id: student.id, delivery_id: delivery.id, cohort_id: null, source: "grant" },
        {}
      )
      const all = yield* enrollments.ofStudent(club.id, student.id)
      assert.deepStrictEqual(all.enrollments.map((one) => one.id), [again.id, id])
      assert.deepStrictEqual(all.access_events.map((line) => [line.kind, line.enrollment_id]), [
        ["granted", again.id],
        ["revoked", id]
      ])
    }))

  it.effect("is shown up to 500 enrollments and lines", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, delivery, enrollments, id, student } = yield* openEnrollment()
      yield* sql`
        insert into enrollments (club_id, id, student_id, delivery_id, source, starts_at, created_at)
        select ${club.id}, gen_random_uuid(), ${student.id}, ${delivery.id}, 'grant', ${new Date(0)}, ${new Date(0)}
        from generate_series(1, 600)`
      yield* sql`
        insert into access_events (club_id, id, student_id, enrollment_id, kind, occurred_at)
        select ${club.id}, gen_random_uuid(), ${student.id}, ${id}, 'moved', ${new Date(0)} from generate_series(1, 600)`
      const all = yield* enrollments.ofStudent(club.id, student.id)
      assert.deepStrictEqual([all.enrollments.length, all.access_events.length], [500, 500])
    }))
})

layer(AccessLayer)("The history", (it) => {
  it.effect("is never changed or deleted, but for what a person wrote", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, enrollments, id } = yield* openEnrollment()
      yield* enrollments.revoke(club.id, id, { reason: "Escrito" })
      const before = yield* historyIn(club)
      for (
        const change of [
          sql`update access_events set kind = 'granted' where club_id = ${club.id}`,
          sql`update access_events set reason = 'Other' where club_id = ${club.id}`,
          sql`update access_events set reason = null, occurred_at = ${new Date(1)} where club_id = ${club.id}`,
          sql`delete from access_events where club_id = ${club.id}`
        ]
      ) {
        const error = yield* Effect.flip(change)
        assert.match(Cause.pretty(Cause.fail(error)), /access_events is append-only/)
      }
      assert.deepStrictEqual(yield* historyIn(club), before)
      yield* sql`update access_events set reason = null where club_id = ${club.id}`
      assert.deepStrictEqual((yield* historyIn(club)).map(({ reason }) => reason), [null])
      assert.strictEqual((yield* storedIn(club))[0]?.revoke_reason, "manual")
    }))
})
