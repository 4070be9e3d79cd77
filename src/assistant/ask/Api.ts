import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { clubPath, ClubStudent } from "../../identity/authentication/Authentication.ts"
import { StudentWrites } from "../../identity/limits/RateLimit.ts"
import { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { PublicId } from "../../learning/content/PublicId.ts"
import { MediaUnknown } from "../../learning/media/Attachments.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { field } from "../../platform/http/Field.ts"
import { NoStore } from "../../platform/http/NoStore.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Idempotent } from "../../platform/idempotency/Idempotency.ts"
import { AssistantDisabled } from "../agents/Agent.ts"
import {
  AcceptedQuestion,
  AnswerInProgress,
  AskDailyLimitReached,
  AskQuestion,
  AskState,
  ClubBudgetExhausted,
  StreamLimitReached
} from "./Ask.ts"
import { Conversation, ConversationId } from "./messages/Conversation.ts"
import { Message, MessageId } from "./messages/Message.ts"
import { AnswerEvent } from "./streams/AnswerEvent.ts"

const aboutLesson = "The `public_id` of a live lesson of a course that the student has"
const lesson = { ...clubPath, publicId: PublicId.pipe(field(aboutLesson, "respirar")) }
// Any string is accepted here, so that errors in the body come before the 404 of a malformed key.
const askedLesson = { ...clubPath, publicId: Schema.String.pipe(field(aboutLesson, "respirar")) }
const message = {
  ...clubPath,
  messageId: sentId(MessageId).pipe(field("The `id` of a question of the student's, or of an answer to one"))
}
const conversation = {
  ...clubPath,
  conversationId: sentId(ConversationId).pipe(field("The `id` of a conversation of the student's with the assistant"))
}
const oneConversation = "/classroom/ask/conversations/:conversationId"
const oneMessage = "/classroom/ask/messages/:messageId"

/** Students' questions to the assistant about a lesson (contract, Ask state and Endpoints 5). */
export class AskApi extends HttpApiGroup.make("ask")
  .add(
    HttpApiEndpoint.get("state", "/classroom/lessons/:publicId/ask", {
      params: lesson,
      success: Data(AskState),
      error: NotFound
    }).annotateMerge(described(
      "Read what was asked on a lesson, and the limits",
      "The latest 50 messages of the latest conversation, the oldest first; what came before is in the messages of the conversation. Reading it begins nothing and costs nothing"
    )),
    HttpApiEndpoint.post("ask", "/classroom/lessons/:publicId/ask", {
      params: askedLesson,
      payload: AskQuestion,
      success: Data(AcceptedQuestion).pipe(HttpApiSchema.status(202)),
      error: [
        AnswerInProgress,
        AskDailyLimitReached,
        AssistantDisabled,
        ClubBudgetExhausted,
        MediaUnknown,
        NotFound,
        StudentRemoved
      ]
    }).annotateMerge(described(
      "Ask the assistant about a lesson",
      "The reply is generated after this answer, from the course's material: read it, or follow its stream. It costs one question of the student's day and one answer of the club's month. A reply that is canceled before anybody has begun it costs nothing, nor do the first five of a day that fail without a word. A conversation has one reply in the making at a time"
    )).middleware(Idempotent),
    HttpApiEndpoint.get("conversations", "/classroom/lessons/:publicId/ask/conversations", {
      params: lesson,
      query: PageQuery,
      success: Page(Conversation),
      error: [InvalidCursor, NotFound]
    }).annotateMerge(described("List one's conversations about a lesson", "The one that began last comes first")),
    HttpApiEndpoint.get("conversation", oneConversation, {
      params: conversation,
      success: Data(Conversation),
      error: NotFound
    }).annotateMerge(described(
      "Read one of one's conversations",
      "Its messages are a list of their own. Like its messages, it is there for as long as the student has the lesson"
    )),
    HttpApiEndpoint.get("messages", `${oneConversation}/messages`, {
      params: conversation,
      query: PageQuery,
      success: Page(Message),
      error: [InvalidCursor, NotFound]
    }).annotateMerge(described(
      "Read a conversation, back to its beginning",
      "Questions and replies, the newest first; with limit=50 the first page has those of the ask state, oldest last"
    )),
    HttpApiEndpoint.get("message", oneMessage, { params: message, success: Data(Message), error: NotFound })
      .annotateMerge(described(
        "Read one's question, or the reply as far as it is",
        "While it is `generating` it grows from one call to the next; its stream tells the same without asking again"
      )),
    HttpApiEndpoint.get("stream", `${oneMessage}/stream`, {
      params: message,
      headers: {
        "last-event-id": Schema.optionalKey(Schema.String).pipe(field(
          "The `id` of the last event received: the stream continues after it. Without it, or if it is not an event's id, the stream starts at the beginning",
          "12.1"
        ))
      },
      success: HttpApiSchema.StreamSse({ events: AnswerEvent }),
      error: [NotFound, StreamLimitReached]
    }).annotateMerge(described(
      "Follow a reply while it is generated",
      "Server-Sent Events: message.delta {text}, message.citation {citation}, and at the end message.completed {message}, message.failed {error_code} or message.canceled {message}. The id of an event says how far the answer has come: with it as Last-Event-ID the stream continues from there. It lasts 3 minutes at most; a comment comes at least every 15 seconds. A session has at most 5 at a time"
    )),
    HttpApiEndpoint.post("cancel", `${oneMessage}/cancel`, {
      params: message,
      success: Data(Message),
      error: NotFound
    }).annotateMerge(described(
      "Stop a reply",
      "It keeps the text that it has; one that has ended stays as it is. Canceling an answer in progress still costs its question"
    ))
  )
  .middleware(NoStore)
  .middleware(StudentWrites)
  .middleware(ClubStudent)
  .prefix("/clubs/:clubId")
  .annotate(GroupAudience, "classroom")
  .annotate(OpenApi.Title, "Ask")
  .annotate(OpenApi.Description, "The assistant of a lesson, as students ask it")
{}
