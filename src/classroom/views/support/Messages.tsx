import { useLayoutEffect, useRef } from "preact/hooks"
import { said } from "../../../browser/client/Language.ts"
import type { KnownThread } from "../../../browser/client/useThread.ts"
import { Avatar } from "../../../browser/parts/Avatar.tsx"
import { Moment } from "../../../browser/parts/Moment.tsx"
import { Failure, Loading } from "../../../browser/parts/States.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { me } from "../../club/Session.ts"
import { words } from "./words.ts"

/** A message of a conversation. */
export type Message = Schemas["SupportMessage"]

const One = ({ author, body, created_at, mine }: Message) => (
  <li class={mine ? "message own" : "message"}>
    {!mine && <Avatar name={author.name} role={author.role} />}
    <div class="bubble">
      <p class="soft small">
        <strong dir="auto">{mine ? said(words).you : author.name}</strong>
        {!mine && author.role === "staff" && ` · ${said(words).team}`}
        {" · "}
        <Moment at={created_at} />
      </p>
      <p class="said" dir="auto">{body}</p>
    </div>
  </li>
)

/** A message that is being sent. */
export const UnderWay = ({ text }: { readonly text: string }) => (
  <li class="message own under-way">
    <div class="bubble">
      <p class="soft small">
        <strong>{said(words).you}</strong> · {said(words).sending}
      </p>
      <p class="said" dir="auto">{text}</p>
    </div>
  </li>
)

/** The messages, the newest at the end. The page begins there, and older ones come in above. */
export const Messages = ({ thread, underWay }: {
  readonly thread: KnownThread<Message>
  /** A text that is being sent. */
  readonly underWay: string | undefined
}) => {
  const end = useRef<HTMLDivElement>(null)
  const height = useRef<{ readonly first: number; readonly page: number }>(undefined)
  const first = thread.messages[0]?.number ?? 0
  const last = thread.messages.at(-1)?.number ?? 0
  useLayoutEffect(() => {
    if (!thread.isRead) return
    const before = height.current
    const page = document.documentElement.scrollHeight
    // The reader's place stays where older messages come in above it.
    if (before !== undefined && first < before.first) scrollBy(0, page - before.page)
    height.current = { first, page }
  }, [first, last, thread.isRead])
  useLayoutEffect(() => {
    if (thread.isRead) end.current?.scrollIntoView({ block: "nearest" })
  }, [last, underWay, thread.isRead])
  if (!thread.isRead) {
    return thread.error === undefined ? <Loading /> : <Failure error={thread.error} again={thread.refresh} />
  }
  return (
    <div role="log" aria-label={said(words).thread} class="messages">
      {thread.older !== null && (
        <button type="button" class="quiet" onClick={thread.readOlder}>{said(words).older}</button>
      )}
      <ol class="plain-list">
        {thread.messages.map((message) => <One key={message.id} {...message} />)}
        {underWay !== undefined && me.value !== undefined && <UnderWay text={underWay} />}
      </ol>
      {thread.error !== undefined && <Failure error={thread.error} again={thread.refresh} />}
      <div ref={end} class="end" />
    </div>
  )
}
