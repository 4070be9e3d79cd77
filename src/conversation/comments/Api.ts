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
import { KeyFeature } from "../../identity/people/Scope.ts"
import { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { LessonId } from "../../learning/content/Lesson.ts"
import { MediaUnknown } from "../../learning/media/Attachments.ts"
import { AgentTool } from "../../platform/http/AgentTool.ts"
import { GroupAudience } from "../../platform/http/Audience.ts"
import { described } from "../../platform/http/Described.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { field } from "../../platform/http/Field.ts"
import { NoStore } from "../../platform/http/NoStore.ts"
import { Data, InvalidCursor, Page, PageQuery } from "../../platform/http/Page.ts"
import { sentId } from "../../platform/http/Text.ts"
import { Idempotent } from "../../platform/idempotency/Idempotency.ts"
import { MentionUnknown } from "../authors/Mention.ts"
import { NotTheAuthor } from "../authors/NotTheAuthor.ts"
import { PostId } from "../community/Post.ts"
import { Comment, CommentId } from "./Comment.ts"
import { CommentInPlace } from "./CommentInPlace.ts"
import {
  CommentEdit,
  CommentFilter,
  CommentPatch,
  CommentReport,
  CommentState,
  CreateComment,
  CreateReply,
  ParentUnknown,
  ReactionInvalid,
  ReactionLimitReached
} from "./CommentInput.ts"
import { ModeratedComment } from "./ModeratedComment.ts"

/** The fields for agents. */
const shown = {
  postComment:
    "id body author.id author.name author.role parent_id replies_count created_at hidden pinned answered pending spam deleted"
}

const comment = {
  ...clubPath,
  commentId: sentId(CommentId).pipe(field("The `id` of a comment or a reply that the caller sees"))
}
const lesson = {
  ...clubPath,
  publicId: Schema.String.pipe(field("The `public_id` of a live lesson of a course that the student has", "respirar"))
}
const post = {
  ...clubPath,
  postId: sentId(PostId).pipe(field("The `id` of a post that the caller sees"))
}
const reaction = { ...comment, emoji: Schema.String.pipe(field("Exactly one emoji, encoded as URLs are", "👏")) }

const writeErrors = [MediaUnknown, MentionUnknown, NotFound, ParentUnknown, StudentRemoved] as const
const markErrors = [NotFound, StudentRemoved] as const

const ofLesson = "/classroom/lessons/:publicId/comments"
const ofPost = "/community/posts/:postId/comments"
const ofClassroomPost = "/classroom/community/posts/:postId/comments"
const classroomComment = "/classroom/comments/:commentId"
const oneReaction = `${classroomComment}/reactions/:emoji` as const
const oneComment = "/comments/:commentId"

/**
 * Comments as students read and write them (contract, Comment). Of other people's comments they see the visible ones.
 */
export class ClassroomCommentsApi extends HttpApiGroup.make("classroomComments")
  .add(
    HttpApiEndpoint.get("list", ofLesson, {
      params: lesson,
      query: { ...PageQuery, ...CommentFilter },
      success: Page(Comment),
      error: [InvalidCursor, NotFound]
    }).annotateMerge(described(
      "List the comments on a lesson",
      "First comments, the newest first, each with its first 3 replies; with `pinned=true`, the pinned ones alone. It omits pending comments and spam, except one's own; hidden ones are there without their words"
    )),
    HttpApiEndpoint.post("create", ofLesson, {
      params: lesson,
      payload: CreateComment,
      success: Data(Comment).pipe(HttpApiSchema.status(201)),
      error: writeErrors
    }).annotateMerge(described(
      "Comment on a lesson, or reply to a comment there",
      "It pays `comment_posted`, up to 5 times a day in the club's time zone. With more than 3 links it is pending: only its author and the staff see it. It is paid once the staff lets it through. Replies are one level deep: a reply to a reply joins its thread. The authors above it and the people it mentions are notified"
    )).middleware(Idempotent).middleware(StudentWrites),
    HttpApiEndpoint.get("listOfPost", ofClassroomPost, {
      params: post,
      query: { ...PageQuery, ...CommentFilter },
      success: Page(Comment),
      error: [InvalidCursor, NotFound]
    }).annotateMerge(described(
      "List the comments on a post that one sees",
      "First comments, the newest first, each with its first 3 replies; with `pinned=true`, the pinned ones alone. It omits pending comments and spam, except one's own"
    )),
    HttpApiEndpoint.post("createOnPost", ofClassroomPost, {
      params: post,
      payload: CreateComment,
      success: Data(Comment).pipe(HttpApiSchema.status(201)),
      error: writeErrors
    }).annotateMerge(described(
      "Comment on a post, or reply to a comment there, as a student",
      "It pays nothing. With more than 3 links it is pending until the staff lets it through. Replies are one level deep: a reply to a reply joins its thread"
    )).middleware(Idempotent)
      .middleware(StudentWrites),
    HttpApiEndpoint.get("saved", "/classroom/comments/saved", {
      params: clubPath,
      query: PageQuery,
      success: Page(Comment),
      error: InvalidCursor
    }).annotateMerge(described(
      "List the comments that one saved",
      "The newest comment first, as long as one still sees it. Replies are among them"
    )),
    HttpApiEndpoint.get("get", classroomComment, {
      params: comment,
      success: Data(CommentInPlace),
      error: NotFound
    }).annotateMerge(described(
      "Read a comment and where it is",
      "For a link to a comment, which may be far down in its discussion. 404 unless the lists show it to the caller"
    )),
    HttpApiEndpoint.get("replies", `${classroomComment}/replies`, {
      params: comment,
      query: PageQuery,
      success: Page(Comment),
      error: [InvalidCursor, NotFound]
    }).annotateMerge(described(
      "List the replies to a comment",
      "Oldest first, all that the caller may see. A reply has no replies"
    )),
    HttpApiEndpoint.patch("edit", classroomComment, {
      params: comment,
      payload: CommentEdit,
      success: Data(Comment),
      error: markErrors
    }).annotateMerge(described(
      "Change the words of one's own comment",
      "Mentions and images stay. With more than 3 links it becomes pending; a pending one stays so. It pays nothing again. A deleted one is 404"
    )).middleware(StudentWrites),
    HttpApiEndpoint.delete("remove", classroomComment, {
      params: comment,
      success: HttpApiSchema.NoContent,
      error: markErrors
    }).annotateMerge(described(
      "Delete one's own comment; the replies stay",
      "Its words, mentions and images are erased. A first comment stays as a tombstone while replies to it are visible. What it paid stays. Deleting again changes nothing as long as it is visible"
    )).middleware(StudentWrites),
    HttpApiEndpoint.put("react", oneReaction, {
      params: reaction,
      success: HttpApiSchema.NoContent,
      error: [ReactionInvalid, ReactionLimitReached, ...markErrors]
    }).annotateMerge(described(
      "Give a comment an emoji",
      "Giving the same again changes nothing. A student gives a comment at most 10 different ones, and it has at most 50 different ones"
    )).middleware(StudentWrites),
    HttpApiEndpoint.delete("unreact", oneReaction, {
      params: reaction,
      success: HttpApiSchema.NoContent,
      error: [ReactionInvalid, ...markErrors]
    }).annotateMerge(described("Take an emoji back", "Taking back what was not given changes nothing"))
      .middleware(StudentWrites),
    HttpApiEndpoint.put("save", `${classroomComment}/saved`, {
      params: comment,
      success: HttpApiSchema.NoContent,
      error: markErrors
    }).annotateMerge(described("Save a comment for oneself", "Nobody else sees that. Saving it again changes nothing"))
      .middleware(StudentWrites),
    HttpApiEndpoint.delete("unsave", `${classroomComment}/saved`, {
      params: comment,
      success: HttpApiSchema.NoContent,
      error: markErrors
    }).annotateMerge(described("Save a comment no longer", "A comment that is not saved stays so"))
      .middleware(StudentWrites),
    HttpApiEndpoint.post("report", `${classroomComment}/report`, {
      params: comment,
      payload: CommentReport,
      success: HttpApiSchema.NoContent,
      error: markErrors
    }).annotateMerge(described(
      "Tell the staff of a comment",
      "Once for each student; again changes nothing. The third student's report makes it pending, unless the staff wrote it. Its author is not told"
    )).middleware(StudentWrites)
  )
  .middleware(NoStore)
  .middleware(ClubStudent)
  .prefix("/clubs/:clubId")
  .annotate(GroupAudience, "classroom")
  .annotate(OpenApi.Title, "Comments in the classroom")
  .annotate(
    OpenApi.Description,
    "Students' comments on lessons and posts, and their reactions to comments, saves and reports"
  )
{}

/** Comments on posts, by students and staff. Both share the club's cap of writes. */
export class PostCommentsApi extends HttpApiGroup.make("postComments")
  .add(
    HttpApiEndpoint.get("list", ofPost, {
      params: post,
      query: PageQuery,
      success: Page(Comment),
      error: [InvalidCursor, NotFound]
    }).annotate(AgentTool, { name: "post_comments_list", fields: shown.postComment }).annotateMerge(described(
      "List the comments on a post",
      "First comments, the newest first, each with its first 3 replies. The staff sees all of them, students what they are shown in the classroom"
    )),
    HttpApiEndpoint.post("create", ofPost, {
      params: post,
      payload: CreateComment,
      success: Data(Comment).pipe(HttpApiSchema.status(201)),
      error: writeErrors
    }).annotate(AgentTool, { name: "post_comments_create", fields: shown.postComment }).annotateMerge(described(
      "Comment on a post, or reply to a comment there",
      "It pays nothing. A reply of the staff marks the comment, and the first one of its thread, as answered. A student's with more than 3 links is pending until the staff lets it through. Replies are one level deep: a reply to a reply joins its thread"
    )).annotate(AllowedRoles, moderators)
      .middleware(Idempotent).middleware(PersonWrites)
  )
  .middleware(NoStore)
  .middleware(ClubPerson)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "community")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Comments on posts")
  .annotate(OpenApi.Description, "Comments of students and staff on posts of the community")
{}

