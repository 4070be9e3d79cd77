import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { said } from "../../../../browser/client/Language.ts"
import { Avatar } from "../../../../browser/parts/Avatar.tsx"
import { Icon } from "../../../../browser/parts/Icon.tsx"
import { Failure, Loading } from "../../../../browser/parts/States.tsx"
import { attempt } from "../../../../browser/parts/Toasts.tsx"
import type { OpenSource } from "../../../club/Source.ts"
import { AskedMessage } from "./AskedMessage.tsx"
import { Earlier } from "./Earlier.tsx"
import { mayAsk, QuestionField } from "./QuestionField.tsx"
import type { Message } from "./talk.ts"
import { type Asking, useAsk } from "./useAsk.ts"
import { words } from "./words.ts"

/** In pixels: so near the end is at the end. */
const near = 60

const Log = ({ asking, lesson, openSource }: {
  readonly asking: Asking
  readonly lesson: string
  readonly openSource: OpenSource
}) => {
  const list = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const { current, messages } = asking
  const last = messages.at(-1)
  useLayoutEffect(() => {
    const element = list.current
    if (element !== null && isAtEnd.current) element.scrollTop = element.scrollHeight
  }, [last?.id, last?.content, last?.citations.length])
  const questionOf = ({ reply_to }: Message) => messages.find(({ id }) => id === reply_to)?.content
  const againOf = (message: Message) => {
    const question = questionOf(message)
    return question === undefined || !mayAsk(asking) ? undefined : () => void attempt(() => asking.ask(question, []))
  }
  return (
    <div
      class="ask-log"
      ref={list}
      tabIndex={0}
      role="log"
      aria-label={said(words).conversation}
      // The words come one by one. The line below says once that they are there.
      aria-live="off"
      onScroll={(
        { currentTarget: { clientHeight, scrollHeight, scrollTop } }
      ) => (isAtEnd.current = scrollHeight - scrollTop - clientHeight < near)}
    >
      {asking.hasOlder && (
        <button type="button" class="quiet" onClick={() => void attempt(asking.readOlder)}>{said(words).older}</button>
      )}
      {messages.length === 0 && <p class="soft ask-empty">{said(words).empty}</p>}
      <ol>
        {messages.map((message) => (
          <AskedMessage
            key={message.id}
            message={message}
            lesson={lesson}
            openSource={openSource}
            again={againOf(message)}
          />
        ))}
      </ol>
      <p class="visually-hidden" role="status">
        {current !== undefined ? said(words).answering : last?.role === "assistant" ? said(words).answered : ""}
      </p>
    </div>
  )
}

interface AskTalkProps {
  readonly lesson: string
  readonly openSource: OpenSource
  /** The name of what it stands in. */
  readonly titleId: string
  /** Beside the name. */
  readonly actions?: ComponentChildren
}

/** A student's conversation with the assistant about a lesson. */
export const AskTalk = ({ actions, lesson, openSource, titleId }: AskTalkProps) => {
  const asking = useAsk(lesson)
  const isListing = useSignal(false)
  const { agent, conversation, error, messages } = asking
  return (
    <div class="ask">
      <header class="ask-head">
        <Avatar name="" role="assistant" />
        <h2 id={titleId} dir="auto">{agent ?? said(words).title}</h2>
        {messages.length > 0 && (
          <button
            type="button"
            class="quiet square"
            aria-label={said(words).begin}
            title={said(words).begin}
            onClick={() => {
              isListing.value = false
              asking.begin()
            }}
          >
            <Icon name="write" />
          </button>
        )}
        <button
          type="button"
          class="quiet square"
          aria-label={said(words).earlier}
          title={said(words).earlier}
          aria-expanded={isListing.value}
          onClick={() => (isListing.value = !isListing.peek())}
        >
          <Icon name="menu" />
        </button>
        {actions}
      </header>
      {isListing.value
        ? (
          <div class="ask-log">
            <Earlier
              lesson={lesson}
              current={conversation}
              open={(one) => void attempt(() => asking.open(one)).then((isDone) => isDone && (isListing.value = false))}
            />
          </div>
        )
        : agent === undefined
        ? error === undefined ? <Loading /> : <Failure error={error} again={asking.read} />
        : (
          <>
            <Log asking={asking} lesson={lesson} openSource={openSource} />
            <QuestionField asking={asking} lesson={lesson} />
          </>
        )}
    </div>
  )
}
