import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Comment, CommentId } from "../conversation/comments/Comment.ts"
import {
  administration,
  AllowedRoles,
  ClubMember,
  clubPath,
  ClubStudent,
  moderators
} from "../identity/authentication/Authentication.ts"
import { ClubWrites, StudentWrites } from "../identity/limits/RateLimit.ts"
import { StudentRemoved } from "../identity/students/StudentRemoved.ts"
import { PublicId } from "../learning/content/PublicId.ts"
import { MediaUnknown } from "../learning/media/Attachments.ts"
import { NotFound } from "../platform/http/errors.ts"
import { NoStore } from "../platform/http/NoStore.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../platform/http/Page.ts"
import { sentId } from "../platform/http/Text.ts"
import { Idempotent } from "../platform/idempotency/Idempotency.ts"
import { Agent, AgentId, AgentPatch, AssistantDisabled } from "./Agent.ts"
import { AnswerEvent } from "./ask/AnswerEvent.ts"
import {
  AnswerInProgress,
  AskDailyLimitReached,
  Asked,
  AskQuestion,
  AskState,
  ClubBudgetExhausted,
  Conversation,
  ConversationId,
  Message,
  MessageId,
  StreamLimitReached
} from "./ask/Ask.ts"
import { AssistantUnavailable, Silence } from "./replies/Reply.ts"

/** Who a club's assistant is, and how much it answers. */
export class AgentsApi extends HttpApiGroup.make("agents")
  .add(
    HttpApiEndpoint.get("list", "/agents", {
      params: clubPath,
      query: PageQuery,
      success: Page(Agent),
      error: InvalidCursor
    }).annotate(OpenApi.Summary, "List the assistant's agents").annotate(
      OpenApi.Description,
      "Every club has one, from its founding on"
    ),
    HttpApiEndpoint.patch("update", "/agents/:agentId", {
      params: { ...clubPath, agentId: sentId(AgentId) },
      payload: AgentPatch,
      success: Data(Agent),
      error: NotFound
    }).annotate(OpenApi.Summary, "Name, switch or limit the assistant").annotate(
      OpenApi.Description,
      "daily_limit counts for each student and day, monthly_budget for the club and month, both in the club's time zone; null is as many as asked"
    ).annotate(AllowedRoles, administration)
  )
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(OpenApi.Title, "Agents")
  .annotate(OpenApi.Description, "The assistant of a club")
{}

const lesson = { ...clubPath, publicId: PublicId }
// A malformed key names no lesson, which is told after what is wrong with the body.
const askedLesson = { ...clubPath, publicId: Schema.String }
const message = { ...clubPath, messageId: sentId(MessageId) }
const conversation = { ...clubPath, conversationId: sentId(ConversationId) }
const oneConversation = "/classroom/ask/conversations/:conversationId"
const oneMessage = "/classroom/ask/messages/:messageId"

