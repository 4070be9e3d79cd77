import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Comment, CommentId } from "../../conversation/comments/Comment.ts"
import { AllowedRoles, ClubMember, clubPath, moderators } from "../../identity/authentication/Authentication.ts"
import { ClubWrites } from "../../identity/limits/RateLimit.ts"
import { KeyFeature } from "../../identity/people/Scope.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { field } from "../../platform/http/Field.ts"
import { NoStore } from "../../platform/http/NoStore.ts"
import { Data } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { AssistantUnavailable, Silence } from "./Reply.ts"

/** The assistant below the comments of students (contract, Endpoints 6). */
export class AssistantRepliesApi extends HttpApiGroup.make("assistantReplies")
  .add(
    // Needs no idempotency key: a repetition answers `already_answered`.
    HttpApiEndpoint.post("reply", "/comments/:commentId/assistant-reply", {
      params: {
        ...clubPath,
        commentId: sentId(CommentId).pipe(field("The `id` of a comment of a student on a lesson"))
      },
      success: [Data(Comment).pipe(HttpApiSchema.status(201)), Data(Silence)],
      error: [AssistantUnavailable, NotFound]
    }).annotateMerge(described(
      "Have the assistant answer a student's comment",
      "201 with its reply, which answers from the course's material, or 200 with the reason why it stayed silent. The reply stands in the comment's thread, and there is one at a time: asking again answers `already_answered`. It takes at most 25 seconds, and as long again while another request asks for the same thread. A reply costs one of the club's month as soon as the model is called. It costs that too if it is kept back for `low_confidence`, comes too late, or nobody waits for it any longer"
    )).annotate(AllowedRoles, moderators)
  )
  .middleware(NoStore)
  .middleware(ClubWrites)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "community")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Assistant replies")
  .annotate(OpenApi.Description, "The assistant's replies below comments")
{}
