import { Cause, Context, DateTime, type Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Events } from "../../events/Events.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { StudentLocks } from "../../identity/students/StudentLocks.ts"
import { batchWorker } from "../../platform/jobs/BatchWorker.ts"
import { CurrentWork, QueuedWork } from "../../platform/jobs/QueuedWork.ts"
import { untilDue } from "../../platform/jobs/UntilDue.ts"
import { faultsDie, rows } from "../../platform/sql/Rows.ts"
import { type CourseLoss, makeCourseLosses, waitingLosses } from "../content/CourseLosses.ts"
import { Awards } from "../gamification/Awards.ts"
import { ClassroomRepo } from "./ClassroomRepo.ts"
import { countChange } from "./CompletionVersion.ts"

/**
 * Three limits: the courses claimed at once, the students of each that a statement looks at, and the students settled
 * side by side.
 */
const coursesAtOnce = 4
const batch = 100
const concurrency = 4

const Candidate = Schema.Struct({ student_id: StudentId, public_id: Schema.String, finishes: Schema.Boolean })
type Candidate = typeof Candidate.Type
const decodeCandidates = rows(Candidate)

const lowest = "00000000-0000-0000-0000-000000000000"

/**
 * Finds students who have finished a course because the lesson that they lacked is no longer live (contract, Events).
 */
export class CourseFinishes extends Context.Service<CourseFinishes, {
  /** Looks at some students of courses that have lost a lesson, and returns the number of those courses. */
  readonly tick: Effect.Effect<number>
}>()("turma/learning/classroom/CourseFinishes") {
  static readonly layer = Layer.effect(
    CourseFinishes,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const losses = yield* makeCourseLosses
      const repo = yield* ClassroomRepo
      const students = yield* StudentLocks
      const awards = yield* Awards
      const events = yield* Events

      // A student with all of a course has completed its first live lesson. Along the index of those completions every
      // batch reads the same number of rows. A course without a live lesson has no candidates.
      const candidates = Effect.fnUntraced(function*({ after_student_id, club_id, course_id }: CourseLoss) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const live = sql`
          from lessons l join modules m on m.club_id = l.club_id and m.id = l.module_id and m.deleted_at is null
          where l.club_id = ${club_id} and l.course_id = ${course_id}
            and l.deleted_at is null and l.published_at <= ${now}`
        return yield* sql`
          with first as materialized (
            select l.id, (
              select c.public_id from courses c where c.club_id = ${club_id} and c.id = ${course_id}
            ) as public_id ${live} order by l.id limit 1
          ), page as materialized (
            select d.student_id, d.completed_at, first.public_id
            from first join lesson_completions d on d.club_id = ${club_id} and d.lesson_id = first.id
            where d.student_id > ${after_student_id ?? lowest}::uuid
            order by d.student_id limit ${batch}
          )
          select page.student_id, page.public_id, page.completed_at is not null
            and not exists (
              select from course_completions f
              where f.club_id = ${club_id} and f.student_id = page.student_id and f.course_id = ${course_id}
            )
            and not exists (
              select ${live} and not exists (
                select from lesson_completions o
                where o.club_id = l.club_id and o.student_id = page.student_id and o.lesson_id = l.id
                  and o.completed_at is not null
              )
            ) as finishes
          from page order by page.student_id`.pipe(decodeCandidates)
      })

      // Checked again once the student is locked: they may have lost the course, or finished it since.
      const settle = Effect.fn("CourseFinishes.settle")(
        function*({ at, club_id, course_id }: CourseLoss, { public_id, student_id }: Candidate) {
          yield* students.lock(club_id, student_id)
          const course = yield* repo.course(club_id, student_id, public_id)
          if (course.finished_at !== null) return
          if (course.lessons.some(({ completed }) => !completed)) return
          const completed_at = DateTime.toDateUtc(at)
          yield* sql`
            with counted as (${countChange(sql, club_id, student_id)})
            insert into course_completions ${sql.insert({ club_id, student_id, course_id, completed_at })}`
          yield* awards.award(club_id, student_id, { action: "course_completed", origin_id: course_id })
          yield* events.record(club_id, { type: "course.completed", student_id, course_id, completed_at: at }, at)
        },
        sql.withTransaction,
        Effect.catchTag(["NotFound", "StudentRemoved"], () => Effect.void),
        faultsDie
      )

      const settleQueued = (loss: CourseLoss, one: Candidate) =>
        Effect.suspend(() =>
          Effect.provideService(settle(loss, one), CurrentWork, new QueuedWork(`loss ${loss.course_id}`, loss.at))
        )

      /** True if it succeeded. A failure does not delay the others. */
      const tryToSettle = (loss: CourseLoss, one: Candidate) =>
        Effect.catchCause(Effect.as(settleQueued(loss, one), true), (cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.interrupt
            : Effect.as(
              Effect.logError(
                "Could not find out if a student has finished a course: it is found later",
                { course_id: loss.course_id, student_id: one.student_id },
                cause
              ),
              false
            ))

      const work = Effect.fn("CourseFinishes.work")(function*(loss: CourseLoss) {
        const found = yield* candidates(loss)
        const finishing = found.filter(({ finishes }) => finishes)
        const settled = yield* Effect.forEach(finishing, (one) => tryToSettle(loss, one), { concurrency })
        const advanced = { ...loss, missed: loss.missed || settled.includes(false) }
        const last = found.at(-1)
        yield* last === undefined || found.length < batch
          ? losses.finish(advanced)
          : losses.continueAfter(advanced, last.student_id)
      })

      const tick = Effect.gen(function*() {
        const claimed = yield* losses.claim(coursesAtOnce)
        // A course that fails is claimed again at the end of its lease, and does not delay the others.
        yield* Effect.forEach(claimed, (loss) =>
          Effect.catchCause(work(loss), (cause) =>
            Cause.hasInterruptsOnly(cause)
              ? Effect.interrupt
              : Effect.logError(
                "Students who have finished a course are found later",
                { course_id: loss.course_id },
                cause
              )), {
          discard: true
        })
        return claimed.length
      }).pipe(Effect.withSpan("CourseFinishes.tick"))

      return CourseFinishes.of({ tick })
    })
  ).pipe(Layer.provide([Awards.layer, ClassroomRepo.layer, StudentLocks.layer]))
}

/**
 * Works for as long as the layer lives, in any number of processes. If a process stops, another claims its work at the
 * end of the lease. Each student is settled once.
 */
export const courseFinishesLayer = ({ every }: { readonly every: Duration.Input }) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { tick } = yield* CourseFinishes
    yield* batchWorker({
      tick,
      full: 1,
      idle: yield* untilDue(waitingLosses, { pollEvery: every }),
      shutdownGrace: "10 seconds",
      onFailure: "Students of a course that lost a lesson were not looked at",
      onCutOff: "Students of a course that lost a lesson are looked at later"
    })
  })).pipe(Layer.provide(CourseFinishes.layer))
