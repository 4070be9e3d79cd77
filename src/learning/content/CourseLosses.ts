import { DateTime, Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../identity/ids/ClubId.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { CourseId, type LessonId } from "./Lesson.ts"

/** How long a loss is left to who took it: longer than looking at some students takes. */
const lease = Duration.minutes(1)

const firstDelay = Duration.minutes(1)
const longestDelay = Duration.hours(1)

/** How long a course waits after so many rounds that missed somebody: a minute, doubling up to an hour. */
const delayAfter = (rounds: number) =>
  Duration.min(Duration.times(firstDelay, 2 ** Math.min(rounds - 1, 20)), longestDelay)

const CourseLoss = Schema.Struct({
  club_id: ClubId,
  course_id: CourseId,
  at: Schema.DateTimeUtcFromDate,
  /** The last student whom somebody has looked at; null at first. */
  after_student_id: Schema.NullOr(Schema.String),
  asked: Schema.Int,
  /** Whether somebody before `after_student_id` could not be dealt with. */
  missed: Schema.Boolean,
  /** How often all were looked at and somebody was missed. */
  rounds: Schema.Int
})
/** A course that has lost a live lesson, the last one at that moment, and how far that was dealt with. */
export type CourseLoss = typeof CourseLoss.Type

const decodeLosses = Schema.decodeUnknownEffect(Schema.Array(CourseLoss))

/** Courses that have lost live lessons, for whoever has to look at their students. */
export const makeCourseLosses = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const now = Effect.map(DateTime.now, DateTime.toDateUtc)

  /** In the transaction in which these lessons were unpublished or deleted. What was begun of earlier losses begins anew. */
  const record = Effect.fnUntraced(function*(club_id: ClubId, lessons: ReadonlyArray<LessonId>) {
    if (lessons.length === 0) return
    const at = yield* now
    yield* sql`
      insert into course_losses as c (club_id, course_id, at, due_at)
      select club_id, course_id, ${at}::timestamptz, ${at}::timestamptz from lessons
      where club_id = ${club_id} and id = any(${uuids(lessons)})
      group by club_id, course_id order by course_id
      on conflict (club_id, course_id) do update
        set at = excluded.at, due_at = excluded.due_at, after_student_id = null, asked = c.asked + 1,
          missed = false, rounds = 0`
  })

  /** Some that are due, for as long as a lease. Locked ones are skipped, so processes share the table. */
  const claim = Effect.fnUntraced(function*(limit: number) {
    const due_at = DateTime.toDateUtc(DateTime.addDuration(yield* DateTime.now, lease))
    const rows = yield* sql`
      update course_losses c set due_at = ${due_at}
      from (
        select club_id, course_id from course_losses where due_at <= ${yield* now}
        order by due_at, course_id limit ${limit} for update skip locked
      ) due
      where c.club_id = due.club_id and c.course_id = due.course_id
      returning c.club_id, c.course_id, c.at, c.after_student_id, c.asked, c.missed, c.rounds`
    return yield* decodeLosses(rows)
  }, Effect.orDie)

  const asClaimed = ({ asked, club_id, course_id }: CourseLoss) =>
    sql`club_id = ${club_id} and course_id = ${course_id} and asked = ${asked}`

  /** Goes on behind this student, unless the course has lost another lesson since. */
  const goOn = Effect.fnUntraced(function*(loss: CourseLoss, after_student_id: string) {
    yield* sql`
      update course_losses set after_student_id = ${after_student_id}, missed = ${loss.missed}, due_at = ${yield* now}
      where ${asClaimed(loss)}`
  }, Effect.orDie)

  /** All were looked at. Where somebody was missed it is begun anew, later each time. */
  const done = Effect.fnUntraced(function*(loss: CourseLoss) {
    const rounds = loss.rounds + 1
    const due_at = DateTime.toDateUtc(DateTime.addDuration(yield* DateTime.now, delayAfter(rounds)))
    yield* loss.missed
      ? sql`
        update course_losses set after_student_id = null, missed = false, rounds = ${rounds}, due_at = ${due_at}
        where ${asClaimed(loss)}`
      : sql`delete from course_losses where ${asClaimed(loss)}`
  }, Effect.orDie)

  return { record, claim, goOn, done }
})
