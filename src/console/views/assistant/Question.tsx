import { turma } from "../../../browser/client/Api.ts"
import { dateTime, number } from "../../../browser/client/Format.ts"
import { useInterval } from "../../../browser/client/Interval.ts"
import { said } from "../../../browser/client/Language.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Empty, Shown } from "../../../browser/parts/States.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { clubPage, type ClubViewProps } from "../../club/View.ts"
import { AnswerBadge } from "./AnswerBadge.tsx"
import { pagesOf } from "./questions.ts"
import { words } from "./words.ts"

type Asked = Schemas["AskedQuestion"]
type Citation = Asked["citations"][number]

/** How often an answer that is being written is read, in milliseconds. */
const every = 2000

const placeOf = (citation: Citation) => {
  const pages = pagesOf(citation)
  if (pages === undefined) return undefined
  const [from, to] = pages
  return from === to ? said(words).page(number(from)) : said(words).pages(number(from), number(to))
}

const Citations = ({ citations }: Asked) => (
  <section class="stack" aria-labelledby="citations">
    <h2 id="citations">{said(words).citations}</h2>
    {citations.length === 0 && <p class="soft">{said(words).citationsNone}</p>}
    <ul class="plain-list stack">
      {citations.map((citation, index) => {
        const place = placeOf(citation)
        return (
          <li key={index}>
            <blockquote class="quoted" dir="auto">{citation.cited_text}</blockquote>
            <p class="soft small">
              {said(words).sources[citation.source_kind]} · <span dir="auto">{citation.source_title}</span>
              {place !== undefined && ` · ${place}`}
            </p>
          </li>
        )
      })}
    </ul>
  </section>
)

const Whole = ({ asked }: { readonly asked: Asked }) => (
  <>
    <section class="card stack">
      <h2>{said(words).question}</h2>
      <p class="said" dir="auto">{asked.question}</p>
      <h2>{said(words).answer}</h2>
      {asked.error_code !== null && <p class="notice bad">{said(words).errors[asked.error_code]}</p>}
      {asked.answer === "" && asked.error_code === null && <p class="soft">{said(words).answerNone}</p>}
      {asked.answer !== "" && <p class="said" dir="auto">{asked.answer}</p>}
      <p class="soft small">{asked.cost === 0 ? said(words).costNone : said(words).costOne}</p>
    </section>
    <Citations {...asked} />
  </>
)

/** One question with its answer and what that quotes. */
export default function Question({ club, params }: ClubViewProps) {
  const clubId = club.organization_id
  const questionId = params["question"] ?? ""
  const read = useRead(
    `${clubId}/assistant/questions/${questionId}`,
    async (signal) => (await turma.assistantQuestions.get({ clubId, questionId }, { signal })).data
  )
  const asked = read.data
  useInterval(every, () => {
    if (asked?.status === "generating" && !read.isLoading) read.reload()
  })
  const questions = clubPage(club, "assistant")
  return (
    <>
      <PageHead
        title={said(words).question}
        badge={asked && <AnswerBadge status={asked.status} />}
        above={[{ label: said(words).title, to: questions }]}
      >
        {asked && (
          <>
            <a href={clubPage(club, "students", asked.student.id)} dir="auto">{asked.student.name}</a>
            {" · "}
            <span dir="auto">{asked.lesson.title}</span>
            {" · "}
            {dateTime(asked.created_at)}
          </>
        )}
      </PageHead>
      {read.error?.status === 404
        ? <Empty title={said(words).missing}>{said(words).missingText}</Empty>
        : (
          <Shown read={read}>
            {(data) => (
              <>
                <Whole asked={data} />
                <p class="row">
                  <a href={`${questions}?student=${data.student.id}`}>{said(words).seeStudent}</a>
                  <a href={`${questions}?lesson=${data.lesson.id}`}>{said(words).seeLesson}</a>
                </p>
              </>
            )}
          </Shown>
        )}
    </>
  )
}