/** What students ask the assistant about a lesson (contract, Ask state and Endpoints 5). */
export class AskApi extends HttpApiGroup.make("ask")
  .add(
    HttpApiEndpoint.get("state", "/classroom/lessons/:publicId/ask", {
      params: lesson,
      success: Data(AskState),
      error: NotFound
    }).annotate(OpenApi.Summary, "Read what was asked on a lesson, and the limits").annotate(
      OpenApi.Description,
      "The latest 50 messages of the latest conversation, the oldest first; what came before is in the messages of the conversation"
    ),
    HttpApiEndpoint.post("ask", "/classroom/lessons/:publicId/ask", {
      params: askedLesson,
      payload: AskQuestion,
      success: Data(Asked).pipe(HttpApiSchema.status(202)),
      error: [
        AnswerInProgress,
        AskDailyLimitReached,
        AssistantDisabled,
        ClubBudgetExhausted,
        MediaUnknown,
        NotFound,
        StudentRemoved
      ]
    }).annotate(OpenApi.Summary, "Ask the assistant about a lesson").annotate(
      OpenApi.Description,
      "The reply is generated after this answer: read it, or follow its stream. A reply that is canceled before anybody has begun it costs nothing, nor do the first five of a day that fail without a word"
    ).middleware(Idempotent),
    HttpApiEndpoint.get("conversations", "/classroom/lessons/:publicId/ask/conversations", {
      params: lesson,
      query: PageQuery,
      success: Page(Conversation),
      error: [InvalidCursor, NotFound]
    }).annotate(OpenApi.Summary, "List one's conversations about a lesson").annotate(
      OpenApi.Description,
      "The one that began last comes first"
    ),
    HttpApiEndpoint.get("conversation", oneConversation, {
      params: conversation,
      success: Data(Conversation),
      error: NotFound
    }).annotate(OpenApi.Summary, "Read one of one's conversations"),
    HttpApiEndpoint.get("messages", `${oneConversation}/messages`, {
      params: conversation,
      query: PageQuery,
      success: Page(Message),
      error: [InvalidCursor, NotFound]
    }).annotate(OpenApi.Summary, "Read a conversation, back to its beginning").annotate(
      OpenApi.Description,
      "Questions and replies, the newest first; with limit=50 the first page has those of the ask state, oldest last"
    ),
    HttpApiEndpoint.get("message", oneMessage, { params: message, success: Data(Message), error: NotFound }).annotate(
      OpenApi.Summary,
      "Read one's question, or the reply as far as it is"
    ),
    HttpApiEndpoint.get("stream", `${oneMessage}/stream`, {
      params: message,
      headers: { "last-event-id": Schema.optionalKey(Schema.String) },
      success: HttpApiSchema.StreamSse({ events: AnswerEvent }),
      error: [NotFound, StreamLimitReached]
    }).annotate(OpenApi.Summary, "Follow a reply while it is generated").annotate(
      OpenApi.Description,
      "Server-Sent Events: message.delta {text}, message.citation {citation}, and at the end message.completed {message}, message.failed {error_code} or message.canceled {message}. The id of an event counts what has been told: with it as Last-Event-ID the stream goes on from there. It lasts 3 minutes at most; a comment comes at least every 15 seconds. A session has at most 5 at a time"
    ),
    HttpApiEndpoint.post("cancel", `${oneMessage}/cancel`, {
      params: message,
      success: Data(Message),
      error: NotFound
    }).annotate(OpenApi.Summary, "Stop a reply").annotate(
      OpenApi.Description,
      "It keeps the text that it has; one that has ended stays as it is. What was being generated costs its question"
    )
  )
  .middleware(NoStore)
  .middleware(StudentWrites)
  .middleware(ClubStudent)
  .prefix("/clubs/:clubId")
  .annotate(OpenApi.Title, "Ask")
  .annotate(OpenApi.Description, "The assistant of a lesson, as students ask it")
{}

/** The assistant below the comments of students (contract, Endpoints 6). */
export class AssistantRepliesApi extends HttpApiGroup.make("assistantReplies")
  .add(
    // It happens once by itself: a repetition is told that there is a reply.
    HttpApiEndpoint.post("reply", "/comments/:commentId/assistant-reply", {
      params: { ...clubPath, commentId: sentId(CommentId) },
      success: [Data(Comment).pipe(HttpApiSchema.status(201)), Data(Silence)],
      error: [AssistantUnavailable, NotFound]
    }).annotate(OpenApi.Summary, "Have the assistant answer a student's comment").annotate(
      OpenApi.Description,
      "201 with its reply, which answers from the course's material, or 200 with the reason why it stayed silent. A reply costs one of the club's month, taken before the model is called: so does one that is kept back for low_confidence, comes too late, or is waited for by nobody any more"
    ).annotate(AllowedRoles, moderators)
  )
  .middleware(NoStore)
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(OpenApi.Title, "Assistant replies")
  .annotate(OpenApi.Description, "What the assistant writes below comments")
{}
