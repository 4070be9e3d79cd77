import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  AllowedRoles,
  ClubMember,
  ClubMemberInPerson,
  clubPath,
  ClubStudent,
  moderators,
  supportStaff
} from "../../identity/authentication/Authentication.ts"
import { ClubWrites, StudentWrites } from "../../identity/limits/RateLimit.ts"
import { KeyFeature } from "../../identity/people/Scope.ts"
import { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { AgentTool } from "../../platform/http/AgentTool.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { field } from "../../platform/http/Field.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Idempotent } from "../../platform/idempotency/Idempotency.ts"
import {
  AssigneeUnknown,
  ClassroomConversation,
  ConversationFilter,
  ConversationId,
  ConversationPatch,
  OpenConversation,
  SupportConversation,
  SupportMessage,
  WriteMessage
} from "./Conversation.ts"

/** The fields for agents. */
const shown = {
  supportConversation:
    "id subject status student assignee messages_count unread_count last_message_at last_message_preview",
  supportMessage: "id number author.id author.name author.role body created_at"
}

const conversation = {
  ...clubPath,
  conversationId: sentId(ConversationId)
    .pipe(field("The `id` of a support conversation, for a student one of their own"))
}
const all = "/support/conversations"
const one = `${all}/:conversationId` as const
const messages = `${one}/messages` as const

/** Conversations as the staff answers them (contract, Endpoints 9; http-surface, Support). */
export class SupportApi extends HttpApiGroup.make("support")
  .add(
    HttpApiEndpoint.get("list", all, {
      params: clubPath,
      query: { ...PageQuery, ...ConversationFilter },
      success: Page(SupportConversation),
      error: InvalidCursor
    }).annotate(AgentTool, { name: "support_conversations_list", fields: shown.supportConversation })
      .annotateMerge(described(
        "List the conversations, the latest activity first",
        "Every message is activity; changing status or assignee is not. Unread messages are counted for the caller alone"
      )),
    HttpApiEndpoint.get("get", one, {
      params: conversation,
      success: Data(SupportConversation),
      error: NotFound
    }).annotate(AgentTool, { name: "support_conversations_show", fields: shown.supportConversation })
      .annotateMerge(described("Read a conversation without its messages", "Reading it here does not mark it as read")),
    HttpApiEndpoint.patch("update", one, {
      params: conversation,
      payload: ConversationPatch,
      success: Data(SupportConversation),
      error: [AssigneeUnknown, NotFound, StudentRemoved]
    }).annotate(AgentTool, { name: "support_conversations_update", fields: shown.supportConversation })
      .annotateMerge(described(
        "Change the status of a conversation, or who looks after it",
        "Omitted fields keep their values. Nobody is notified, and the conversation keeps its place in the list"
      )),
    HttpApiEndpoint.get("messages", messages, {
      params: conversation,
      query: PageQuery,
      success: Page(SupportMessage),
      error: [InvalidCursor, NotFound]
    }).annotate(AgentTool, { name: "support_messages_list", fields: shown.supportMessage }).annotateMerge(described(
      "List the messages of a conversation, the newest first",
      "Reading them here does not mark the conversation as read"
    )),
    HttpApiEndpoint.post("write", messages, {
      params: conversation,
      payload: WriteMessage,
      success: Data(SupportMessage).pipe(HttpApiSchema.status(201)),
      error: [NotFound, StudentRemoved]
    }).annotate(AgentTool, { name: "support_messages_write", fields: shown.supportMessage })
      .annotateMerge(described(
        "Answer a student",
        "Counts as having read the conversation. Its status stays as it is. The student is notified in the classroom, and mailed at once with the answer and their own last message. Beyond the caps on mails the answer is in their next mail about notifications"
      )).middleware(Idempotent)
  )
  .annotateEndpoints(AllowedRoles, supportStaff)
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .add(HttpApiEndpoint.post("read", `${one}/read`, {
    params: conversation,
    success: HttpApiSchema.NoContent,
    error: NotFound
  }).annotateMerge(described(
    "Mark a conversation as read by the person in the session",
    "Up to its last message, for nobody else. Messages that were read stay so; repeating it changes nothing"
  )).annotate(AllowedRoles, moderators).middleware(ClubWrites).middleware(ClubMemberInPerson))
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "support")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Support")
  .annotate(OpenApi.Description, "Students' questions to the staff")
{}

/** Conversations as students hold them: each their own. */
export class ClassroomSupportApi extends HttpApiGroup.make("classroomSupport")
  .add(
    HttpApiEndpoint.get("list", `/classroom${all}`, {
      params: clubPath,
      query: PageQuery,
      success: Page(ClassroomConversation),
      error: InvalidCursor
    }).annotateMerge(described(
      "List one's own conversations, the latest activity first",
      "Every message is activity, one's own too"
    )),
    HttpApiEndpoint.post("open", `/classroom${all}`, {
      params: clubPath,
      payload: OpenConversation,
      success: Data(ClassroomConversation).pipe(HttpApiSchema.status(201)),
      error: [NotFound, StudentRemoved]
    }).annotateMerge(described(
      "Ask the staff",
      "It opens a conversation with its first message, which is unread to everybody who looks after students. Nobody is mailed"
    )).middleware(Idempotent),
    HttpApiEndpoint.get("get", `/classroom${one}`, {
      params: conversation,
      success: Data(ClassroomConversation),
      error: NotFound
    }).annotateMerge(described(
      "Read one's own conversation without its messages",
      "Reading it here does not mark it as read"
    )),
    HttpApiEndpoint.get("messages", `/classroom${messages}`, {
      params: conversation,
      query: PageQuery,
      success: Page(SupportMessage),
      error: [InvalidCursor, NotFound]
    }).annotateMerge(described(
      "List the messages of one's own conversation, the newest first",
      "Reading them here does not mark the conversation as read"
    )),
    HttpApiEndpoint.post("write", `/classroom${messages}`, {
      params: conversation,
      payload: WriteMessage,
      success: Data(SupportMessage).pipe(HttpApiSchema.status(201)),
      error: [NotFound, StudentRemoved]
    }).annotateMerge(described(
      "Write to the staff",
      "Opens the conversation again, whatever its status, and counts as having read it. Nobody is mailed"
    )).middleware(Idempotent),
    HttpApiEndpoint.post("read", `/classroom${one}/read`, {
      params: conversation,
      success: HttpApiSchema.NoContent,
      error: [NotFound, StudentRemoved]
    }).annotateMerge(described(
      "Mark one's own conversation as read",
      "Up to its last message. Doing it again changes nothing"
    ))
  )
  .middleware(StudentWrites)
  .middleware(ClubStudent)
  .prefix("/clubs/:clubId")
  .annotate(GroupAudience, "classroom")
  .annotate(OpenApi.Title, "Support in the classroom")
  .annotate(OpenApi.Description, "A student's questions to the staff")
{}