/** The filters of the staff. */
const looked = {
  ...PageQuery,
  state: Schema.optionalKey(CommentState)
    .pipe(field("Which comments: `unanswered` are first comments of students without an answer, `reported` those that a student told the staff of. `all`, as when it is absent, has deleted ones too, no other has")),
  lesson_id: Schema.optionalKey(sentId(LessonId)).pipe(field("Only comments on this lesson")),
  post_id: Schema.optionalKey(sentId(PostId)).pipe(field("Only comments on this post"))
}

/** Comments as the staff looks through them, answers and moderates. It sees everything but deleted words. */
export class CommentsApi extends HttpApiGroup.make("comments")
  .add(
    HttpApiEndpoint.get("list", "/comments", {
      params: clubPath,
      query: looked,
      success: Page(Comment),
      error: InvalidCursor
    }).annotate(AgentTool, { name: "comments_list", fields: shown.postComment }).annotateMerge(described(
      "Look through the comments",
      "First comments and replies alike, the newest first, without those on deleted lessons. Filters narrow it together"
    )),
    HttpApiEndpoint.get("moderation", "/comments/moderation", {
      params: clubPath,
      query: looked,
      success: Page(ModeratedComment),
      error: InvalidCursor
    }).annotateMerge(described(
      "Look through the comments with their places and reports",
      "The same list as `/comments`, with what moderators have to know besides. Viewers are not told who reported what"
    )).annotate(AllowedRoles, moderators),
    HttpApiEndpoint.get("get", oneComment, { params: comment, success: Data(Comment), error: NotFound }).annotate(
      AgentTool,
      { name: "comments_show", fields: shown.postComment }
    ).annotateMerge(described("Read a comment", "With its first 3 replies. 404 once its lesson was deleted")),
    HttpApiEndpoint.get("replies", `${oneComment}/replies`, {
      params: comment,
      query: PageQuery,
      success: Page(Comment),
      error: [InvalidCursor, NotFound]
    }).annotate(AgentTool, { name: "comment_replies_list", fields: shown.postComment }).annotateMerge(described(
      "Read on in the replies to a comment",
      "Oldest first, all of them, deleted ones without their words. A reply has no replies"
    )),
    HttpApiEndpoint.post("reply", `${oneComment}/replies`, {
      params: comment,
      payload: CreateReply,
      success: Data(Comment).pipe(HttpApiSchema.status(201)),
      error: [MediaUnknown, MentionUnknown, NotFound, StudentRemoved]
    }).annotate(AgentTool, { name: "comments_reply", fields: shown.postComment }).annotateMerge(described(
      "Answer a comment",
      "The comment, and the first one of its thread, count as answered. A reply to a reply joins its thread"
    )).annotate(AllowedRoles, moderators).middleware(Idempotent)
      .middleware(ClubWrites),
    HttpApiEndpoint.patch("update", oneComment, {
      params: comment,
      payload: CommentPatch,
      success: Data(Comment),
      error: [NotTheAuthor, ...markErrors]
    }).annotate(AgentTool, { name: "comments_update", fields: shown.postComment }).annotateMerge(described(
      "Moderate a comment, or change one's own words",
      "Omitted fields keep their values. A student's comment on a lesson pays `comment_posted` once it is neither pending nor spam, unless it was paid before. `answered: false` lets the assistant answer again, regardless of earlier answers. The words are their author's alone"
    )).annotate(AllowedRoles, moderators)
      .middleware(ClubWrites),
    HttpApiEndpoint.delete("remove", oneComment, {
      params: comment,
      success: HttpApiSchema.NoContent,
      error: markErrors
    }).annotate(AgentTool, { name: "comments_remove", fields: "" }).annotateMerge(described(
      "Delete a comment; the replies stay",
      "Its words, mentions and images are erased. A tombstone stays for the staff, and for students while replies to it are visible. What it paid stays. If the assistant wrote it, the comment that it answered is unanswered again, unless the staff has replied since. Deleting again changes nothing"
    )).annotate(AllowedRoles, moderators)
      .middleware(ClubWrites)
  )
  .middleware(NoStore)
  .middleware(ClubMember)
  .prefix("/clubs/:clubId")
  .annotate(KeyFeature, "community")
  .annotate(GroupAudience, "dashboard")
  .annotate(OpenApi.Title, "Comments")
  .annotate(OpenApi.Description, "Comments on lessons and posts, for the staff to answer and moderate")
{}
