import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { clubZone, isOpenSince, lockedUntil } from "../../../src/learning/content/LessonOpening.ts"
import { type Opening, openingRow } from "../../../src/learning/content/Opening.ts"
import { lessonOpenings } from "../../../src/learning/content/OpeningRule.ts"
import { itemAccess, type ItemHolder } from "../../../src/membership/access/ItemAccess.ts"
import { InstantOrNull } from "../../../src/platform/schema/Instant.ts"
import { first, one } from "../../../src/platform/sql/Rows.ts"
import { makeClub, makeCohort, makeEnrollment, makeLiveLesson, makeStudent } from "../../harness/Makers.ts"
import { PostgresLayer } from "../../harness/Postgres.ts"
import { AnyOpening, Moment, Zone, zones } from "./AnyOpening.ts"

const decodeLocked = one(Schema.Struct({ locked_until: InstantOrNull, is_open: Schema.Boolean }))
const decodeAccess = first(Schema.Struct({ began: InstantOrNull, ended: InstantOrNull }))

/** A club in each time zone, made once. */
const clubs = Effect.map(
  Effect.forEach(zones, (time_zone) => Effect.map(makeClub({ time_zone }), ({ id }) => [time_zone, id] as const)),
  (made) => new Map(made)
)

const day = (n: number) => DateTime.makeUnsafe(n * 86_400_000)

layer(PostgresLayer)("The opening of a lesson in SQL", (it) => {
  const known = Effect.runSync(Effect.cached(clubs))
  it.effect.prop(
    "is that of the rule, until it has passed",
    { began: Moment, now: Moment, module: AnyOpening, lesson: AnyOpening, zone: Zone },
    ({ began, lesson, module, now, zone }) =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const club_id = (yield* known).get(zone) ?? assert.fail()
        const row = (opening: Opening) => {
          const { opens_after_days, opens_at } = openingRow(opening)
          return sql`(select ${opens_after_days}::integer as opens_after_days, ${opens_at}::timestamptz as opens_at)`
        }
        const time = { now: DateTime.toDateUtc(now), zone: clubZone(sql, club_id) }
        const rows = { module: sql`m`, lesson: sql`l` }
        const access = sql`${DateTime.toDateUtc(began)}::timestamptz`
        const { is_open, locked_until } = yield* sql`
          select ${lockedUntil(sql, time, access, rows)} as locked_until,
            ${isOpenSince(sql, time, access, rows)} as is_open
          from ${row(module)} m, ${row(lesson)} l`.pipe(decodeLocked)
        const opens = lessonOpenings(began, zone)(module, lesson)
        const expected = opens !== null && DateTime.isGreaterThan(opens, now) ? opens : null
        assert.deepStrictEqual([locked_until, is_open], [expected, expected === null])
      })
  )
})

layer(PostgresLayer)("An access", (it) => {
  /** A student without an access, and the times of their accesses on day 10. */
  const opened = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const club = yield* makeClub()
    const student = yield* makeStudent(club)
    const { course, delivery } = yield* makeLiveLesson(club)
    const holder: ItemHolder = { club_id: club.id, student_id: student.id, now: DateTime.toDateUtc(day(10)) }
    const times = Effect.map(
      decodeAccess(sql`${itemAccess(sql, holder, "course", sql`${course.id}::uuid`)}`),
      Effect.fromOption
    ).pipe(Effect.flatten)
    const cohort = (n: number) => makeCohort(club, delivery, { starts_at: day(n) })
    return { club, student, delivery, times, cohort }
  })

  it.effect("begins with its start, or with its cohort if that is later", () =>
    Effect.gen(function*() {
      const { club, cohort, delivery, student, times } = yield* opened
      assert.deepStrictEqual(yield* times, { began: null, ended: null })
      const { id } = yield* makeEnrollment(club, student, delivery, { starts_at: day(5) })
      const moved = Effect.fnUntraced(function*(cohort_id: string | null) {
        const sql = yield* SqlClient.SqlClient
        yield* sql`update enrollments set cohort_id = ${cohort_id} where club_id = ${club.id} and id = ${id}`
        return (yield* times).began
      })
      assert.deepStrictEqual(yield* moved((yield* cohort(3)).id), day(5))
      assert.deepStrictEqual(yield* moved((yield* cohort(8)).id), day(8))
      assert.deepStrictEqual(yield* moved((yield* cohort(20)).id), day(20))
      assert.deepStrictEqual(yield* moved(null), day(5))
    }))

  it.effect("of several is the earliest that lasts", () =>
    Effect.gen(function*() {
      const { club, delivery, student, times } = yield* opened
      yield* makeEnrollment(club, student, delivery, { starts_at: day(1), expires_at: day(4) })
      yield* makeEnrollment(club, student, delivery, {
        starts_at: day(2),
        expires_at: day(30),
        revoked_at: day(6),
        revoke_reason: "manual"
      })
      yield* makeEnrollment(club, student, delivery, { starts_at: day(12) })
      assert.deepStrictEqual(yield* times, { began: null, ended: day(6) })
      yield* makeEnrollment(club, student, delivery, { starts_at: day(8) })
      yield* makeEnrollment(club, student, delivery, { starts_at: day(7), expires_at: day(11) })
      assert.deepStrictEqual(yield* times, { began: day(7), ended: day(6) })
    }))

  it.effect("begins the same when its end moves", () =>
    Effect.gen(function*() {
      const { club, delivery, student, times } = yield* opened
      const sql = yield* SqlClient.SqlClient
      yield* makeEnrollment(club, student, delivery, { starts_at: day(5), expires_at: day(11) })
      for (const end of [day(40), day(12), null]) {
        yield* sql`update enrollments set expires_at = ${end && DateTime.toDateUtc(end)} where club_id = ${club.id}`
        assert.deepStrictEqual((yield* times).began, day(5))
      }
    }))
})
