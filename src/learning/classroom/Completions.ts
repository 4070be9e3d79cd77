import { Context, DateTime, Effect, identity, Layer, Option, Schema } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { Events } from "../../events/Events.ts"
import type { Fact } from "../../events/Fact.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { StudentLocks } from "../../identity/students/StudentLocks.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import type { NotFound } from "../../platform/http/errors.ts"
import { bothAtOnce } from "../../platform/sql/AtOnce.ts"
import { faultsDie, first } from "../../platform/sql/Rows.ts"
import type { LessonLocked } from "../content/LessonLocked.ts"
import { Awards, type RewardedAction } from "../gamification/Awards.ts"
import type { LessonCompletion } from "./Classroom.ts"
import { ClassroomRepo, type LessonInCourse } from "./ClassroomRepo.ts"
import { type CompletionChange, completionChange } from "./CompletionChange.ts"
import { countChange, countChangeSince } from "./CompletionVersion.ts"
import { lessonCourseFromCounts } from "./CourseResponse.ts"

const decodePoints = first(Schema.Struct({ points: Schema.Int }))

type Written = Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>

/** Nothing is written if a process of the version before, which counts no changes, was faster. */
const unlessOvertaken = (written: Written): Written =>
  Effect.catchReason(written, "SqlError", "UniqueViolation", () => Effect.succeed([]))

const completionResponse = (found: LessonInCourse, points_awarded: number): LessonCompletion => {
  const { completed_at, first_completed_at, lesson, lessons_count, others_left } = found
  return {
    lesson,
    completed: completed_at !== null,
    completed_at,
    first_completed_at,
    course: lessonCourseFromCounts({ ...found, completed_count: lessons_count - others_left }),
    points_awarded
  }
}

