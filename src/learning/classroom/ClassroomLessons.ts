import { Context, DateTime, Effect, Layer } from "effect"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { NotFound } from "../../platform/http/errors.ts"
import type { LessonLocked } from "../content/LessonLocked.ts"
import { Attachments } from "../media/Attachments.ts"
import { blockResponse, mediaIdsOf } from "./BlockResponse.ts"
import type { ClassroomCourse, ClassroomLesson, ClassroomOutline } from "./Classroom.ts"
import { ClassroomRepo } from "./ClassroomRepo.ts"
import { courseResponse, coversOf, lessonCourse, outlineResponse } from "./CourseResponse.ts"
import { OutlineRepo } from "./OutlineRepo.ts"
import { neighboursOf } from "./Progress.ts"

/**
 * The courses and lessons of a student (http-surface, classroom). `NotFound`: it does not exist, it is not live, or the
 * student does not have its course. `LessonLocked`: the lesson opens later.
 */
export class ClassroomLessons extends Context.Service<ClassroomLessons, {
  /** Those with a live lesson, in the club's order. */
  courses(club_id: ClubId, student_id: StudentId): Effect.Effect<ReadonlyArray<ClassroomCourse>>
  /** Also one that the student had, or sees as `listed`, and does not have. */
  course(club_id: ClubId, student_id: StudentId, public_id: string): Effect.Effect<ClassroomOutline, NotFound>
  lesson(
    club_id: ClubId,
    student_id: StudentId,
    public_id: string
  ): Effect.Effect<ClassroomLesson, LessonLocked | NotFound>
}>()("turma/learning/classroom/ClassroomLessons") {
  static readonly layer = Layer.effect(
    ClassroomLessons,
    Effect.gen(function*() {
      const repo = yield* ClassroomRepo
      const outlines = yield* OutlineRepo
      const attachments = yield* Attachments

      const courses = Effect.fn("ClassroomLessons.courses")(function*(club_id: ClubId, student_id: StudentId) {
        const found = yield* repo.courses(club_id, student_id)
        const media = yield* attachments.shown(club_id, coversOf(found))
        return found.map((course) => courseResponse(course, media))
      })

      const course = Effect.fn("ClassroomLessons.course")(function*(
        club_id: ClubId,
        student_id: StudentId,
        public_id: string
      ) {
        const found = yield* outlines.outline(club_id, student_id, public_id)
        const media = yield* attachments.shown(club_id, [...coversOf([found]), ...found.image_ids])
        return outlineResponse(found, media, yield* DateTime.now)
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
          course: lessonCourse(found),
          blocks: found.blocks.map((block) => blockResponse(block, media)),
          completed: found.completed_at !== null,
          completed_at: found.completed_at,
          first_completed_at: found.first_completed_at,
          position: found.position,
          ...neighboursOf(found.lessons, found.lesson_id)
        }
      })

      return ClassroomLessons.of({ courses, course, lesson })
    })
  ).pipe(Layer.provide([ClassroomRepo.layer, OutlineRepo.layer]))
}
