import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { turma } from "../../../browser/client/Api.ts"
import { useDraft } from "../../../browser/client/Drafts.ts"
import { said } from "../../../browser/client/Language.ts"
import { changed, useRead } from "../../../browser/client/Reads.ts"
import { type KnownThread, useThread } from "../../../browser/client/useThread.ts"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Shown } from "../../../browser/parts/States.tsx"
import { tellFailure } from "../../../browser/parts/Toasts.tsx"
import { mayMoveFocus } from "../../club/focus.ts"
import { noticesKey } from "../../club/notices.ts"
import { clubId, ofClub, to, type ViewProps } from "../../club/View.ts"
import { type Message, Messages } from "./Messages.tsx"
import { StatusBadge } from "./StatusBadge.tsx"
import { words } from "./words.ts"

/** The pause between two looks for an answer, in milliseconds. */
const every = 10_000

/** The field below a conversation. Its text shows as a message at once, and stays a draft until it has been sent. */
const Answer = ({ conversationId, onSend, onSent }: {
  readonly conversationId: string
  /** Shows a text that is on its way. Undefined once it has arrived or failed. */
  readonly onSend: (text: string | undefined) => void
  readonly onSent: () => void
}) => {
  const draft = useDraft(`support/${conversationId}`)
  const isRunning = useSignal(false)
  const form = useRef<HTMLFormElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const send = async () => {
    const text = draft.text
    if (isRunning.peek() || text.trim() === "") return
    isRunning.value = true
    onSend(text)
    try {
      await turma.classroomSupport.write({ ...ofClub, conversationId, body: { body: text } })
      draft.clear()
      onSent()
    } catch (thrown) {
      tellFailure(thrown)
    } finally {
      onSend(undefined)
      isRunning.value = false
      if (mayMoveFocus(form.current)) field.current?.focus()
    }
  }
  return (
    <form
      class="answer"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <label class="visually-hidden" for="answer">{said(words).answer}</label>
      <textarea
        id="answer"
        ref={field}
        rows={3}
        maxLength={5000}
        required
        placeholder={said(words).answer}
        // While it is on its way, the text stands in the conversation.
        value={isRunning.value ? "" : draft.text}
        readOnly={isRunning.value}
        onInput={({ currentTarget }) => draft.set(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void send()
        }}
      />
      <button type="submit" aria-busy={isRunning.value}>{said(words).send}</button>
    </form>
  )
}

/** Marks what is shown as read, each time more of it is. */
const useMarking = (conversationId: string, { messages }: KnownThread<Message>, done: () => void) => {
  const marked = useRef(0)
  const last = messages.at(-1)
  useEffect(() => {
    if (last === undefined || last.number <= marked.current) return
    marked.current = last.number
    // If that fails, the conversation stays unread in the list. One's own message marks by itself.
    if (!last.mine) turma.classroomSupport.read({ ...ofClub, conversationId }).then(done, () => undefined)
  }, [last?.number])
}

/** One conversation with the team. */
export default function Conversation({ params }: ViewProps) {
  const conversationId = params["conversation"] ?? ""
  const key = `${clubId}/support/${conversationId}`
  const read = useRead(key, (signal) => turma.classroomSupport.get({ ...ofClub, conversationId }, { signal }))
  const thread = useThread(
    conversationId,
    every,
    ({ cursor, limit, signal }) =>
      turma.classroomSupport.messages({ ...ofClub, conversationId, cursor, limit }, { signal })
  )
  const underWay = useSignal<string | undefined>(undefined)
  const after = () => changed(key, `${clubId}/support`, `${clubId}/home`, noticesKey)
  useMarking(conversationId, thread, after)
  const known = read.data?.data
  return (
    <>
      <PageHead
        title={known === undefined ? said(words).conversation : known.subject}
        badge={known && <StatusBadge status={known.status} />}
        above={[{ label: said(words).title, to: to("support") }]}
      />
      <Shown read={read}>
        {({ data }) => (
          <section class="stack thread" aria-label={said(words).conversation}>
            <Messages thread={thread} underWay={underWay.value} />
            {data.status === "closed" && <p class="soft small">{said(words).closed}</p>}
            <Answer
              conversationId={conversationId}
              onSend={(text) => (underWay.value = text)}
              onSent={() => {
                thread.refresh()
                after()
              }}
            />
          </section>
        )}
      </Shown>
    </>
  )
}