/** Completions of lessons. `NotFound`: there is no such lesson, it is not live, or the student does not have its course. */
export class Completions extends Context.Service<Completions, {
  /**
   * Completes a lesson, once. The first time ever pays `lesson_completed` and records `lesson.completed`. If that
   * completes all live lessons of the course, it pays `course_completed` and records `course.completed`, once for each
   * student and course.
   */
  complete(
    club_id: ClubId,
    student_id: StudentId,
    public_id: string
  ): Effect.Effect<LessonCompletion, LessonLocked | NotFound | StudentRemoved>
  /** Undoes a completion. Events and points stay and do not come again. Undoing nothing changes nothing. */
  undo(
    club_id: ClubId,
    student_id: StudentId,
    public_id: string
  ): Effect.Effect<void, LessonLocked | NotFound | StudentRemoved>
}>()("turma/learning/classroom/Completions") {
  static readonly layer = Layer.effect(
    Completions,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* ClassroomRepo
      const students = yield* StudentLocks
      const awards = yield* Awards
      const events = yield* Events

      const changed = sql`exists (select from changed)`

      const insertCompletion = ({ lesson_id }: LessonInCourse, at: Date) =>
        sql`
          insert into lesson_completions (club_id, student_id, lesson_id, first_completed_at, completed_at)
          select club_id, student_id, ${lesson_id}::uuid, ${at}::timestamptz, ${at}::timestamptz from changed`

      const updateCompletion = ({ lesson_id }: LessonInCourse, at: Date) =>
        sql`
          update lesson_completions d set completed_at = ${at} from changed
          where d.club_id = changed.club_id and d.student_id = changed.student_id and d.lesson_id = ${lesson_id}`

      const insertFinish = ({ id: course_id }: LessonInCourse, at: Date) =>
        sql`
          insert into course_completions (club_id, student_id, course_id, completed_at)
          select club_id, student_id, ${course_id}::uuid, ${at}::timestamptz from changed`

      /**
       * Writes the change, pays and records first completions, and answers the points. One statement, which locks the
       * student first. Empty if nothing was written: others have locked or removed the student, or the student has
       * completed or undone something since the lesson was read. `guarded` may answer its failure.
       */
      const write = Effect.fnUntraced(function*(
        club_id: ClubId,
        student_id: StudentId,
        { after, completes, finishes, isFirst }: CompletionChange<LessonInCourse>,
        completed_at: DateTime.Utc,
        guarded: typeof unlessOvertaken
      ) {
        const { completion_version, id: course_id, lesson_id } = after
        const at = DateTime.toDateUtc(completed_at)
        const writes: Array<Statement.Fragment> = []
        const facts: Array<Fact> = []
        const actions: Array<RewardedAction<"lesson_completed" | "course_completed">> = []
        if (completes) writes.push(sql`completed as (${(isFirst ? insertCompletion : updateCompletion)(after, at)}),`)
        if (isFirst) {
          facts.push({ type: "lesson.completed", student_id, lesson_id, completed_at })
          actions.push({ action: "lesson_completed", origin_id: lesson_id })
        }
        if (finishes) {
          writes.push(sql`finished as (${insertFinish(after, at)}),`)
          facts.push({ type: "course.completed", student_id, course_id, completed_at })
          actions.push({ action: "course_completed", origin_id: course_id })
        }
        const paying = yield* awards.paying(club_id, student_id, actions, changed)
        const recording = yield* events.recording(club_id, facts, changed)
        const written = sql`
          with student as (${students.locking(club_id, student_id)}),
          present as (select from student where not removed),
          changed as (${countChangeSince(sql, club_id, student_id, completion_version, sql`present`)}),
          ${sql.join(" ", false)(writes)}
          paid as (${paying}),
          recorded as (${recording})
          select coalesce((select sum(points) from paid), 0)::integer as points from changed`
        return yield* decodePoints(guarded(written))
      })

      /** Empty if the completions have changed since the read. */
      const completeAsRead = Effect.fnUntraced(function*(
        club_id: ClubId,
        student_id: StudentId,
        lesson: LessonInCourse,
        guarded: typeof unlessOvertaken
      ) {
        const now = yield* DateTime.now
        const change = completionChange(lesson, now)
        const points = change.completes || change.finishes
          ? yield* write(club_id, student_id, change, now, guarded)
          : Option.some({ points: 0 })
        return Option.map(points, ({ points }) => completionResponse(change.after, points))
      })

      // The student is locked, so nothing that is read here changes until the transaction ends.
      const completeLocked = Effect.fnUntraced(
        function*(club_id: ClubId, student_id: StudentId, public_id: string) {
          const [, lesson] = yield* bothAtOnce(
            students.lock(club_id, student_id),
            repo.lessonInCourse(club_id, student_id, public_id)
          )
          const completed = yield* completeAsRead(club_id, student_id, lesson, identity)
          return yield* Effect.orDie(Effect.fromOption(completed))
        },
        sql.withTransaction
      )

      const complete = Effect.fnUntraced(
        function*(club_id: ClubId, student_id: StudentId, public_id: string) {
          const lesson = yield* repo.lessonInCourse(club_id, student_id, public_id)
          const completed = yield* completeAsRead(club_id, student_id, lesson, unlessOvertaken)
          return Option.isSome(completed) ? completed.value : yield* completeLocked(club_id, student_id, public_id)
        },
        faultsDie
      )

      const undoLocked = Effect.fnUntraced(
        function*(club_id: ClubId, student_id: StudentId, { lesson_id }: LessonInCourse) {
          yield* students.lock(club_id, student_id)
          yield* sql`
            with counted as (${countChange(sql, club_id, student_id)})
            update lesson_completions set completed_at = null
            where club_id = ${club_id} and student_id = ${student_id} and lesson_id = ${lesson_id}`
        },
        sql.withTransaction
      )

      const undo = Effect.fn("Completions.undo")(
        function*(club_id: ClubId, student_id: StudentId, public_id: string) {
          const lesson = yield* repo.lessonInCourse(club_id, student_id, public_id)
          if (lesson.completed_at !== null) yield* undoLocked(club_id, student_id, lesson)
        },
        faultsDie
      )

      return Completions.of({ complete, undo })
    })
  ).pipe(Layer.provide([Awards.layer, ClassroomRepo.layer, StudentLocks.layer]))
}
