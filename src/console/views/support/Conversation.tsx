import { useEffect, useRef } from "preact/hooks"
import { turma } from "../../../browser/client/Api.ts"
import { said } from "../../../browser/client/Language.ts"
import { changed, useRead } from "../../../browser/client/Reads.ts"
import { type KnownThread, useThread } from "../../../browser/client/useThread.ts"
import { TextArea } from "../../../browser/parts/Fields.tsx"
import { useForm } from "../../../browser/parts/Form.ts"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Shown } from "../../../browser/parts/States.tsx"
import { attempt } from "../../../browser/parts/Toasts.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { clubPage, type ClubViewProps } from "../../club/View.ts"
import { type Message, Messages } from "./Messages.tsx"
import { useStaff } from "./staff.ts"
import { StatusBadge } from "./StatusBadge.tsx"
import { words } from "./words.ts"

type SupportConversation = Schemas["SupportConversation"]
/** The pause between two looks for new messages, in milliseconds. */
const every = 4000

type Change = Parameters<typeof turma.support.update>[0]["body"]

const Answer = ({ clubId, conversationId, onSent }: {
  readonly clubId: string
  readonly conversationId: string
  readonly onSent: () => void
}) => {
  const form = useForm({
    values: { body: "" },
    send: async (value) => {
      await turma.support.write({ clubId, conversationId, body: { body: value("body") } })
      form.reset({ body: "" })
      onSent()
    },
    done: said(words).sent
  })
  return (
    <form class="stack" onSubmit={form.submit}>
      <TextArea
        form={form}
        name="body"
        label={said(words).answer}
        hint={said(words).answerHint}
        maxLength={5000}
        required
      />
      <div class="actions">
        <button type="submit" aria-busy={form.isRunning}>{said(words).send}</button>
      </div>
    </form>
  )
}

const Changes = ({ clubId, conversation: { assignee, status }, onChange }: {
  readonly clubId: string
  readonly conversation: SupportConversation
  /** Answers whether it succeeded. */
  readonly onChange: (change: Change) => Promise<boolean>
}) => {
  const staff = useStaff(clubId)
  const choices = staff.data ?? []
  const isListed = assignee === null || choices.some(({ value }) => value === assignee.id)
  return (
    <div class="filters">
      <label class="field">
        <span>{said(words).assignee}</span>
        <select
          value={assignee?.id ?? ""}
          onChange={async ({ currentTarget }) => {
            const { value } = currentTarget
            const isDone = await onChange({ assignee_user_id: value === "" ? null : value })
            // A refused choice must not stay on the page.
            if (!isDone) currentTarget.value = assignee?.id ?? ""
          }}
        >
          <option value="">{said(words).nobody}</option>
          {!isListed && <option value={assignee.id}>{assignee.name}</option>}
          {choices.map(({ label, value }) => <option key={value} value={value}>{label}</option>)}
        </select>
      </label>
      {status === "open" && (
        <button type="button" class="quiet" onClick={() => void onChange({ status: "pending" })}>
          {said(words).pending}
        </button>
      )}
      {status === "closed"
        ? (
          <button type="button" class="quiet" onClick={() => void onChange({ status: "open" })}>
            {said(words).reopen}
          </button>
        )
        : (
          <button type="button" class="quiet" onClick={() => void onChange({ status: "closed" })}>
            {said(words).close}
          </button>
        )}
    </div>
  )
}

/** Marks what is shown as read, each time more of it is. */
const useMarking = (clubId: string, conversationId: string, { messages }: KnownThread<Message>, done: () => void) => {
  const marked = useRef(0)
  const last = messages.at(-1)?.number ?? 0
  useEffect(() => {
    if (last <= marked.current) return
    marked.current = last
    // If that fails, the conversation stays unread in the inbox.
    turma.support.read({ clubId, conversationId }).then(done, () => undefined)
  }, [last])
}

/** One conversation with a student. */
export default function Conversation({ club, params }: ClubViewProps) {
  const clubId = club.organization_id
  const conversationId = params["conversation"] ?? ""
  const key = `${clubId}/support/conversations/${conversationId}`
  const read = useRead(key, (signal) => turma.support.get({ clubId, conversationId }, { signal }))
  const thread = useThread(
    conversationId,
    every,
    ({ cursor, limit, signal }) => turma.support.messages({ clubId, conversationId, cursor, limit }, { signal })
  )
  useMarking(clubId, conversationId, thread, () => changed(key))
  const known = read.data?.data
  const change = (body: Change) =>
    attempt(async () => {
      await turma.support.update({ clubId, conversationId, body })
      changed(key)
    })
  const refresh = () => {
    thread.refresh()
    changed(key)
  }
  const isForgotten = known?.subject === ""
  return (
    <>
      <PageHead
        title={known === undefined ? said(words).conversation : known.subject || said(words).withoutSubject}
        badge={known && <StatusBadge status={known.status} />}
        above={[{ label: said(words).title, to: clubPage(club, "support") }]}
      >
        {known && (
          <>
            <a href={clubPage(club, "students", known.student.id)} dir="auto">{known.student.name}</a>
            {" · "}
            {said(words).messages(known.messages_count)}
          </>
        )}
      </PageHead>
      <Shown read={read}>
        {({ data }) => (
          <section class="card stack" aria-label={said(words).conversation}>
            {!isForgotten && <Changes clubId={clubId} conversation={data} onChange={change} />}
            {isForgotten ? <p class="notice">{said(words).forgotten}</p> : <Messages thread={thread} />}
            {data.status === "closed" && <p class="soft">{said(words).closed}.</p>}
            {!isForgotten && <Answer clubId={clubId} conversationId={conversationId} onSent={refresh} />}
          </section>
        )}
      </Shown>
    </>
  )
}
