import { useSignal } from "@preact/signals"
import { useEffect, useMemo, useRef } from "preact/hooks"
import { session, turma } from "../../../../browser/client/Api.ts"
import { isVisible } from "../../../../browser/client/Interval.ts"
import { failureOf } from "../../../../browser/client/Reads.ts"
import { makeRecovery } from "../../../../browser/client/Recovery.ts"
import { currentMillis, timestampOf } from "../../../../browser/client/Time.ts"
import type { Schemas, TurmaError } from "../../../../sdk/index.ts"
import { ofClub } from "../../../club/View.ts"
import { follow } from "./follow.ts"
import { beforeTheirAnswer, generating, isOnItsWay, type Message, type Messages, withMessage } from "./talk.ts"

/** A student's conversation with the assistant about one lesson. */
export type Conversation = Schemas["AskConversation"]

/** How much a student may still ask. */
export type Limits = Schemas["AskLimits"]

/** A student's conversation about a lesson, and everything that they do with it. */
export interface Asking {
  /** The name of the assistant. Undefined until the conversation has been read. */
  readonly agent: string | undefined
  readonly limits: Limits | undefined
  readonly conversation: Conversation | undefined
  readonly messages: Messages
  /** The answer that the assistant is giving now. */
  readonly current: Message | undefined
  /** True if there are messages before these. */
  readonly hasOlder: boolean
  readonly error: TurmaError | undefined
  readonly read: () => void
  readonly readOlder: () => Promise<void>
  /** Shows a question at once and sends it. Shows it no longer if that fails. */
  readonly ask: (content: string, mediaIds: ReadonlyArray<string>) => Promise<void>
  /** Stops the answer. */
  readonly stop: () => Promise<void>
  /** Begins anew: the next question begins a conversation. */
  readonly begin: () => void
  /** Shows an earlier conversation. */
  readonly open: (conversation: Conversation) => Promise<void>
}

/** The messages of a page: as many as the state of a lesson has. */
const pageSize = 50

interface Talk {
  readonly conversation: Conversation | undefined
  readonly messages: Messages
  /** Where the messages before these begin. Null: these are all. Undefined: it is not known yet. */
  readonly older: string | null | undefined
}

const nothing: Talk = { conversation: undefined, messages: [], older: null }

let asked = 0

const pageOf = async (conversationId: string, cursor?: string) => {
  const { data, next_cursor } = await turma.ask.messages({
    ...ofClub,
    conversationId,
    limit: pageSize,
    cursor
  })
  return { messages: data.toReversed(), older: next_cursor ?? null }
}

/** The conversation of the signed-in student about a lesson, by its public id. */
export const useAsk = (publicId: string): Asking => {
  const talk = useSignal<Talk>(nothing)
  const agent = useSignal<string | undefined>(undefined)
  const limits = useSignal<Limits | undefined>(undefined)
  const error = useSignal<TurmaError | undefined>(undefined)
  const change = (next: (messages: Messages) => Messages) => {
    talk.value = { ...talk.peek(), messages: next(talk.peek().messages) }
  }

  /** How often the student has chosen another conversation. */
  const choices = useRef(0)

  const attempts = useSignal(0)
  const read = () => {
    attempts.value++
  }
  const recovery = useMemo(() => makeRecovery(read), [])
  useEffect(() => recovery.worked, [])

  const readNow = async (signal: AbortSignal) => {
    try {
      const { data } = await turma.ask.state({ ...ofClub, publicId }, { signal })
      if (signal.aborted) return
      error.value = undefined
      recovery.worked()
      agent.value = data.agent_name
      limits.value = data.limits
      if (choices.current > 0) return
      talk.value = {
        conversation: data.conversation ?? undefined,
        messages: data.messages,
        older: data.messages.length < pageSize ? null : undefined
      }
    } catch (thrown) {
      if (signal.aborted) return
      error.value = failureOf(thrown)
      recovery.failed(error.value)
    }
  }
  useEffect(() => {
    const controller = new AbortController()
    void readNow(controller.signal)
    return () => controller.abort()
  }, [publicId, attempts.value])
  // A session that has ended leaves the conversation as it is. After a failure, the next session reads it, and so does
  // a student who looks at the page again.
  const isOpen = session.value !== "closed"
  const mayRead = isOpen && isVisible.value
  useEffect(() => {
    if (mayRead && error.peek() !== undefined) read()
  }, [mayRead])

  const current = generating(talk.value.messages)
  const followed = current === undefined || isOnItsWay(current) || !isVisible.value || !isOpen ? undefined : current.id
  useEffect(() => {
    if (followed === undefined) return undefined
    const controller = new AbortController()
    const known = () => talk.peek().messages.find(({ id }) => id === followed)
    void follow({ id: followed, known, change, signal: controller.signal })
    return () => controller.abort()
  }, [followed])

  const ask = async (content: string, mediaIds: ReadonlyArray<string>) => {
    const { conversation } = talk.peek()
    const pair = beforeTheirAnswer(++asked, content, timestampOf(currentMillis()))
    const isOther = ({ id }: Message) => pair.every((one) => one.id !== id)
    change((messages) => [...messages, ...pair])
    try {
      const { data } = await turma.ask.ask({
        ...ofClub,
        publicId,
        body: {
          content,
          ...(conversation === undefined ? {} : { conversation_id: conversation.id }),
          media_ids: [...mediaIds]
        }
      })
      limits.value = data.limits
      const shown = talk.peek()
      // Meanwhile the student may have begun another conversation or opened one.
      if (shown.messages.every(isOther) && shown.conversation?.id !== data.conversation.id) return
      const isKnown = ({ id }: Message) => id === data.message.id || id === data.reply.id
      const others = shown.messages.filter((message) => isOther(message) && !isKnown(message))
      talk.value = { ...shown, conversation: data.conversation, messages: [...others, data.message, data.reply] }
    } catch (thrown) {
      change((messages) => messages.filter(isOther))
      throw thrown
    }
  }

  const readOlder = async () => {
    const { conversation, older } = talk.peek()
    if (conversation === undefined || older === null) return
    const isLeft = () => talk.peek().conversation?.id !== conversation.id
    const cursor = older ?? (await pageOf(conversation.id)).older
    if (isLeft()) return
    if (cursor === null) {
      talk.value = { ...talk.peek(), older: null }
      return
    }
    const page = await pageOf(conversation.id, cursor)
    if (isLeft()) return
    talk.value = { ...talk.peek(), messages: [...page.messages, ...talk.peek().messages], older: page.older }
  }

  return {
    agent: agent.value,
    limits: limits.value,
    conversation: talk.value.conversation,
    messages: talk.value.messages,
    current,
    hasOlder: talk.value.older !== null,
    error: error.value,
    read,
    readOlder,
    ask,
    stop: async () => {
      const stopped = generating(talk.peek().messages)
      if (stopped === undefined || isOnItsWay(stopped)) return
      const { data } = await turma.ask.cancel({ ...ofClub, messageId: stopped.id })
      change((messages) => withMessage(messages, data))
      // A question that nobody had begun to answer is not counted.
      limits.value = (await turma.ask.state({ ...ofClub, publicId })).data.limits
    },
    begin: () => {
      choices.current++
      talk.value = nothing
    },
    open: async (conversation) => {
      const choice = ++choices.current
      const { messages, older } = await pageOf(conversation.id)
      if (choice === choices.current) talk.value = { conversation, messages, older }
    }
  }
}
