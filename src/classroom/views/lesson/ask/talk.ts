// A conversation with the assistant as a page shows it. Pure: it neither asks nor shows.
import type { Schemas } from "../../../../sdk/index.ts"

/** A question or an answer. */
export type Message = Schemas["AskMessage"]

/** A place in the course's material that an answer quotes. */
export type Citation = Message["citations"][number]

/** Messages, the oldest first. */
export type Messages = ReadonlyArray<Message>

const withOne = (messages: Messages, id: string, change: (message: Message) => Message): Messages =>
  messages.map((message) => message.id === id ? change(message) : message)

/** With these words after the others of an answer. */
export const withWords = (messages: Messages, id: string, text: string): Messages =>
  withOne(messages, id, (message) => ({ ...message, content: message.content + text }))

/** With one more citation of an answer. */
export const withCitation = (messages: Messages, id: string, citation: Citation): Messages =>
  withOne(messages, id, (message) => ({ ...message, citations: [...message.citations, citation] }))

/** With the answer as it is now. */
export const withMessage = (messages: Messages, now: Message): Messages => withOne(messages, now.id, () => now)

/** With an answer that has failed. */
export const withFailure = (messages: Messages, id: string, error_code: Message["error_code"]): Messages =>
  withOne(messages, id, (message) => ({ ...message, status: "failed", error_code }))

/** The answer that the assistant is giving now. */
export const generating = (messages: Messages): Message | undefined =>
  messages.findLast(({ status }) => status === "generating")

/** The place in the stream of an answer from which its next words come. */
export const placeIn = ({ citations, content }: Pick<Message, "citations" | "content">): string | undefined => {
  // The service counts code points.
  const characters = [...content].length
  if (characters === 0 && citations.length === 0) return undefined
  return citations.length === 0 ? `${characters}` : `${characters}.${citations.length}`
}

const way = "on-its-way-"

/** True of a message that the service does not have yet. */
export const isOnItsWay = ({ id }: Message): boolean => id.startsWith(way)

/** A question and the place of its answer, before the service has them. */
export const beforeTheirAnswer = (number: number, content: string, created_at: string): readonly [Message, Message] => {
  const question: Message = {
    id: `${way}question-${number}`,
    role: "user",
    content,
    status: "completed",
    images: [],
    citations: [],
    created_at,
    error_code: null,
    reply_to: null,
    completed_at: created_at
  }
  const reply: Message = {
    ...question,
    id: `${way}reply-${number}`,
    role: "assistant",
    content: "",
    status: "generating",
    reply_to: question.id,
    completed_at: null
  }
  return [question, reply]
}

/** An answer's source: one or more of its citations of the same place. */
export interface CitedSource {
  readonly title: string
  readonly citation: Citation
  readonly quotes: ReadonlyArray<string>
}

const placeOf = ({ page_from, seconds, source_id }: Citation) => `${source_id} ${page_from ?? ""} ${seconds ?? ""}`

/** The sources of an answer, each once, in the order in which they were quoted. */
export const sourcesOf = (citations: ReadonlyArray<Citation>): ReadonlyArray<CitedSource> => {
  const sources = new Map<string, CitedSource>()
  for (const citation of citations) {
    const known = sources.get(placeOf(citation))
    const quotes = [...new Set([...known?.quotes ?? [], citation.cited_text])]
    sources.set(placeOf(citation), { title: citation.source_title, citation: known?.citation ?? citation, quotes })
  }
  return [...sources.values()]
}
