import { Context, Effect, Layer } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { Attachments } from "../media/Attachments.ts"
import type { ClassroomCourse, ClassroomLesson, ClassroomOutline } from "./Classroom.ts"
import { ClassroomRepo } from "./ClassroomRepo.ts"
import { neighboursOf } from "./Progress.ts"
import { blockOf, countedCourse, courseOf, mediaOf, outlineOf } from "./Views.ts"

/**
 * The courses and lessons of a student (http-surface, classroom). `NotFound`: there is none, it is not live, or the
 * student does not have its course.
 */
export class ClassroomLessons extends Context.Service<ClassroomLessons, {
  /** Those with a live lesson, in the club's order. */
  courses(club_id: ClubId, student_id: StudentId): Effect.Effect<ReadonlyArray<ClassroomCourse>>
  course(club_id: ClubId, student_id: StudentId, public_id: string): Effect.Effect<ClassroomOutline, NotFound>
  lesson(club_id: ClubId, student_id: StudentId, public_id: string): Effect.Effect<ClassroomLesson, NotFound>
}>()("turma/classroom/ClassroomLessons") {
  static readonly layerNoDeps = Layer.effect(
    ClassroomLessons,
    Effect.gen(function*() {
      const repo = yield* ClassroomRepo
      const attachments = yield* Attachments

      const courses = Effect.fn("ClassroomLessons.courses")((club_id: ClubId, student_id: StudentId) =>
        Effect.map(repo.courses(club_id, student_id), (counted) => counted.map(countedCourse))
      )

      const course = Effect.fn("ClassroomLessons.course")(
        function*(club_id: ClubId, student_id: StudentId, public_id: string) {
          const taken = yield* repo.course(club_id, student_id, public_id)
          return taken === undefined ? yield* new NotFound() : outlineOf(taken)
        }
      )

      const lesson = Effect.fn("ClassroomLessons.lesson")(
        function*(club_id: ClubId, student_id: StudentId, public_id: string) {
          const open = yield* repo.lesson(club_id, student_id, public_id)
          if (open === undefined) return yield* new NotFound()
          const shown = yield* attachments.shown(club_id, open.blocks.flatMap(mediaOf))
          return {
            ...open.lesson,
            module: open.module,
            course: courseOf(open),
            blocks: open.blocks.map((block) => blockOf(block, shown)),
            completed: open.completed_at !== null,
            completed_at: open.completed_at,
            first_completed_at: open.first_completed_at,
            ...neighboursOf(open.lessons, open.lesson_id)
          }
        }
      )

      return ClassroomLessons.of({ courses, course, lesson })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(ClassroomRepo.layer))
}
