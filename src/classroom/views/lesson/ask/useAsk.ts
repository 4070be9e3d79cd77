import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { session, turma } from "../../../../browser/client/Api.ts"
import { isVisible } from "../../../../browser/client/Interval.ts"
import { failureOf } from "../../../../browser/client/Reads.ts"
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
  readonly read: () => Promise<void>
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

  const read = async () => {
    error.value = undefined
    try {
      const { data } = await turma.ask.state({ ...ofClub, publicId })
      agent.value = data.agent_name
      limits.value = data.limits
      talk.value = {
        conversation: data.conversation ?? undefined,
        messages: data.messages,
        older: data.messages.length < pageSize ? null : undefined
      }
    } catch (thrown) {
      error.value = failureOf(thrown)
    }
  }
  useEffect(() => void read(), [publicId])
  // A session that has ended leaves the conversation as it is, and a new one reads what it could not.
  const isOpen = session.value !== "closed"
  useEffect(() => {
    if (isOpen && error.peek()?.status === 401) void read()
  }, [isOpen])

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
      const messages = [...talk.peek().messages.filter(isOther), data.message, data.reply]
      talk.value = { ...talk.peek(), conversation: data.conversation, messages }
    } catch (thrown) {
      change((messages) => messages.filter(isOther))
      throw thrown
    }
  }

  const readOlder = async () => {
    const { conversation, older } = talk.peek()
    if (conversation === undefined || older === null) return
    const cursor = older ?? (await pageOf(conversation.id)).older
    if (cursor === null) {
      talk.value = { ...talk.peek(), older: null }
      return
    }
    const page = await pageOf(conversation.id, cursor)
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
      talk.value = nothing
    },
    open: async (conversation) => {
      const { messages, older } = await pageOf(conversation.id)
      talk.value = { conversation, messages, older }
    }
  }
}
