import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { accessEraser } from "../../../src/membership/access/AccessEraser.ts"
import type { EnrollmentId } from "../../../src/membership/access/Enrollment.ts"
import { Enrollments } from "../../../src/membership/access/Enrollments.ts"
import { Lapses, lapsesLayer } from "../../../src/membership/access/Lapses.ts"
import { outboxOf } from "../../events/EventsLayer.ts"
import { eventually } from "../../harness/Eventually.ts"
import { makeCatalogDelivery, makeEnrollment, makeStudent, makeUser } from "../../harness/Makers.ts"
import { warmPool } from "../../harness/Pool.ts"
import { whileHeld } from "../../harness/Waiting.ts"
import { AccessLayer, historyIn, inDays, kindsOf, linesOf, openCatalog, storedIn } from "./AccessLayer.ts"

const TestLayer = Lapses.layer.pipe(Layer.provideMerge(AccessLayer))
/** Notes every lapse. */
const noteAll = Effect.flatMap(Lapses, ({ note }) => Effect.repeat(note, { while: (noted) => noted > 0 }))

const openEnded = Effect.fn("openEnded")(function*(given: Parameters<typeof makeEnrollment>[3] = {}) {
  const { club, delivery, student } = yield* openCatalog()
  const expires_at = yield* inDays(-1)
  const { id } = yield* makeEnrollment(club, student, delivery, { starts_at: yield* inDays(-3), expires_at, ...given })
  return { club, delivery, student, id, expires_at, enrollments: yield* Enrollments }
})

layer(TestLayer)("An access that ends by itself", (it) => {
  it.effect("is noted once, as of its end, and no event goes out", () =>
    Effect.gen(function*() {
      const { club, expires_at, id } = yield* openEnded()
      yield* noteAll
      yield* noteAll
      assert.deepStrictEqual(linesOf(yield* historyIn(club)), [{
        enrollment_id: id,
        kind: "expired",
        occurred_at: expires_at,
        effective_expires_at: expires_at,
        reason: null,
        actor_user_id: null,
        platform_event_id: null
      }])
      assert.deepStrictEqual(yield* outboxOf(club), [])
    }))

  it.effect("is noted at its end, not before it", () =>
    Effect.gen(function*() {
      const { club } = yield* openEnded({ expires_at: yield* inDays(1) })
      yield* TestClock.adjust(Duration.subtract(Duration.days(1), Duration.millis(1)))
      yield* noteAll
      assert.deepStrictEqual(yield* historyIn(club), [])
      yield* TestClock.adjust(Duration.millis(1))
      yield* noteAll
      assert.deepStrictEqual(kindsOf(yield* historyIn(club)), ["expired"])
    }))

  it.effect("is noted again where it was given a later end", () =>
    Effect.gen(function*() {
      const { club, enrollments, id } = yield* openEnded()
      yield* noteAll
      yield* enrollments.extend(club.id, id, yield* inDays(1), {})
      yield* noteAll
      assert.deepStrictEqual(kindsOf(yield* historyIn(club)), ["expired", "extended"])
      yield* TestClock.adjust(Duration.days(1))
      yield* noteAll
      assert.deepStrictEqual(kindsOf(yield* historyIn(club)), ["expired", "extended", "expired"])
    }))

  it.effect("is not noted where it was taken away before, until it is given back", () =>
    Effect.gen(function*() {
      const given = { revoked_at: yield* DateTime.now, revoke_reason: "refund" as const }
      const { club, enrollments, id } = yield* openEnded(given)
      yield* noteAll
      assert.deepStrictEqual(yield* historyIn(club), [])
      yield* enrollments.restore(club.id, id, {})
      yield* noteAll
      assert.deepStrictEqual(kindsOf(yield* historyIn(club)), ["restored", "expired"])
    }))

  it.effect("is noted once by many at once, all of them, in batches", () =>
    Effect.gen(function*() {
      yield* warmPool
      const sql = yield* SqlClient.SqlClient
      const { club, delivery, student } = yield* openEnded()
      yield* sql`
        insert into enrollments (club_id, id, student_id, delivery_id, source, starts_at, expires_at, created_at)
        select ${club.id}, gen_random_uuid(), ${student.id}, ${delivery.id}, 'import', ${new Date(-9)}, ${new Date(-1)},
          ${new Date(0)}
        from generate_series(1, 1500)`
      const { note } = yield* Lapses
      const counts = yield* Effect.all(Array.from({ length: 8 }, () => note), { concurrency: "unbounded" })
      assert.isAtMost(Math.max(...counts), 500)
      yield* noteAll
      const history = yield* historyIn(club)
      assert.strictEqual(history.length, 1501)
      assert.strictEqual(new Set(history.map(({ enrollment_id }) => enrollment_id)).size, 1501)
    }))

  it.effect("is left for later where somebody changes it", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { club, id } = yield* openEnded()
      const held = sql`select 1 from enrollments where id = ${id} for no key update`
      yield* whileHeld(held, noteAll)
      assert.deepStrictEqual(yield* historyIn(club), [])
      yield* noteAll
      assert.deepStrictEqual(kindsOf(yield* historyIn(club)), ["expired"])
    }))
})

