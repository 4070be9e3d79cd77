import { turma } from "../../../browser/client/Api.ts"
import { said } from "../../../browser/client/Language.ts"
import { useList } from "../../../browser/client/Lists.ts"
import { Badge } from "../../../browser/parts/Badge.tsx"
import { Feed } from "../../../browser/parts/Feed.tsx"
import { Moment } from "../../../browser/parts/Moment.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Empty } from "../../../browser/parts/States.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { clubId, ofClub, to } from "../../club/View.ts"
import { StatusBadge } from "./StatusBadge.tsx"
import { words } from "./words.ts"

type Conversation = Schemas["ClassroomSupportConversation"]

const One = ({ id, last_message_at, last_message_preview, status, subject, unread_count }: Conversation) => (
  <a class={unread_count > 0 ? "conversation unread" : "conversation"} href={to("support", id)}>
    <span class="conversation-head">
      <strong dir="auto">{subject}</strong>
      <span class="soft small">
        <Moment at={last_message_at} />
      </span>
    </span>
    <span class="conversation-preview soft" dir="auto">{last_message_preview}</span>
    <span class="row">
      {unread_count > 0 && <Badge tone="warning">{said(words).new(unread_count)}</Badge>}
      <StatusBadge status={status} />
    </span>
  </a>
)

const Ask = () => <a class="button" href={to("support", "new")}>{said(words).ask}</a>

/** The student's questions to the team, the latest first. */
export default function Conversations() {
  const list = useList(
    `${clubId}/support`,
    ({ cursor, limit, signal }) => turma.classroomSupport.list({ ...ofClub, cursor, limit }, { signal })
  )
  return (
    <>
      <PageHead title={said(words).title} actions={list.rows > 0 && <Ask />} />
      <Feed
        label={said(words).title}
        list={list}
        keyOf={({ id }) => id}
        empty={<Empty icon="help" title={said(words).none} action={<Ask />}>{said(words).noneText}</Empty>}
      >
        {(conversation) => <One {...conversation} />}
      </Feed>
    </>
  )
}
