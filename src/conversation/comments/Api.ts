import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  AllowedRoles,
  ClubMember,
  clubPath,
  ClubPerson,
  ClubStudent,
  moderators
} from "../../identity/authentication/Authentication.ts"
import { ClubWrites, PersonWrites, StudentWrites } from "../../identity/limits/RateLimit.ts"
import { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { LessonId } from "../../learning/content/Lesson.ts"
import { MediaUnknown } from "../../learning/media/Attachments.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { NoStore } from "../../platform/http/NoStore.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Idempotent } from "../../platform/idempotency/Idempotency.ts"
import { PostId } from "../community/Post.ts"
import { Comment, CommentId } from "./Comment.ts"
import {
  CommentEdit,
  CommentPatch,
  CommentReport,
  CommentState,
  CreateComment,
  CreateReply,
  MentionUnknown,
  NotTheAuthor,
  ParentUnknown,
  ReactionInvalid,
  ReactionLimitReached
} from "./CommentInput.ts"

const comment = { ...clubPath, commentId: sentId(CommentId) }
const lesson = { ...clubPath, publicId: Schema.String }
const post = { ...clubPath, postId: sentId(PostId) }
const reaction = { ...comment, emoji: Schema.String }

const unwritten = [MediaUnknown, MentionUnknown, NotFound, ParentUnknown, StudentRemoved] as const
const unmarked = [NotFound, StudentRemoved] as const

const ofLesson = "/classroom/lessons/:publicId/comments"
const ofPost = "/community/posts/:postId/comments"
const ofClassroomPost = "/classroom/community/posts/:postId/comments"
const classroomComment = "/classroom/comments/:commentId"
const oneReaction = `${classroomComment}/reactions/:emoji` as const
const oneComment = "/comments/:commentId"

/** Comments as students read and write them (contract, Comment). Of other people's words they see what is visible. */
export class ClassroomCommentsApi extends HttpApiGroup.make("classroomComments")
  .add(
    HttpApiEndpoint.get("list", ofLesson, {
      params: lesson,
      query: PageQuery,
      success: Page(Comment),
      error: [InvalidCursor, NotFound]
    }).annotate(OpenApi.Summary, "List the comments on a lesson").annotate(
      OpenApi.Description,
      "First comments, the newest first, each with its first replies"
    ),
    HttpApiEndpoint.post("create", ofLesson, {
      params: lesson,
      payload: CreateComment,
      success: Data(Comment).pipe(HttpApiSchema.status(201)),
      error: unwritten
    }).annotate(OpenApi.Summary, "Comment on a lesson, or reply to a comment there").annotate(
      OpenApi.Description,
      "With more than 3 links it is pending: nobody but its author and the staff sees it until the staff says so"
    ).middleware(Idempotent).middleware(StudentWrites),
    HttpApiEndpoint.get("listOfPost", ofClassroomPost, {
      params: post,
      query: PageQuery,
      success: Page(Comment),
      error: [InvalidCursor, NotFound]
    }).annotate(OpenApi.Summary, "List the comments on a post that one sees").annotate(
      OpenApi.Description,
      "First comments, the newest first, each with its first replies"
    ),
    HttpApiEndpoint.post("createOnPost", ofClassroomPost, {
      params: post,
      payload: CreateComment,
      success: Data(Comment).pipe(HttpApiSchema.status(201)),
      error: unwritten
    }).annotate(OpenApi.Summary, "Comment on a post, or reply to a comment there, as a student").middleware(Idempotent)
      .middleware(StudentWrites),
    HttpApiEndpoint.get("saved", "/classroom/comments/saved", {
      params: clubPath,
      query: PageQuery,
      success: Page(Comment),
      error: InvalidCursor
    }).annotate(OpenApi.Summary, "List the comments that one saved"),
    HttpApiEndpoint.get("replies", `${classroomComment}/replies`, {
      params: comment,
      query: PageQuery,
      success: Page(Comment),
      error: [InvalidCursor, NotFound]
    }).annotate(OpenApi.Summary, "List the replies to a comment").annotate(OpenApi.Description, "Oldest first"),
    HttpApiEndpoint.patch("edit", classroomComment, {
      params: comment,
      payload: CommentEdit,
      success: Data(Comment),
      error: unmarked
    }).annotate(OpenApi.Summary, "Change the words of one's own comment").middleware(StudentWrites),
    HttpApiEndpoint.delete("remove", classroomComment, {
      params: comment,
      success: HttpApiSchema.NoContent,
      error: unmarked
    }).annotate(OpenApi.Summary, "Delete one's own comment; the replies stay").middleware(StudentWrites),
    HttpApiEndpoint.put("react", oneReaction, {
      params: reaction,
      success: HttpApiSchema.NoContent,
      error: [ReactionInvalid, ReactionLimitReached, ...unmarked]
    }).annotate(OpenApi.Summary, "Give a comment an emoji").annotate(
      OpenApi.Description,
      "A person gives a comment at most 10 different ones, and it has at most 50 different ones"
    ).middleware(StudentWrites),
    HttpApiEndpoint.delete("unreact", oneReaction, {
      params: reaction,
      success: HttpApiSchema.NoContent,
      error: [ReactionInvalid, ...unmarked]
    }).annotate(OpenApi.Summary, "Take an emoji back").middleware(StudentWrites),
    HttpApiEndpoint.put("save", `${classroomComment}/saved`, {
      params: comment,
      success: HttpApiSchema.NoContent,
      error: unmarked
    }).annotate(OpenApi.Summary, "Save a comment for oneself").middleware(StudentWrites),
    HttpApiEndpoint.delete("unsave", `${classroomComment}/saved`, {
      params: comment,
      success: HttpApiSchema.NoContent,
      error: unmarked
    }).annotate(OpenApi.Summary, "Save a comment no longer").middleware(StudentWrites),
    HttpApiEndpoint.post("report", `${classroomComment}/report`, {
      params: comment,
      payload: CommentReport,
      success: HttpApiSchema.NoContent,
      error: unmarked
    }).annotate(OpenApi.Summary, "Tell the staff of a comment").annotate(
      OpenApi.Description,
      "Once for each student. The third report makes a comment pending"
    ).middleware(StudentWrites)
  )
  .middleware(NoStore)
  .middleware(ClubStudent)
  .prefix("/clubs/:clubId")
  .annotate(OpenApi.Title, "Comments in the classroom")
  .annotate(OpenApi.Description, "What students say on lessons and posts, and what they do with comments that they see")
{}

