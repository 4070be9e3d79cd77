import { DateTime, Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../identity/ids/ClubId.ts"
import { announcementOf } from "../../platform/jobs/Announcement.ts"
import { backOff } from "../../platform/jobs/BackOff.ts"
import type { WorkQueue } from "../../platform/jobs/WorkQueue.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { CourseId } from "./Course.ts"
import type { LessonId } from "./Lesson.ts"

/** How long the lease on a loss lasts: longer than a look at some students takes. */
const lease = Duration.minutes(1)

/** How long a course waits after so many rounds over its students: a minute, doubling up to an hour. */
const delayAfter = backOff({ first: "1 minute", longest: "1 hour" })

const CourseLoss = Schema.Struct({
  club_id: ClubId,
  course_id: CourseId,
  at: Instant,
  /** The last student who was looked at; null at first. */
  after_student_id: Schema.NullOr(Schema.String),
  asked: Schema.Int,
  /** True if a student up to `after_student_id` could not be settled. */
  missed: Schema.Boolean,
  /** The number of finished rounds over all students. */
  rounds: Schema.Int
})
/** A course that has lost a live lesson, the time of its last loss, and the last student that the round has reached. */
export type CourseLoss = typeof CourseLoss.Type

const decodeLosses = rows(CourseLoss)

/** Courses that have lost live lessons and whose students were not all looked at. */
export const waitingLosses: WorkQueue = {
  name: "course_losses",
  waiting: (sql) => sql`from course_losses`,
  nextDue: (sql) => sql`(select min(due_at) from course_losses)`
}

/** The queue of courses that have lost live lessons, for the worker that looks at their students. */
export const makeCourseLosses = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const now = Effect.map(DateTime.now, DateTime.toDateUtc)
  const announce = yield* announcementOf(waitingLosses)

  /**
   * In the transaction in which these lessons were unpublished or deleted. Work on earlier losses of the course starts
   * over.
   */
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
    yield* sql.afterCommit(announce)
  })

  /** Claims some that are due, for as long as a lease. Locked ones are skipped, so processes share the table. */
  const claim = Effect.fnUntraced(function*(limit: number) {
    const due_at = DateTime.toDateUtc(DateTime.addDuration(yield* DateTime.now, lease))
    return yield* sql`
      update course_losses c set due_at = ${due_at}
      from (
        select club_id, course_id from course_losses where due_at <= ${yield* now}
        order by due_at, course_id limit ${limit} for update skip locked
      ) due
      where c.club_id = due.club_id and c.course_id = due.course_id
      returning c.club_id, c.course_id, c.at, c.after_student_id, c.asked, c.missed, c.rounds`.pipe(decodeLosses)
  })

  const isClaimed = ({ asked, club_id, course_id }: CourseLoss) =>
    sql`club_id = ${club_id} and course_id = ${course_id} and asked = ${asked}`

  /** Continues after this student, unless the course has lost another lesson since. */
  const continueAfter = Effect.fnUntraced(function*(loss: CourseLoss, after_student_id: string) {
    yield* sql`
      update course_losses set after_student_id = ${after_student_id}, missed = ${loss.missed}, due_at = ${yield* now}
      where ${isClaimed(loss)}`
  }, Effect.orDie)

  /**
   * Call it once the round has reached all students. After the first round, and after each round that missed a student,
   * the work starts over, with a longer wait each time. The reason is a student who read the course before it lost the
   * lesson: they may complete another lesson after the first round reached them.
   */
  const finish = Effect.fnUntraced(function*(loss: CourseLoss) {
    const rounds = loss.rounds + 1
    const due_at = DateTime.toDateUtc(DateTime.addDuration(yield* DateTime.now, delayAfter(rounds)))
    yield* loss.missed || rounds === 1
      ? sql`
        update course_losses set after_student_id = null, missed = false, rounds = ${rounds}, due_at = ${due_at}
        where ${isClaimed(loss)}`
      : sql`delete from course_losses where ${isClaimed(loss)}`
  }, Effect.orDie)

  return { record, claim, continueAfter, finish }
})
