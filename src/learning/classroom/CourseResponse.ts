import { DateTime } from "effect"
import { lessonOpenings } from "../content/OpeningRule.ts"
import type { MediaId, ShownMedia } from "../media/Media.ts"
import { imagesIn } from "./BlockResponse.ts"
import type { ClassroomCourse, ClassroomOutline, LessonCourse } from "./Classroom.ts"
import type { StudentCourse } from "./ClassroomRepo.ts"
import type { CountedCourse, CoursePage, ListedCourse } from "./CoursePage.ts"
import type { LockedCourse, OutlinedCourse } from "./OutlineRepo.ts"
import { lockOf, percentOf, progressOf } from "./Progress.ts"

type MediaById = ReadonlyMap<MediaId, ShownMedia>

/** The course of a lesson, and the student's progress in it. */
export const lessonCourseFromCounts = ({ finished_at, ...course }: CountedCourse): LessonCourse => {
  const { completed_count, id, lessons_count, next_lesson_public_id, public_id, title } = course
  const percent = percentOf(completed_count, lessons_count)
  const progress = { lessons_count, completed_count, percent, next_lesson_public_id, completed_at: finished_at }
  return { id, public_id, title, progress }
}

/** The same from its lessons. */
export const lessonCourse = ({ finished_at, id, lessons, public_id, title }: StudentCourse): LessonCourse => ({
  id,
  public_id,
  title,
  progress: { ...progressOf(lessons), completed_at: finished_at }
})

/** The fields of a course besides its lessons. A course that is locked does not show its description. */
const pageOf = (
  { cover_media_id, description, instructor_name, subtitle }: CoursePage,
  locked: ClassroomCourse["locked"],
  media: MediaById
) => ({
  subtitle,
  description: locked === null ? description : null,
  instructor_name,
  cover_media_id,
  cover: (cover_media_id === null ? undefined : media.get(cover_media_id)) ?? null,
  locked
})

/** The media that courses show. */
export const coversOf = (courses: ReadonlyArray<CoursePage>): ReadonlyArray<MediaId> =>
  courses.flatMap(({ cover_media_id }) => cover_media_id ?? [])

/** A course that the student has, in a list. */
export const courseResponse = (course: ListedCourse, media: MediaById): ClassroomCourse => ({
  ...lessonCourseFromCounts(course),
  ...pageOf(course, null, media)
})

type Access = Pick<OutlinedCourse, "began" | "ended">

const courseLock = ({ began, ended }: Access): ClassroomCourse["locked"] => {
  if (began !== null) return null
  return ended === null ? { reason: "not_included", since: null } : { reason: "ended", since: ended }
}

/** A course that the student does not have, in a list. */
export const lockedCourseResponse = (course: LockedCourse, media: MediaById): ClassroomCourse => ({
  ...lessonCourseFromCounts({ ...course, next_lesson_public_id: null }),
  ...pageOf(course, courseLock(course), media)
})

/** The lessons, with the time until which each is still locked for an access that began then. */
const lessonsUntil = ({ began, lessons, time_zone }: OutlinedCourse, now: DateTime.Utc) => {
  const opensAt = began === null ? null : lessonOpenings(began, time_zone)
  return lessons.map((lesson) => {
    const opens = lesson.openings === null ? null : opensAt?.(lesson.openings.module, lesson.openings.lesson) ?? null
    return { ...lesson, locked_until: opens === null || DateTime.isLessThanOrEqualTo(opens, now) ? null : opens }
  })
}

/** A course with its lessons in their modules; both are in the order of the course. */
export const outlineResponse = (course: OutlinedCourse, media: MediaById, now: DateTime.Utc): ClassroomOutline => {
  const lock = courseLock(course)
  const lessons = lessonsUntil(course, now)
  const { progress, ...named } = lessonCourse({ ...course, lessons })
  return {
    ...named,
    progress: lock === null ? progress : { ...progress, next_lesson_public_id: null },
    ...pageOf(course, lock, media),
    images: imagesIn(course.image_ids, media),
    modules: [...Map.groupBy(lessons, ({ module_id }) => module_id)].map(([id, lessons]) => ({
      id,
      title: lessons[0]?.module_title ?? "",
      lessons: lessons.map(({ blocks, completed, lesson_id, locked_until, public_id, title }) => ({
        id: lesson_id,
        public_id,
        title,
        completed,
        locked: lock === null ? lockOf({ locked_until }) : { reason: lock.reason, opens_at: null },
        kinds: lock === null ? [...new Set(blocks.kinds)] : [],
        duration_seconds: lock === null ? blocks.seconds : null
      }))
    }))
  }
}