/** Comments on posts, of students and staff: whoever writes here spends the club's cap. */
export class PostCommentsApi extends HttpApiGroup.make("postComments")
  .add(
    HttpApiEndpoint.get("list", ofPost, {
      params: post,
      query: PageQuery,
      success: Page(Comment),
      error: [InvalidCursor, NotFound]
    }).annotate(OpenApi.Summary, "List the comments on a post").annotate(
      OpenApi.Description,
      "First comments, the newest first, each with its first replies"
    ),
    HttpApiEndpoint.post("create", ofPost, {
      params: post,
      payload: CreateComment,
      success: Data(Comment).pipe(HttpApiSchema.status(201)),
      error: unwritten
    }).annotate(OpenApi.Summary, "Comment on a post, or reply to a comment there").annotate(AllowedRoles, moderators)
      .middleware(Idempotent).middleware(PersonWrites)
  )
  .middleware(NoStore)
  .middleware(ClubPerson)
  .prefix("/clubs/:clubId")
  .annotate(OpenApi.Title, "Comments on posts")
  .annotate(OpenApi.Description, "What students and staff say on posts of the community")
{}

/** Comments as the staff looks through them, answers and moderates. It sees everything but deleted words. */
export class CommentsApi extends HttpApiGroup.make("comments")
  .add(
    HttpApiEndpoint.get("list", "/comments", {
      params: clubPath,
      query: {
        ...PageQuery,
        state: Schema.optionalKey(CommentState),
        lesson_id: Schema.optionalKey(sentId(LessonId)),
        post_id: Schema.optionalKey(sentId(PostId))
      },
      success: Page(Comment),
      error: InvalidCursor
    }).annotate(OpenApi.Summary, "Look through the comments").annotate(
      OpenApi.Description,
      "First comments and replies alike, the newest first. unanswered: first comments of students, without an answer"
    ),
    HttpApiEndpoint.get("get", oneComment, { params: comment, success: Data(Comment), error: NotFound }).annotate(
      OpenApi.Summary,
      "Read a comment"
    ),
    HttpApiEndpoint.get("replies", `${oneComment}/replies`, {
      params: comment,
      query: PageQuery,
      success: Page(Comment),
      error: [InvalidCursor, NotFound]
    }).annotate(OpenApi.Summary, "Read on in the replies to a comment").annotate(OpenApi.Description, "Oldest first"),
    HttpApiEndpoint.post("reply", `${oneComment}/replies`, {
      params: comment,
      payload: CreateReply,
      success: Data(Comment).pipe(HttpApiSchema.status(201)),
      error: [MediaUnknown, MentionUnknown, NotFound, StudentRemoved]
    }).annotate(OpenApi.Summary, "Answer a comment").annotate(AllowedRoles, moderators).middleware(Idempotent)
      .middleware(ClubWrites),
    HttpApiEndpoint.patch("update", oneComment, {
      params: comment,
      payload: CommentPatch,
      success: Data(Comment),
      error: [NotTheAuthor, ...unmarked]
    }).annotate(OpenApi.Summary, "Moderate a comment, or change one's own words").annotate(AllowedRoles, moderators)
      .middleware(ClubWrites),
    HttpApiEndpoint.delete("remove", oneComment, {
      params: comment,
      success: HttpApiSchema.NoContent,
      error: unmarked
    }).annotate(OpenApi.Summary, "Delete a comment; the replies stay").annotate(AllowedRoles, moderators)
      .middleware(ClubWrites)
  )
  .middleware(NoStore)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(OpenApi.Title, "Comments")
  .annotate(OpenApi.Description, "What was said on lessons and posts, as the staff answers and moderates it")
{}
