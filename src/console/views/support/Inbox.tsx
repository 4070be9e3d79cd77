import { useEffect, useRef } from "preact/hooks"
import { turma } from "../../../browser/client/Api.ts"
import { useInterval } from "../../../browser/client/Interval.ts"
import { said } from "../../../browser/client/Language.ts"
import { useList } from "../../../browser/client/Lists.ts"
import { query, setQuery } from "../../../browser/client/Location.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import { Badge } from "../../../browser/parts/Badge.tsx"
import { Moment } from "../../../browser/parts/Moment.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Empty } from "../../../browser/parts/States.tsx"
import { type Column, Table } from "../../../browser/parts/Table.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { me } from "../../club/Session.ts"
import { clubPage, type ClubViewProps } from "../../club/View.ts"
import { useStaff } from "./staff.ts"
import { StatusBadge } from "./StatusBadge.tsx"
import { words } from "./words.ts"

type Conversation = Schemas["SupportConversation"]
type Status = Conversation["status"]

const statuses: ReadonlyArray<Status> = ["open", "pending", "closed"]

/** The pause between two looks for news, in milliseconds. */
const every = 5000

interface Filter {
  readonly status: Status | undefined
  readonly assignee_user_id: string | undefined
}

const Subject = ({ last_message_preview, subject, unread_count }: Conversation) => (
  <>
    {unread_count > 0 && <Badge tone="waiting">{said(words).new(unread_count)}</Badge>}{" "}
    <span dir="auto">{subject === "" ? said(words).withoutSubject : subject}</span>
    <span class="preview" dir="auto">{last_message_preview}</span>
  </>
)

const columns = (): ReadonlyArray<Column<Conversation>> => [
  { key: "subject", head: said(words).subject, cell: (one) => <Subject {...one} /> },
  {
    key: "student",
    head: said(words).student,
    cell: ({ student }) => <span dir="auto">{student.name}</span>,
    onCard: "detail",
    width: "15%"
  },
  {
    key: "status",
    head: said(words).status,
    cell: ({ status }) => <StatusBadge status={status} />,
    onCard: "state",
    width: "12rem"
  },
  {
    key: "assignee",
    head: said(words).assignee,
    cell: ({ assignee }) => <span dir="auto">{assignee?.name ?? "—"}</span>,
    onCard: "detail",
    width: "14%"
  },
  {
    key: "last",
    head: said(words).last,
    cell: (one) => <Moment at={one.last_message_at} />,
    onCard: "detail",
    width: "10rem"
  }
]

const useConversations = (clubId: string, filter: Filter, unread: "true" | "false") =>
  useList(
    `${clubId}/support/conversations?${JSON.stringify({ ...filter, unread })}`,
    ({ cursor, limit, signal }) => turma.support.list({ clubId, ...filter, unread, cursor, limit }, { signal })
  )

/** Calls when the latest conversation is another, or another has been read: what is listed is old then. */
const useNews = (clubId: string, filter: Filter, tell: () => void) => {
  const read = useRead(`${clubId}/support/latest?${JSON.stringify(filter)}`, async (signal) => {
    const [latest, unread] = await Promise.all([
      turma.support.list({ clubId, ...filter, limit: 1 }, { signal }),
      turma.support.list({ clubId, ...filter, unread: "true", limit: 1 }, { signal })
    ])
    return JSON.stringify([latest.data, unread.data].map((page) =>
      page.map(({ id, messages_count, unread_count }) => [id, messages_count, unread_count])
    ))
  })
  const seen = useRef(read.data)
  useInterval(every, () => {
    if (!read.isLoading) read.reload()
  })
  useEffect(() => {
    if (read.data === undefined || read.data === seen.current) return
    const isFirst = seen.current === undefined
    seen.current = read.data
    if (!isFirst) tell()
  }, [read.data])
}

const Filters = ({ assignee_user_id, clubId, status }: Filter & { readonly clubId: string }) => {
  const staff = useStaff(clubId)
  const own = me.value?.id
  return (
    <div class="filters" role="search" aria-label={said(words).filters}>
      <label class="field">
        <span>{said(words).status}</span>
        <select value={status ?? ""} onChange={({ currentTarget }) => setQuery({ status: currentTarget.value })}>
          <option value="">{said(words).all}</option>
          {statuses.map((one) => <option key={one} value={one}>{said(words).statuses[one]}</option>)}
        </select>
      </label>
      <label class="field">
        <span>{said(words).assignee}</span>
        <select
          value={assignee_user_id ?? ""}
          onChange={({ currentTarget }) => setQuery({ assignee: currentTarget.value })}
        >
          <option value="">{said(words).anybody}</option>
          {own !== undefined && <option value={own}>{said(words).mine}</option>}
          {(staff.data ?? []).filter(({ value }) => value !== own).map(({ label, value }) => (
            <option key={value} value={value}>{label}</option>
          ))}
        </select>
      </label>
    </div>
  )
}

/** The students' questions: unread ones first, then the others, each by the latest activity. */
export default function Inbox({ club }: ClubViewProps) {
  const clubId = club.organization_id
  const filter: Filter = {
    status: statuses.find((one) => one === query.value.get("status")),
    assignee_user_id: query.value.get("assignee") ?? undefined
  }
  const unread = useConversations(clubId, filter, "true")
  const read = useConversations(clubId, filter, "false")
  useNews(clubId, filter, () => {
    unread.reload()
    read.reload()
  })
  const isNothing = unread.rows === 0 && !unread.isLoading && unread.error === undefined
  const to = ({ id }: Conversation) => clubPage(club, "support", id)
  return (
    <>
      <PageHead title={said(words).title}>
        <span role="status">{isNothing ? said(words).leadNone : unread.rows > 0 && said(words).leadSome}</span>
      </PageHead>
      <Filters clubId={clubId} {...filter} />
      {!isNothing && (
        <section class="stack" aria-labelledby="unread">
          <h2 id="unread">{said(words).unread}</h2>
          <Table
            label={said(words).unread}
            columns={columns()}
            list={unread}
            keyOf={({ id }) => id}
            to={to}
            empty={null}
          />
        </section>
      )}
      <section class="stack" aria-labelledby="read">
        <h2 id="read">{said(words).read}</h2>
        <Table
          label={said(words).read}
          columns={columns()}
          list={read}
          keyOf={({ id }) => id}
          to={to}
          empty={<Empty icon="help" title={said(words).none}>{said(words).noneText}</Empty>}
        />
      </section>
    </>
  )
}
