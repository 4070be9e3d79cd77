import { useLayoutEffect, useRef } from "preact/hooks"
import { said } from "../../../browser/client/Language.ts"
import type { KnownThread } from "../../../browser/client/useThread.ts"
import { Moment } from "../../../browser/parts/Moment.tsx"
import { Failure, Loading } from "../../../browser/parts/States.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { words } from "./words.ts"

/** A message of a conversation. */
export type Message = Schemas["SupportMessage"]

const One = ({ author, body, created_at, mine }: Message) => (
  <li class={author.role === "student" ? "message" : "message ours"}>
    <p class="soft small">
      <strong dir="auto">{mine ? said(words).you : author.name}</strong> <Moment at={created_at} />
    </p>
    <p class="said" dir="auto">{body}</p>
  </li>
)

/** In pixels: so near the end is at the end. */
const near = 40

/** The messages, the newest at the end. The end stays in view as more arrive. */
export const Messages = ({ thread }: { readonly thread: KnownThread<Message> }) => {
  const list = useRef<HTMLDivElement>(null)
  const wasAtEnd = useRef(true)
  const before = useRef({ first: 0, height: 0 })
  const first = thread.messages[0]?.number ?? 0
  const last = thread.messages.at(-1)?.number ?? 0
  useLayoutEffect(() => {
    const element = list.current
    if (element === null) return
    if (wasAtEnd.current) element.scrollTop = element.scrollHeight
    // Older messages come in above the visible ones, which stay in their place.
    else if (first < before.current.first) element.scrollTop += element.scrollHeight - before.current.height
    before.current = { first, height: element.scrollHeight }
  }, [first, last])
  if (!thread.isRead) {
    return thread.error === undefined ? <Loading /> : <Failure error={thread.error} again={thread.refresh} />
  }
  const notice = ({ currentTarget: { clientHeight, scrollHeight, scrollTop } }: { currentTarget: HTMLElement }) => {
    wasAtEnd.current = scrollHeight - scrollTop - clientHeight < near
  }
  return (
    <div class="messages" ref={list} tabIndex={0} role="log" aria-label={said(words).thread} onScroll={notice}>
      {thread.older !== null && (
        <button type="button" class="quiet" onClick={thread.readOlder}>{said(words).older}</button>
      )}
      <ol>
        {thread.messages.map((message) => <One key={message.id} {...message} />)}
      </ol>
      {thread.error !== undefined && <Failure error={thread.error} again={thread.refresh} />}
    </div>
  )
}
