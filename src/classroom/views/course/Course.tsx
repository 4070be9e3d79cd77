import { turma } from "../../../browser/client/Api.ts"
import { date } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import { site } from "../../../browser/client/Site.ts"
import { Cover } from "../../../browser/parts/Cover.tsx"
import { Icon } from "../../../browser/parts/Icon.tsx"
import { loadMarkdown, Markdown } from "../../../browser/parts/Markdown.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Empty, Shown } from "../../../browser/parts/States.tsx"
import { CourseProgress } from "../../club/CourseProgress.tsx"
import { courseWords, opening, type Outline } from "../../club/courses.ts"
import { clubId, ofClub, to, type ViewProps } from "../../club/View.ts"
import { Modules } from "./Modules.tsx"

const words = spoken(
  {
    about: "About this course",
    ask: "Ask for access",
    done: (on: string) => `You completed this course on ${on}`,
    doneSome: "You have completed all lessons",
    home: "Home",
    next: "Up next",
    none: "There are no lessons yet",
    noneText: "They appear here as soon as they are published.",
    stays: "You still see what is in it. Everything that you did is kept.",
    titles: "You see what is in it, and can ask for access."
  },
  {
    about: "Sobre este curso",
    ask: "Pedir acesso",
    done: (on: string) => `Você concluiu este curso em ${on}`,
    doneSome: "Você concluiu todas as aulas",
    home: "Início",
    next: "A seguir",
    none: "Ainda não há aulas",
    noneText: "Elas aparecem aqui assim que forem publicadas.",
    stays: "Você ainda vê o que há nele. Tudo o que você fez continua guardado.",
    titles: "Você vê o que há nele e pode pedir acesso."
  }
)

loadMarkdown()

const Locked = ({ locked }: { readonly locked: NonNullable<Outline["locked"]> }) => {
  const { ended, endedSome, notIncluded } = said(courseWords)
  const hasEnded = locked.reason === "ended"
  return (
    <div class="notice course-lock">
      <Icon name="lock" />
      <div>
        <strong>
          {hasEnded ? locked.since === null ? endedSome : ended(date(locked.since)) : notIncluded}
        </strong>
        <p>{hasEnded ? said(words).stays : said(words).titles}</p>
        <a class="button" href={to("support")}>{said(words).ask}</a>
      </div>
    </div>
  )
}

const lessonsOf = ({ modules }: Outline) => modules.flatMap(({ lessons }) => lessons)

/** The way on: the next open lesson, with its name. */
const Onward = ({ course }: { readonly course: Outline }) => {
  const { completed_at, completed_count, lessons_count, next_lesson_public_id, percent } = course.progress
  const next = lessonsOf(course).find(({ public_id }) => public_id === next_lesson_public_id)
  const later = lessonsOf(course).find(({ completed, locked }) => !completed && locked !== null)
  const opens = next === undefined ? later?.locked?.opens_at ?? null : null
  return (
    <div class="onward">
      {lessons_count > 0 && <CourseProgress of={course.progress} />}
      {percent === 100 && lessons_count > 0 && (
        <p class="notice good">
          {completed_at === null ? said(words).doneSome : said(words).done(date(completed_at))}
        </p>
      )}
      {next !== undefined && (
        <>
          <a class="button wide" href={to("lessons", next.public_id)}>
            <Icon name="play" />
            {completed_count === 0 ? said(courseWords).begin : said(courseWords).goOn}
          </a>
          <p class="soft small" dir="auto">{said(words).next}: {next.title}</p>
        </>
      )}
      {later !== undefined && opens !== null && (
        <p class="notice" dir="auto">
          {said(words).next}: {later.title}. {opening(opens)}.
        </p>
      )}
    </div>
  )
}

const Page = ({ course }: { readonly course: Outline }) => {
  const { cover, cover_media_id, description, instructor_name, locked, modules, progress, subtitle, title } = course
  return (
    <>
      <div class="course-head">
        <Cover name={cover_media_id ?? course.public_id} title={title} image={cover} />
        <div class="stack">
          <PageHead title={title} above={[{ label: said(words).home, to: site.root }]}>
            {subtitle !== null && <p dir="auto">{subtitle}</p>}
            {instructor_name !== null && <p class="small" dir="auto">{said(courseWords).with(instructor_name)}</p>}
          </PageHead>
          {locked === null ? <Onward course={course} /> : <Locked locked={locked} />}
        </div>
      </div>
      {description !== null && (
        <details class="about" open={progress.completed_count === 0}>
          <summary>
            <h2>{said(words).about}</h2>
          </summary>
          <Markdown text={description} images={course.images} />
        </details>
      )}
      {modules.length === 0
        ? <Empty icon="book" title={said(words).none}>{said(words).noneText}</Empty>
        : <Modules modules={modules} next={progress.next_lesson_public_id} isLocked={locked !== null} />}
    </>
  )
}

/** A course: what is in it, and how far one is. */
const Course = ({ params: { course = "" } }: ViewProps) => {
  const read = useRead(
    `${clubId}/courses/${course}`,
    async (signal) => (await turma.classroom.course({ ...ofClub, publicId: course }, { signal })).data
  )
  return <Shown read={read}>{(found) => <Page course={found} />}</Shown>
}

export default Course
