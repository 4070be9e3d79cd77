import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { turma } from "../../../browser/client/Api.ts"
import { useInterval } from "../../../browser/client/Interval.ts"
import { failureOf } from "../../../browser/client/Reads.ts"
import type { Schemas, TurmaError } from "../../../sdk/index.ts"
import { type Thread, unread, withNewest, withOlder } from "./thread.ts"

/** A message of a conversation. */
export type Message = Schemas["SupportMessage"]

/** The pause between two looks for new messages, in milliseconds. */
const every = 4000

const pageSize = 100

/** The known messages of a conversation, and ways to read more. */
export interface KnownThread extends Thread<Message> {
  readonly isRead: boolean
  readonly error: TurmaError | undefined
  readonly refresh: () => void
  readonly readOlder: () => void
}

/** The messages of a conversation: the newest, those that are written meanwhile, and older ones as they are wanted. */
export const useThread = (clubId: string, conversationId: string): KnownThread => {
  const thread = useSignal<Thread<Message>>(unread)
  const isRead = useSignal(false)
  const error = useSignal<TurmaError | undefined>(undefined)
  const running = useRef<AbortController>(undefined)

  const ask = async (cursor: string | undefined) => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    try {
      const page = await turma.support.messages(
        { clubId, conversationId, limit: pageSize, cursor },
        { signal: controller.signal }
      )
      if (controller.signal.aborted) return
      thread.value = cursor === undefined ? withNewest(thread.peek(), page) : withOlder(thread.peek(), page)
      isRead.value = true
      error.value = undefined
    } catch (thrown) {
      if (!controller.signal.aborted) error.value = failureOf(thrown)
    } finally {
      if (running.current === controller) running.current = undefined
    }
  }

  useEffect(() => {
    void ask(undefined)
    return () => running.current?.abort()
  }, [conversationId])
  useInterval(every, () => {
    if (running.current === undefined) void ask(undefined)
  })
  const { messages, older } = thread.value
  return {
    messages,
    older,
    isRead: isRead.value,
    error: error.value,
    refresh: () => void ask(undefined),
    readOlder: () => void (older !== null && ask(older))
  }
}
