// A conversation that may be long, with its newest messages known. Pure.

/** The place of a message: its number in the conversation, from 1 on and without gaps. */
export interface Numbered {
  readonly number: number
}

/** A page of messages, the newest first, as the API answers it. */
export interface MessagePage<A> {
  readonly data: ReadonlyArray<A>
  readonly next_cursor: string | null
}

/** The known messages of a conversation: without gaps, the oldest first. */
export interface Thread<A> {
  readonly messages: ReadonlyArray<A>
  /** The cursor of older messages. Null without any. */
  readonly older: string | null
}

/** Nothing is known yet. */
export const unread: Thread<never> = { messages: [], older: null }

const inOrder = <A extends Numbered>(page: ReadonlyArray<A>) => page.toSorted((one, other) => one.number - other.number)

/** With the newest page. Where messages are missing between it and what was known, only the page is known. */
export const withNewest = <A extends Numbered>(
  { messages, older }: Thread<A>,
  { data, next_cursor }: MessagePage<A>
): Thread<A> => {
  const page = inOrder(data)
  const [first] = page
  const last = messages.at(-1)
  if (first === undefined) return { messages, older }
  if (last === undefined || first.number > last.number + 1) return { messages: page, older: next_cursor }
  const before = messages.filter(({ number }) => number < first.number)
  return { messages: [...before, ...page], older: before.length === 0 ? next_cursor : older }
}

/** With the page before what is known. */
export const withOlder = <A extends Numbered>(
  { messages }: Thread<A>,
  { data, next_cursor }: MessagePage<A>
): Thread<A> => {
  const [first] = messages
  const before = first === undefined ? data : data.filter(({ number }) => number < first.number)
  return { messages: [...inOrder(before), ...messages], older: next_cursor }
}
