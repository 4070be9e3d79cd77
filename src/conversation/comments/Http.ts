import { Effect } from "effect"
import { versioned } from "../../platform/http/Contract.ts"
import { data } from "../../platform/http/Page.ts"
import { group } from "../../platform/http/server/group.ts"
import { memberOfRequest, personOfRequest, studentOfRequest } from "../authors/Viewer.ts"
import { ClassroomCommentsApi, CommentsApi, PostCommentsApi } from "./Api.ts"
import { CommentMarks } from "./CommentMarks.ts"
import { Discussions } from "./Discussions.ts"
import { ModeratedComments } from "./ModeratedComments.ts"
import { StaffComments } from "./StaffComments.ts"
import { StudentComments } from "./StudentComments.ts"

/** Answers the routes of `ClassroomCommentsApi`. */
export const ClassroomCommentsHttp = group(
  versioned(ClassroomCommentsApi),
  "classroomComments",
  Effect.fn(function*(handlers) {
    const discussions = yield* Discussions
    const own = yield* StudentComments
    const marks = yield* CommentMarks
    return handlers.handleAll({
      list: ({ params, query: { pinned, ...page } }) =>
        Effect.flatMap(
          studentOfRequest,
          (student) => discussions.listOfLesson(student, params.publicId, { ...page, pinned: pinned === "true" })
        ),
      create: ({ params, payload }) =>
        Effect.flatMap(
          studentOfRequest,
          (student) => Effect.map(discussions.addToLesson(student, params.publicId, payload), data)
        ),
      listOfPost: ({ params, query: { pinned, ...page } }) =>
        Effect.flatMap(
          studentOfRequest,
          (student) => discussions.listOfPost(student, params.postId, { ...page, pinned: pinned === "true" })
        ),
      get: ({ params }) =>
        Effect.flatMap(studentOfRequest, (student) => Effect.map(discussions.find(student, params.commentId), data)),
      createOnPost: ({ params, payload }) =>
        Effect.flatMap(
          studentOfRequest,
          (student) => Effect.map(discussions.addToPost(student, params.postId, payload), data)
        ),
      saved: ({ query }) => Effect.flatMap(studentOfRequest, (student) => own.saved(student, query)),
      replies: ({ params, query }) =>
        Effect.flatMap(studentOfRequest, (student) => discussions.replies(student, params.commentId, query)),
      edit: ({ params, payload }) =>
        Effect.flatMap(
          studentOfRequest,
          (student) => Effect.map(own.edit(student, params.commentId, payload.body), data)
        ),
      remove: ({ params }) => Effect.flatMap(studentOfRequest, (student) => own.remove(student, params.commentId)),
      react: ({ params }) =>
        Effect.flatMap(studentOfRequest, (student) => marks.react(student, params.commentId, params.emoji)),
      unreact: ({ params }) =>
        Effect.flatMap(studentOfRequest, (student) => marks.unreact(student, params.commentId, params.emoji)),
      save: ({ params }) => Effect.flatMap(studentOfRequest, (student) => marks.save(student, params.commentId)),
      unsave: ({ params }) => Effect.flatMap(studentOfRequest, (student) => marks.unsave(student, params.commentId)),
      report: ({ params, payload: { reason = null } }) =>
        Effect.flatMap(studentOfRequest, (student) => marks.report(student, params.commentId, reason))
    })
  })
)

/** Answers the routes of `PostCommentsApi`. */
export const PostCommentsHttp = group(
  versioned(PostCommentsApi),
  "postComments",
  Effect.fn(function*(handlers) {
    const discussions = yield* Discussions
    return handlers.handleAll({
      list: ({ params, query }) =>
        Effect.flatMap(personOfRequest, (viewer) => discussions.listOfPost(viewer, params.postId, query)),
      create: ({ params, payload }) =>
        Effect.flatMap(
          personOfRequest,
          (writer) => Effect.map(discussions.addToPost(writer, params.postId, payload), data)
        )
    })
  })
)

/** Answers the routes of `CommentsApi`. */
export const CommentsHttp = group(
  versioned(CommentsApi),
  "comments",
  Effect.fn(function*(handlers) {
    const comments = yield* StaffComments
    const moderated = yield* ModeratedComments
    const discussions = yield* Discussions
    return handlers.handleAll({
      moderation: ({ query: { state = "all", ...request } }) =>
        Effect.flatMap(memberOfRequest, (viewer) => moderated.list(viewer, { ...request, state })),
      list: ({ query: { state = "all", ...request } }) =>
        Effect.flatMap(memberOfRequest, (viewer) => comments.list(viewer, { ...request, state })),
      get: ({ params }) =>
        Effect.flatMap(memberOfRequest, (viewer) => Effect.map(comments.get(viewer, params.commentId), data)),
      replies: ({ params, query }) =>
        Effect.flatMap(memberOfRequest, (viewer) => discussions.replies(viewer, params.commentId, query)),
      reply: ({ params, payload }) =>
        Effect.flatMap(
          memberOfRequest,
          (writer) => Effect.map(comments.reply(writer, params.commentId, payload), data)
        ),
      update: ({ params, payload }) =>
        Effect.flatMap(
          memberOfRequest,
          (writer) => Effect.map(comments.patch(writer, params.commentId, payload), data)
        ),
      remove: ({ params }) => Effect.flatMap(memberOfRequest, (writer) => comments.remove(writer, params.commentId))
    })
  })
)
