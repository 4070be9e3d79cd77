import { percent } from "../../browser/client/Format.ts"
import { said } from "../../browser/client/Language.ts"
import { courseWords } from "./courses.ts"

/** How far the student is in a course, as a bar and in words. */
export const CourseProgress = ({ of: { completed_count, lessons_count, percent: share } }: {
  readonly of: { readonly completed_count: number; readonly lessons_count: number; readonly percent: number }
}) => (
  <div class="course-progress">
    <progress max={100} value={share} aria-label={said(courseWords).progress} />
    <span class="soft small number">
      {percent(share / 100)} · {said(courseWords).lessons(completed_count, lessons_count)}
    </span>
  </div>
)
