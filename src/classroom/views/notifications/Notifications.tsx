import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { date } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { useList } from "../../../browser/client/Lists.ts"
import { currentMillis, dayOf, timestampOf } from "../../../browser/client/Time.ts"
import { More } from "../../../browser/parts/More.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Empty, Failure, Loading } from "../../../browser/parts/States.tsx"
import { tellFailure } from "../../../browser/parts/Toasts.tsx"
import type { Notice } from "../../club/noticePlace.ts"
import { NoticeRow } from "../../club/NoticeRow.tsx"
import { markRead, noticesKey } from "../../club/notices.ts"
import { ofClub } from "../../club/View.ts"
import { MailChoice } from "./MailChoice.tsx"
import { asRead, groupsOf } from "./notices.ts"

const words = spoken(
  {
    all: "Mark all as read",
    empty: "Nothing has happened yet",
    emptyText: "Replies, mentions, reviewed assignments and new lives appear here.",
    more: "Show older ones",
    title: "Notifications",
    today: "Today",
    unread: "New",
    yesterday: "Yesterday"
  },
  {
    all: "Marcar tudo como lido",
    empty: "Nada por aqui ainda",
    emptyText: "Respostas, menções, tarefas avaliadas e novos encontros ao vivo aparecem aqui.",
    more: "Mostrar mais antigos",
    title: "Avisos",
    today: "Hoje",
    unread: "Novos",
    yesterday: "Ontem"
  }
)

const day = 86_400_000

const headOf = (name: string, first: Notice | undefined) => {
  if (name === "unread") return said(words).unread
  if (name === dayOf(timestampOf(currentMillis()))) return said(words).today
  if (name === dayOf(timestampOf(currentMillis() - day))) return said(words).yesterday
  return first === undefined ? name : date(first.created_at)
}

/** Replies, mentions and other things that concern the student, and how they come by mail. */
export default function Notifications() {
  const list = useList<Notice>(
    `${noticesKey}/list`,
    ({ signal, ...page }) => turma.classroomNotifications.list({ ...ofClub, ...page }, { signal })
  )
  /** The ids of those that the reader has read here, before the list says so. */
  const read = useSignal<ReadonlySet<string>>(new Set<string>())
  const now = timestampOf(currentMillis())
  const known = Array.from({ length: list.rows }, (_, row) => list.item(row)).filter((one) => one !== undefined)
  const shown = known.map((one) => read.value.has(one.id) ? asRead(one, now) : one)
  /** Marks these, or all. */
  const mark = async (ids?: Array<string>) => {
    const before = read.peek()
    read.value = new Set([...before, ...ids ?? known.map(({ id }) => id)])
    try {
      await markRead(ids)
    } catch (thrown) {
      read.value = before
      tellFailure(thrown)
    }
  }
  const readOne = ({ id, read_at }: Notice) => {
    if (read_at === null) void mark([id])
  }
  return (
    <>
      <PageHead
        title={said(words).title}
        actions={shown.some(({ read_at }) => read_at === null) && (
          <button
            type="button"
            class="quiet plain"
            onClick={() => void mark()}
          >
            {said(words).all}
          </button>
        )}
      />
      {list.rows === 0 && list.isLoading && <Loading />}
      {list.rows === 0 && !list.isLoading && list.error === undefined && (
        <Empty title={said(words).empty}>{said(words).emptyText}</Empty>
      )}
      {groupsOf(shown, dayOf).map(({ name, notices }) => (
        <section key={name} class="notices" aria-labelledby={`day-${name}`}>
          <h2 class="eyebrow" id={`day-${name}`}>{headOf(name, notices[0])}</h2>
          <ul class="plain-list">
            {notices.map((notice) => (
              <li key={notice.id}>
                <NoticeRow
                  notice={notice}
                  read={() => readOne(notice)}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {list.error !== undefined && <Failure error={list.error} again={list.reload} />}
      <More list={list} label={said(words).more} />
      <MailChoice />
    </>
  )
}
