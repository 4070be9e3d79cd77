import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import type { TurmaError } from "../../sdk/index.ts"
import { isVisible, useInterval } from "./Interval.ts"
import { failureOf } from "./Reads.ts"
import { type MessagePage, type Numbered, type Thread, unread, withNewest, withOlder } from "./Thread.ts"

/** Number of messages of a page: the most that the API answers. */
const pageSize = 100

/** The known messages of a conversation, and ways to read more. */
export interface KnownThread<A> extends Thread<A> {
  readonly isRead: boolean
  readonly error: TurmaError | undefined
  readonly refresh: () => void
  readonly readOlder: () => void
}

/** Asks for a page of messages, the newest first. */
interface LoadMessages<A> {
  (
    page: { readonly cursor: string | undefined; readonly limit: number; readonly signal: AbortSignal }
  ): PromiseLike<MessagePage<A>>
}

/**
 * The messages of a conversation: the newest, those that are written meanwhile, and older ones as they are wanted. It
 * looks for new ones every `millis` milliseconds, and when its reader comes back to the page.
 */
export const useThread = <A extends Numbered>(
  conversationId: string,
  millis: number,
  load: LoadMessages<A>
): KnownThread<A> => {
  const thread = useSignal<Thread<A>>(unread)
  const isRead = useSignal(false)
  const error = useSignal<TurmaError | undefined>(undefined)
  const running = useRef<AbortController>(undefined)

  const ask = async (cursor: string | undefined) => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    try {
      const page = await load({ cursor, limit: pageSize, signal: controller.signal })
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
  const look = () => {
    if (running.current === undefined) void ask(undefined)
  }
  useInterval(millis, look)
  useEffect(() => {
    if (isVisible.value && isRead.peek()) look()
  }, [isVisible.value])
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
