import { atSecond } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { Cover } from "../../../browser/parts/Cover.tsx"
import { Icon } from "../../../browser/parts/Icon.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { CourseProgress } from "../../club/CourseProgress.tsx"
import { courseWords } from "../../club/courses.ts"
import { to } from "../../club/View.ts"

const words = spoken(
  { at: (second: string) => `You stopped at ${second}` },
  { at: (second: string) => `Você parou em ${second}` }
)

/** The way on: the next lesson of the course that the student is in. */
export const Onward = ({ course }: { readonly course: Schemas["HomeCourse"] }) => {
  const { cover, cover_media_id, next_lesson, progress, public_id, title } = course
  if (next_lesson === null) return null
  const { module_title, position } = next_lesson
  return (
    <section class="home-onward" aria-labelledby="home-onward">
      <a class="home-cover" href={to("courses", public_id)} tabIndex={-1} aria-hidden="true">
        <Cover name={cover_media_id ?? public_id} title={title} image={cover} />
      </a>
      <div class="home-words">
        <p class="soft small">
          <a href={to("courses", public_id)} dir="auto">{title}</a>
        </p>
        <h2 id="home-onward" dir="auto">{next_lesson.title}</h2>
        <p class="soft small" dir="auto">
          {module_title}
          {position !== null && position.seconds > 0 && ` · ${said(words).at(atSecond(position.seconds))}`}
        </p>
        <CourseProgress of={progress} />
        <a class="button" href={to("lessons", next_lesson.public_id)}>
          <Icon name="play" />
          {progress.completed_count === 0 && position === null ? said(courseWords).begin : said(courseWords).goOn}
        </a>
      </div>
    </section>
  )
}
