import { Schema } from "effect"
import { field } from "../../../platform/http/Field.ts"
import { brandedId } from "../../../platform/schema/brandedId.ts"
import { Instant } from "../../../platform/schema/Instant.ts"

/** UUIDv7. */
export const ConversationId = brandedId("ConversationId")
export type ConversationId = typeof ConversationId.Type

/** Messages between a student and the assistant about one lesson. */
export const Conversation = Schema.Struct({
  id: ConversationId.pipe(field("Names the conversation on routes, and in the next question")),
  title: Schema.String
    .pipe(field(
      "The first words of its first question, at most 120 characters",
      "Como respiro sem levantar os ombros?"
    )),
  last_message_at: Instant.pipe(field("When the last question was asked, or the last answer ended")),
  created_at: Instant.pipe(field("When the first question was asked"))
}).annotate({
  identifier: "AskConversation",
  description: "A student's conversation with the assistant about one lesson"
})
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
