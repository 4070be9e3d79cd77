import { Context, Effect, Layer } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { NotFound } from "../../platform/http/errors.ts"
import { Attachments } from "../media/Attachments.ts"
import { blockResponse, mediaIdsOf } from "./BlockResponse.ts"
import type { ClassroomCourse, ClassroomLesson, ClassroomOutline } from "./Classroom.ts"
import { ClassroomRepo } from "./ClassroomRepo.ts"
import { courseResponse, courseResponseFromCounts, outlineResponse } from "./CourseResponse.ts"
import { neighboursOf } from "./Progress.ts"

/**
 * The courses and lessons of a student (http-surface, classroom). `NotFound`: it does not exist, it is not live, or the
 * student does not have its course.
 */
export class ClassroomLessons extends Context.Service<ClassroomLessons, {
  /** Those with a live lesson, in the club's order. */
  courses(club_id: ClubId, student_id: StudentId): Effect.Effect<ReadonlyArray<ClassroomCourse>>
  course(club_id: ClubId, student_id: StudentId, public_id: string): Effect.Effect<ClassroomOutline, NotFound>
  lesson(club_id: ClubId, student_id: StudentId, public_id: string): Effect.Effect<ClassroomLesson, NotFound>
}>()("turma/learning/classroom/ClassroomLessons") {
  static readonly layer = Layer.effect(
    ClassroomLessons,
    Effect.gen(function*() {
      const repo = yield* ClassroomRepo
      const attachments = yield* Attachments

      const courses = Effect.fn("ClassroomLessons.courses")((club_id: ClubId, student_id: StudentId) =>
        Effect.map(repo.courses(club_id, student_id), (counted) => counted.map(courseResponseFromCounts))
      )

      const course = Effect.fn("ClassroomLessons.course")(function*(
        club_id: ClubId,
        student_id: StudentId,
        public_id: string
      ) {
        return outlineResponse(yield* repo.course(club_id, student_id, public_id))
      })

      const lesson = Effect.fn("ClassroomLessons.lesson")(function*(
        club_id: ClubId,
        student_id: StudentId,
        public_id: string
      ) {
        const found = yield* repo.lesson(club_id, student_id, public_id)
        const media = yield* attachments.shown(club_id, found.blocks.flatMap(mediaIdsOf))
        return {
          ...found.lesson,
          module: found.module,
          course: courseResponse(found),
          blocks: found.blocks.map((block) => blockResponse(block, media)),
          completed: found.completed_at !== null,
          completed_at: found.completed_at,
          first_completed_at: found.first_completed_at,
          ...neighboursOf(found.lessons, found.lesson_id)
        }
      })

      return ClassroomLessons.of({ courses, course, lesson })
    })
  ).pipe(Layer.provide(ClassroomRepo.layer))
}
