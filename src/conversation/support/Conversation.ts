import { Schema } from "effect"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { UserId } from "../../identity/ids/UserId.ts"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { sentId, text } from "../../platform/http/Text.ts"
import { brandedId } from "../../platform/schema/brandedId.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { Author } from "../authors/Author.ts"

/** A conversation of a student with the staff. UUIDv7. */
export const ConversationId = brandedId("SupportConversationId")
export type ConversationId = typeof ConversationId.Type

/** UUIDv7. */
export const SupportMessageId = brandedId("SupportMessageId")
export type SupportMessageId = typeof SupportMessageId.Type

/** `pending` waits for the student. A message of the student opens the conversation again. */
export const ConversationStatus = Schema.Literals(["open", "pending", "closed"])
export type ConversationStatus = typeof ConversationStatus.Type

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const AtLeastOne = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

const words = { subject: "Não consigo abrir o vídeo", body: "O vídeo da lição Respirar fica parado no começo." }

const fields = {
  id: ConversationId.pipe(field("Names the conversation on routes")),
  subject: Schema.String.pipe(field("The subject of the question; empty once the student was removed", words.subject)),
  status: ConversationStatus
    .pipe(field("`open` waits for the staff, `pending` for the student, `closed` for nobody. A student's message opens it again")),
  created_at: Instant.pipe(field("When the student opened it")),
  last_message_at: Instant.pipe(field("When the last message was written")),
  last_message_preview: Schema.String
    .pipe(field("The first 200 characters of the last message; empty once the student was removed", words.body)),
  messages_count: AtLeastOne.pipe(field("How many messages it has, of both sides", 1)),
  unread_count: Count.pipe(field("How many messages of the other side the caller has not read", 0)),
  read_number: Count.pipe(field(
    "The `number` of the last message that the caller has read, or did not have to read; 0 if there is no such message",
    1
  ))
}

/** A conversation as a member of the staff sees it. */
export class SupportConversation extends Schema.Class<SupportConversation>("SupportConversation")(Schema.Struct({
  ...fields,
  student: Schema.Struct({
    id: StudentId.pipe(field("Names the student on the dashboard's routes")),
    name: Schema.String.pipe(field("The student's name now", "Noel Rosa"))
  }).pipe(field("Who opened it")),
  assignee: Schema.NullOr(Schema.Struct({
    id: UserId.pipe(field("The id of the member's account")),
    name: Schema.String.pipe(field("The member's name now", "Rita"))
  })).pipe(field("The member who looks after it; null for nobody, and once they no longer look after students"))
}).annotate({ description: "A conversation of a student with the staff, as a member sees it" })) {}

/** A conversation as its student sees it. */
export class ClassroomConversation extends Schema.Class<
  ClassroomConversation
>("ClassroomSupportConversation")(Schema.Struct(fields).annotate({
  description: "A conversation of a student with the staff, as the student sees it"
})) {}

/** A message. */
export class SupportMessage extends Schema.Class<SupportMessage>("SupportMessage")(Schema.Struct({
  id: SupportMessageId.pipe(field("The message's own id")),
  number: AtLeastOne.pipe(field("Counts the messages of the conversation from 1 on, without gaps", 1)),
  author: Author.pipe(field("The author: the student, or a member of the staff")),
  body: Schema.String.pipe(field("The words; empty once the student was removed, the staff's too", words.body)),
  mine: Schema.Boolean.pipe(field("True if the caller wrote it")),
  created_at: Instant.pipe(field("When it was written"))
}).annotate({ description: "A message of a support conversation" })) {}

const Body = text(1, 5000)

/** The body of a student's new conversation. */
export const OpenConversation = Schema.Struct({
  subject: text(1, 200).pipe(field("What it is about", words.subject)),
  body: Body.pipe(field("The first message", words.body))
})

/** The body of a message in a conversation. */
export const WriteMessage = Schema.Struct({
  body: Body.pipe(field("The message", "Qual navegador você usa?"))
})

/** Absent fields stay unchanged; null means no assignee. */
export const ConversationPatch = Schema.Struct({
  status: Schema.optionalKey(ConversationStatus)
    .pipe(field("`open` waits for the staff, `pending` for the student, `closed` for nobody")),
  assignee_user_id: Schema.optionalKey(Schema.NullOr(sentId(UserId)))
    .pipe(field("The account of the member who looks after it, an owner, admin or support of the club; null for nobody"))
})
export type ConversationPatch = typeof ConversationPatch.Type

/** Which conversations the staff lists. `unread` is about the member who asks. */
export const ConversationFilter = {
  status: Schema.optionalKey(ConversationStatus).pipe(field("Only conversations of this status")),
  unread: Schema.optionalKey(Schema.Literals(["true", "false"]))
    .pipe(field("Only those with messages of a student that the caller has not read, or only the others")),
  assignee_user_id: Schema.optionalKey(sentId(UserId))
    .pipe(field("Only those that the member with this account looks after; empty if they no longer look after students"))
}

/** The assignee is unknown, of another club, or without a role that looks after students. */
export class AssigneeUnknown extends ApiError<AssigneeUnknown>()("AssigneeUnknown", {
  status: 422,
  code: "assignee_unknown",
  message: {
    en: "assignee_user_id must be a member of this club who is owner, admin or support",
    "pt-BR": "Escolha alguém da equipe com papel de titular, administração ou suporte."
  }
}) {}
