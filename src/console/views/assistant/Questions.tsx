import { turma } from "../../../browser/client/Api.ts"
import { number } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { useList } from "../../../browser/client/Lists.ts"
import { query, setQuery } from "../../../browser/client/Location.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import { startOfDay } from "../../../browser/client/Time.ts"
import { Icon } from "../../../browser/parts/Icon.tsx"
import { Moment } from "../../../browser/parts/Moment.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Empty } from "../../../browser/parts/States.tsx"
import { type Column, Table } from "../../../browser/parts/Table.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { clubPage, type ClubViewProps } from "../../club/View.ts"
import { AnswerBadge } from "./AnswerBadge.tsx"
import { AssistantTabs } from "./AssistantTabs.tsx"
import { statuses, statusOf } from "./questions.ts"
import { words } from "./words.ts"

type Asked = Schemas["AskedQuestion"]

const columns = (): ReadonlyArray<Column<Asked>> => [
  {
    key: "question",
    head: said(words).question,
    cell: ({ question }) => <span class="long" dir="auto">{question}</span>
  },
  {
    key: "student",
    head: said(words).student,
    cell: ({ student }) => <span dir="auto">{student.name}</span>,
    onCard: "detail",
    width: "16%"
  },
  {
    key: "lesson",
    head: said(words).lesson,
    cell: ({ lesson }) => <span dir="auto">{lesson.title}</span>,
    onCard: "detail",
    width: "20%"
  },
  {
    key: "status",
    head: said(words).status,
    cell: ({ status }) => <AnswerBadge status={status} />,
    onCard: "state",
    width: "9rem"
  },
  {
    key: "asked",
    head: said(words).asked,
    cell: ({ created_at }) => <Moment at={created_at} />,
    onCard: "detail",
    width: "9.5rem"
  }
]

const DayField = ({ label, name }: { readonly label: string; readonly name: "from" | "until" }) => (
  <label class="field">
    <span>{label}</span>
    <input
      type="date"
      value={query.value.get(name) ?? ""}
      onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
    />
  </label>
)

/** A button that removes the filter by a student or a lesson. Links set it. */
const Chosen = ({ name, what }: { readonly name: "student" | "lesson"; readonly what: string }) => (
  <button
    type="button"
    class="quiet"
    aria-label={said(words).clear(what)}
    onClick={() => setQuery({ [name]: undefined })}
  >
    <span dir="auto">{said(words).only(what)}</span>
    <Icon name="close" />
  </button>
)

/** The students' questions. */
export default function Questions({ club }: ClubViewProps) {
  const clubId = club.organization_id
  const given = query.value
  const filter = {
    status: statusOf(given.get("status")),
    lesson_id: given.get("lesson"),
    student_id: given.get("student"),
    since: startOfDay(given.get("from") ?? ""),
    until: startOfDay(given.get("until") ?? "")
  }
  const list = useList(
    `${clubId}/assistant/questions?${JSON.stringify(filter)}`,
    ({ cursor, limit, signal }) => turma.assistantQuestions.list({ clubId, ...filter, cursor, limit }, { signal })
  )
  const usage = useRead(
    `${clubId}/assistant/usage?7d`,
    (signal) => turma.assistantQuestions.usage({ clubId, window: "7d" }, { signal })
  )
  const days = usage.data?.data.days ?? []
  const sum = (field: "questions" | "failed") => days.reduce((all, day) => all + day[field], 0)
  const first = list.item(0)
  return (
    <>
      <PageHead title={said(words).title}>
        {usage.data && said(words).lead(number(sum("questions")), number(sum("failed")), sum("questions") === 1)}
      </PageHead>
      <AssistantTabs club={club} />
      <div class="filters" role="search" aria-label={said(words).filters}>
        <label class="field">
          <span>{said(words).status}</span>
          <select
            value={filter.status ?? ""}
            onChange={({ currentTarget }) => setQuery({ status: currentTarget.value })}
          >
            <option value="">{said(words).any}</option>
            {statuses.map((one) => <option key={one} value={one}>{said(words).statuses[one]}</option>)}
          </select>
        </label>
        <DayField name="from" label={said(words).from} />
        <DayField name="until" label={said(words).until} />
        {filter.student_id !== null && <Chosen name="student" what={first?.student.name ?? said(words).student} />}
        {filter.lesson_id !== null && <Chosen name="lesson" what={first?.lesson.title ?? said(words).lesson} />}
      </div>
      <Table
        label={said(words).questions}
        columns={columns()}
        list={list}
        keyOf={({ id }) => id}
        to={({ id }) => clubPage(club, "assistant", "questions", id)}
        empty={<Empty icon="spark" title={said(words).none}>{said(words).noneText}</Empty>}
      />
    </>
  )
}
