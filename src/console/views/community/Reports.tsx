import { counted, number } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { Moment } from "../../../browser/parts/Moment.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import type { Membership } from "../../club/Session.ts"
import { clubPage } from "../../club/View.ts"

const words = spoken(
  {
    gone: "On a post that was deleted",
    lesson: "On the lesson",
    more: (count: number) => counted(count, "And 1 more student before", `And ${number(count)} more students before`),
    nothing: "without a reason",
    post: "On the post",
    reports: (count: number) => counted(count, "1 student reported it", `${number(count)} students reported it`),
    space: "in",
    untitled: "without a title"
  },
  {
    gone: "Em um post que foi excluído",
    lesson: "Na aula",
    more: (count: number) => counted(count, "E mais 1 aluno antes", `E mais ${number(count)} alunos antes`),
    nothing: "sem motivo",
    post: "No post",
    reports: (count: number) => counted(count, "1 aluno denunciou", `${number(count)} alunos denunciaram`),
    space: "em",
    untitled: "sem título"
  }
)

/** A comment with its place and its reports. */
export type Moderated = Schemas["ModeratedComment"]

interface ReportsProps {
  readonly club: Membership
  readonly moderated: Moderated
}

/** The place of a comment, with a link to it. */
const Place = ({ club, moderated: { place: { lesson, post } } }: ReportsProps) => {
  if (lesson !== null) {
    return (
      <>
        {said(words).lesson} <a href={clubPage(club, "content", "lessons", lesson.id)} dir="auto">{lesson.title}</a>
      </>
    )
  }
  if (post === null) return <>{said(words).gone}</>
  return (
    <>
      {said(words).post}{" "}
      <a href={clubPage(club, "community", "posts", post.id)} dir="auto">{post.title ?? said(words).untitled}</a>{" "}
      {said(words).space}{" "}
      <a href={clubPage(club, "community", "spaces", post.space.id)} dir="auto">{post.space.name}</a>
    </>
  )
}

/** The place of a comment, and the students' reports about it. */
export const Reports = ({ club, moderated }: ReportsProps) => {
  const { reports, reports_count } = moderated
  return (
    <>
      <p class="soft small">
        <Place club={club} moderated={moderated} />
      </p>
      {reports_count > 0 && (
        <div class="notice">
          <p>{said(words).reports(reports_count)}</p>
          <ul>
            {reports.map(({ created_at, reason, student }) => (
              <li key={student.id}>
                <a href={clubPage(club, "students", student.id)} dir="auto">{student.name}</a>,{" "}
                <Moment at={created_at} />:{" "}
                {reason === null ? <span class="soft">{said(words).nothing}</span> : <span dir="auto">{reason}</span>}
              </li>
            ))}
          </ul>
          {reports_count > reports.length && (
            <p class="soft small">{said(words).more(reports_count - reports.length)}</p>
          )}
        </div>
      )}
    </>
  )
}
