import { Schema } from "effect"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { UserId } from "../../identity/ids/UserId.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { sentId, text } from "../../platform/http/Text.ts"
import { Author } from "../authors/Author.ts"

/** A conversation of a student with the staff. UUIDv7. */
export const ConversationId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("SupportConversationId"))
export type ConversationId = typeof ConversationId.Type

/** UUIDv7. */
export const SupportMessageId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("SupportMessageId"))
export type SupportMessageId = typeof SupportMessageId.Type

/** `pending` waits for the student. What a student writes opens the conversation again. */
export const ConversationStatus = Schema.Literals(["open", "pending", "closed"])
export type ConversationStatus = typeof ConversationStatus.Type

const Instant = Schema.DateTimeUtcFromDate

const fields = {
  id: ConversationId,
  /** Empty if the student was removed, as every message then is, those of the staff too. */
  subject: Schema.String,
  status: ConversationStatus,
  created_at: Instant,
  last_message_at: Instant,
  /** The first 200 characters of the last message. */
  last_message_preview: Schema.String,
  messages_count: Schema.Int,
  /** How many messages of the other side the reader has not read. */
  unread_count: Schema.Int,
  /** The number of the last message that the reader has read, or did not have to read. */
  read_number: Schema.Int
}

/**
 * A conversation as a member of the staff sees it. `assignee`: the member who looks after it, null once they have left
 * the staff.
 */
export class SupportConversation extends Schema.Class<SupportConversation>("SupportConversation")({
  ...fields,
  student: Schema.Struct({ id: StudentId, name: Schema.String }),
  assignee: Schema.NullOr(Schema.Struct({ id: UserId, name: Schema.String }))
}) {}

/** A conversation as its student sees it. */
export class ClassroomConversation extends Schema.Class<ClassroomConversation>("ClassroomSupportConversation")({
  ...fields
}) {}

/** A message. `number` counts from 1 in its conversation; `mine`: the reader wrote it. */
export class SupportMessage extends Schema.Class<SupportMessage>("SupportMessage")({
  id: SupportMessageId,
  number: Schema.Int,
  author: Author,
  body: Schema.String,
  mine: Schema.Boolean,
  created_at: Instant
}) {}

const Body = text(1, 5000)

/** What a student asks. */
export const OpenConversation = Schema.Struct({ subject: text(1, 200), body: Body })

/** What somebody writes in a conversation. */
export const WriteMessage = Schema.Struct({ body: Body })

/** Absent is unchanged; null is no assignee. */
export const ConversationPatch = Schema.Struct({
  status: Schema.optionalKey(ConversationStatus),
  assignee_user_id: Schema.optionalKey(Schema.NullOr(sentId(UserId)))
})
export type ConversationPatch = typeof ConversationPatch.Type

/** Which conversations the staff lists. `unread` is about the member who asks. */
export const ConversationFilter = {
  status: Schema.optionalKey(ConversationStatus),
  unread: Schema.optionalKey(Schema.Literals(["true", "false"])),
  assignee_user_id: Schema.optionalKey(sentId(UserId))
}

/** The assignee is unknown, of another club, or without a role that looks after students. */
export class AssigneeUnknown extends ApiError<AssigneeUnknown>()("AssigneeUnknown", {
  status: 422,
  code: "assignee_unknown",
  message: "assignee_user_id must be a member of this club who is owner, admin or support"
}) {}
