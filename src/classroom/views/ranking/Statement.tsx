import { turma } from "../../../browser/client/Api.ts"
import { date, number } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { useList } from "../../../browser/client/Lists.ts"
import { Icon } from "../../../browser/parts/Icon.tsx"
import type { IconName } from "../../../browser/parts/icons.ts"
import { More } from "../../../browser/parts/More.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Empty, Failure, Loading } from "../../../browser/parts/States.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { clubId, ofClub, to } from "../../club/View.ts"
import { words } from "./words.ts"

type Entry = Schemas["PointEntry"]

const icons: Readonly<Record<Entry["action"], IconName>> = {
  adjustment: "person",
  assignment_approved: "check",
  comment_posted: "send",
  course_completed: "trophy",
  lesson_completed: "book",
  live_attended: "live",
  post_published: "people",
  quiz_passed: "help"
}

const One = ({ action, created_at, points }: Entry) => (
  <li class="entry-row">
    <span class="kind" aria-hidden="true">
      <Icon name={icons[action]} />
    </span>
    <span class="grow">
      <span>{said(words).actions[action]}</span>
      <time class="soft small" dateTime={created_at}>{date(created_at)}</time>
    </span>
    <strong class={points < 0 ? "number taken" : "number"}>
      {points > 0 ? `+${number(points)}` : number(points)}
    </strong>
  </li>
)

/** The entries of the student's points, the newest first. */
export default function Statement() {
  const list = useList(`${clubId}/points`, async ({ cursor, limit, signal }) => {
    const { data, next_cursor } = await turma.gamification.ownStatement({ ...ofClub, cursor, limit }, { signal })
    return { data: data.entries, next_cursor }
  })
  const known = Array.from({ length: list.rows }, (_, row) => list.item(row)).filter((entry) => entry !== undefined)
  return (
    <>
      <PageHead title={said(words).statementTitle} above={[{ label: said(words).title, to: to("ranking") }]} />
      {list.rows > 0
        ? (
          <ul class="plain-list card files" aria-label={said(words).statementTitle}>
            {known.map((entry) => <One key={entry.id} {...entry} />)}
          </ul>
        )
        : list.error !== undefined
        ? <Failure error={list.error} again={list.reload} />
        : list.isLoading
        ? <Loading />
        : <Empty icon="trophy" title={said(words).statementNone}>{said(words).statementNoneText}</Empty>}
      <More list={list} label={said(words).more} />
    </>
  )
}
