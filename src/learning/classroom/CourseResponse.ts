import type { MediaId, ShownMedia } from "../media/Media.ts"
import type { ClassroomBlock, ClassroomCourse, ClassroomOutline } from "./Classroom.ts"
import type { CountedCourse, TakenBlock, TakenCourse } from "./ClassroomRepo.ts"
import { percentOf, progressOf } from "./Progress.ts"

/** A course of a list, and how far the student is in it. */
export const countedCourse = ({ finished_at, ...course }: CountedCourse): ClassroomCourse => {
  const { completed_count, id, lessons_count, next_lesson_public_id, public_id, title } = course
  const percent = percentOf(completed_count, lessons_count)
  const progress = { lessons_count, completed_count, percent, next_lesson_public_id, completed_at: finished_at }
  return { id, public_id, title, progress }
}

/** A course and how far the student is in it. */
export const courseOf = ({ finished_at, id, lessons, public_id, title }: TakenCourse): ClassroomCourse => ({
  id,
  public_id,
  title,
  progress: { ...progressOf(lessons), completed_at: finished_at }
})

/** The same with its lessons in their modules; both are in the order of the course. */
export const outlineOf = (course: TakenCourse): ClassroomOutline => {
  const byModule = Map.groupBy(course.lessons, ({ module_id }) => module_id)
  return {
    ...courseOf(course),
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

type Shown = ReadonlyMap<MediaId, ShownMedia>

const questionsOf = ({ questions }: TakenBlock) =>
  (questions ?? []).map(({ id, options, text }) => ({
    id,
    text,
    options: options.map(({ id, text }) => ({ id, text }))
  }))

const submissionOf = ({ last_submission }: TakenBlock, shown: Shown) => {
  if (last_submission === null) return null
  const { media_ids, ...submission } = last_submission
  return { ...submission, media: media_ids.flatMap((id) => shown.get(id) ?? []) }
}

/** What a block shows: its own file and what is attached to the submission. */
export const mediaOf = ({ last_submission, media_id }: TakenBlock): ReadonlyArray<MediaId> => [
  ...media_id === null ? [] : [media_id],
  ...last_submission?.media_ids ?? []
]

/** A block as its student sees it: without which options are right. What only its kind has is never null (its table). */
export const blockOf = (block: TakenBlock, shown: Shown): ClassroomBlock => {
  const { body, id, kind, last_attempt, media_id, pass_percent, title } = block
  switch (kind) {
    case "text":
      return { kind, id, title, body: body ?? "" }
    case "video":
    case "file":
      return { kind, id, title, media: (media_id === null ? undefined : shown.get(media_id)) ?? null }
    case "quiz":
      return { kind, id, title, pass_percent: pass_percent ?? 0, questions: questionsOf(block), last_attempt }
    case "assignment":
      return { kind, id, title, body: body ?? "", last_submission: submissionOf(block, shown) }
  }
}
