import type { ClassroomCourse, ClassroomOutline } from "./Classroom.ts"
import type { CountedCourse, StudentCourse } from "./ClassroomRepo.ts"
import { percentOf, progressOf } from "./Progress.ts"

/** A course in a list, and the student's progress in it. */
export const courseResponseFromCounts = ({ finished_at, ...course }: CountedCourse): ClassroomCourse => {
  const { completed_count, id, lessons_count, next_lesson_public_id, public_id, title } = course
  const percent = percentOf(completed_count, lessons_count)
  const progress = { lessons_count, completed_count, percent, next_lesson_public_id, completed_at: finished_at }
  return { id, public_id, title, progress }
}

/** A course and the student's progress in it. */
export const courseResponse = ({ finished_at, id, lessons, public_id, title }: StudentCourse): ClassroomCourse => ({
  id,
  public_id,
  title,
  progress: { ...progressOf(lessons), completed_at: finished_at }
})

/** The same with its lessons in their modules; both are in the order of the course. */
export const outlineResponse = (course: StudentCourse): ClassroomOutline => {
  const byModule = Map.groupBy(course.lessons, ({ module_id }) => module_id)
  return {
    ...courseResponse(course),
    modules: [...byModule].map(([id, lessons]) => ({
      id,
      title: lessons[0]?.module_title ?? "",
      lessons: lessons.map(({ completed, lesson_id, public_id, title }) => ({
        id: lesson_id,
        public_id,
        title,
        completed
      }))
    }))
  }
}
