import { Schema } from "effect"

/** UUIDv7. */
export const ConversationId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("ConversationId"))
export type ConversationId = typeof ConversationId.Type

/** Messages between a student and the assistant about one lesson. */
export const Conversation = Schema.Struct({
  id: ConversationId,
  title: Schema.String,
  last_message_at: Schema.DateTimeUtcFromDate,
  created_at: Schema.DateTimeUtcFromDate
}).annotate({ identifier: "AskConversation" })
export type Conversation = typeof Conversation.Type

const titleLength = 120

/** The title of a conversation: the first words of its question. */
export const titleOf = (content: string): string => {
  const line = content.trim().replaceAll(/\s+/g, " ")
  const letters = Array.from(line)
  if (letters.length <= titleLength) return line
  const cut = letters.slice(0, titleLength + 1).join("")
  const space = cut.lastIndexOf(" ")
  return space > 0 ? cut.slice(0, space) : letters.slice(0, titleLength).join("")
}