layer(AccessLayer)("The worker", (it) => {
  it.effect("notes what ends, every minute", () =>
    Effect.gen(function*() {
      const { club } = yield* openEnded({ expires_at: DateTime.add(yield* DateTime.now, { minutes: 1 }) })
      yield* Effect.gen(function*() {
        yield* Layer.build(lapsesLayer({ every: "1 minute" }).pipe(Layer.provide(Lapses.layer)))
        yield* eventually(
          Effect.andThen(TestClock.adjust("1 minute"), historyIn(club)),
          (history) => history.length === 1
        )
      }).pipe(Effect.scoped)
    }))
})

layer(AccessLayer)("A removal", (it) => {
  it.effect("takes all access away, notes it, and empties what was written; no event goes out", () =>
    Effect.gen(function*() {
      const { club, delivery, enrollments, id, student } = yield* openEnded()
      const second = yield* makeCatalogDelivery(club)
      const other = yield* makeStudent(club)
      const member = yield* makeUser()
      const cause = { actor_user_id: member.id, reason: "Sobre a Bia" }
      const place = { cohort_id: null, source: "grant" as const }
      yield* enrollments.grant(club.id, { ...place, student_id: student.id, delivery_id: second.id }, cause)
      const third = yield* makeCatalogDelivery(club)
      const gone = yield* enrollments.grant(club.id, { ...place, student_id: student.id, delivery_id: third.id }, {})
      yield* enrollments.revoke(club.id, gone.id, cause)
      const stays = yield* enrollments.grant(
        club.id,
        { ...place, student_id: other.id, delivery_id: delivery.id },
        cause
      )
      const facts = yield* outboxOf(club)

      const eraser = yield* accessEraser
      const person = { club_id: club.id, student_id: student.id, email: student.email }
      assert.deepStrictEqual(yield* eraser.erase(person), { access_reasons: 2, enrollments: 2 })
      assert.deepStrictEqual(yield* eraser.erase(person), { access_reasons: 0, enrollments: 0 })

      const stored = yield* storedIn(club)
      const reasonOf = (sought: EnrollmentId) => stored.find((one) => one.id === sought)?.revoke_reason
      assert.deepStrictEqual([id, gone.id, stays.id].map(reasonOf), ["student_removed", "manual", null])
      const history = yield* historyIn(club)
      assert.deepStrictEqual(kindsOf(history.slice(-2)), ["revoked", "revoked"])
      assert.deepStrictEqual(
        history.filter(({ reason }) => reason !== null).map(({ enrollment_id }) => enrollment_id),
        [stays.id]
      )
      assert.deepStrictEqual(yield* outboxOf(club), facts)
    }))
})
