import { said, spoken } from "../../../browser/client/Language.ts"
import { Badge } from "../../../browser/parts/Badge.tsx"
import { Cover } from "../../../browser/parts/Cover.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { CourseProgress } from "../../club/CourseProgress.tsx"
import { to } from "../../club/View.ts"

const words = spoken({ completed: "Completed" }, { completed: "Concluído" })

/** A course as a tile: its cover, its name, and how far the student is. */
export const CourseTile = ({ course }: { readonly course: Schemas["HomeCourse"] }) => {
  const { cover, cover_media_id, progress, public_id, subtitle, title } = course
  return (
    <a class="course-tile" href={to("courses", public_id)}>
      <Cover name={cover_media_id ?? public_id} title={title} image={cover} />
      <span class="course-tile-words">
        <strong dir="auto">{title}</strong>
        {subtitle !== null && <span class="soft small" dir="auto">{subtitle}</span>}
        {progress.percent === 100
          ? <Badge tone="good">{said(words).completed}</Badge>
          : progress.lessons_count > 0 && <CourseProgress of={progress} />}
      </span>
    </a>
  )
}
