import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { StudentLocks } from "../../identity/students/StudentLocks.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { AccessibleLessons } from "../../learning/content/AccessibleLessons.ts"
import { Awards } from "../../learning/gamification/Awards.ts"
import { Attachments, type MediaUnknown } from "../../learning/media/Attachments.ts"
import type { MediaId } from "../../learning/media/Media.ts"
import { answersAbout } from "../../platform/http/AnswerSubject.ts"
import { NotFound } from "../../platform/http/errors.ts"
import type { InvalidCursor, PageAnswer, PageRequest } from "../../platform/http/Page.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { faultsDie } from "../../platform/sql/Rows.ts"
import type { MentionUnknown } from "../authors/Mention.ts"
import type { StaffWriter, StudentViewer, Viewer, Writer } from "../authors/Viewer.ts"
import type { PostId } from "../community/Post.ts"
import { Posts } from "../community/Posts.ts"
import { firstCommentIsVisible } from "../visibility/CommentVisibility.ts"
import type { Comment, CommentId } from "./Comment.ts"
import type { CommentInPlace } from "./CommentInPlace.ts"
import { type CreateComment, type CreateReply, ParentUnknown } from "./CommentInput.ts"
import { CommentNotifications } from "./CommentNotifications.ts"
import type { CommentPlace } from "./CommentPlace.ts"
import { CommentReader } from "./CommentReader.ts"
import { type CommentAuthor, CommentWriter } from "./CommentWriter.ts"
import { hasManyLinks } from "./Moderation.ts"
import { type VisibleComment, VisibleComments } from "./VisibleComments.ts"

/** Why a comment is refused. */
export type CommentRefused = MediaUnknown | MentionUnknown | NotFound | StudentRemoved

/** A page of first comments, or of the pinned ones alone. */
export interface CommentsRequest extends PageRequest {
  readonly pinned?: boolean
}

const commentAuthorOf = (writer: Writer): CommentAuthor =>
  writer.role === "student"
    ? { author: "student", student_id: writer.student_id }
    : { author: "staff", user_id: writer.user_id }

/**
 * Threads of comments on lessons and posts. `NotFound`: there is no such lesson or post, or this person does not see
 * it.
 */
export class Discussions extends Context.Service<Discussions, {
  /** The first comments, the newest first. */
  listOfLesson(
    viewer: StudentViewer,
    public_id: string,
    page: CommentsRequest
  ): Effect.Effect<PageAnswer<Comment>, InvalidCursor | NotFound>
  listOfPost(
    viewer: Viewer,
    post_id: PostId,
    page: CommentsRequest
  ): Effect.Effect<PageAnswer<Comment>, InvalidCursor | NotFound>
  /** A comment that the viewer is shown, with the first one of its thread. */
  find(viewer: Viewer, id: CommentId): Effect.Effect<CommentInPlace, NotFound>
  /** The replies to a first comment, the oldest first; empty for a reply. */
  replies(
    viewer: Viewer,
    id: CommentId,
    page: PageRequest
  ): Effect.Effect<PageAnswer<Comment>, InvalidCursor | NotFound>
  /** Pays `comment_posted`, unless the comment is pending. */
  addToLesson(
    writer: StudentViewer,
    public_id: string,
    comment: CreateComment
  ): Effect.Effect<Comment, ParentUnknown | CommentRefused>
  addToPost(
    writer: Writer,
    post_id: PostId,
    comment: CreateComment
  ): Effect.Effect<Comment, ParentUnknown | CommentRefused>
  /** Replies to a comment that the writer sees, and marks it and the first comment of its thread as answered. */
  answer(writer: StaffWriter, repliedTo: VisibleComment, reply: CreateReply): Effect.Effect<Comment, CommentRefused>
}>()("turma/conversation/comments/Discussions") {
  static readonly layer = Layer.effect(
    Discussions,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const attachments = yield* Attachments
      const awards = yield* Awards
      const reader = yield* CommentReader
      const visibleComments = yield* VisibleComments
      const lessons = yield* AccessibleLessons
      const posts = yield* Posts
      const students = yield* StudentLocks
      const commentWriter = yield* CommentWriter
      const notifications = yield* CommentNotifications

      const onlyPinned = ({ pinned = false }: CommentsRequest) => pinned ? sql` and c.pinned` : sql``

      const listOfLesson = Effect.fn("Discussions.listOfLesson")(function*(
        viewer: StudentViewer,
        public_id: string,
        page: CommentsRequest
      ) {
        const { lesson_id } = yield* lessons.find(viewer.club_id, viewer.student_id, public_id)
        const where = sql`c.lesson_id = ${lesson_id} and c.parent_id is null and
            ${firstCommentIsVisible(sql, viewer, sql`c`)}${onlyPinned(page)}`
        return yield* reader.newest(viewer, where, page)
      })

      const listOfPost = Effect.fn("Discussions.listOfPost")(function*(
        viewer: Viewer,
        post_id: PostId,
        page: CommentsRequest
      ) {
        yield* posts.isTombstone(viewer, post_id)
        const where = sql`c.post_id = ${post_id} and c.parent_id is null and
            ${firstCommentIsVisible(sql, viewer, sql`c`)}${onlyPinned(page)}`
        return yield* reader.newest(viewer, where, page)
      })

      const find = Effect.fn("Discussions.find")(function*(viewer: Viewer, id: CommentId) {
        const { first, lesson_public_id, place: { post_id } } = yield* visibleComments.find(viewer, id)
        const read = yield* reader.some(viewer, first === null ? [id] : [id, first.id])
        const comment = read.get(id)
        if (comment === undefined) return yield* new NotFound()
        return { comment, thread: first === null ? null : read.get(first.id) ?? null, lesson_public_id, post_id }
      })

      const replies = Effect.fn("Discussions.replies")(function*(viewer: Viewer, id: CommentId, page: PageRequest) {
        yield* visibleComments.find(viewer, id)
        return yield* reader.replies(viewer, id, page)
      })

      const parentOf = Effect.fnUntraced(function*(
        viewer: Viewer,
        place: CommentPlace,
        { parent_id }: CreateComment
      ) {
        if (parent_id === undefined || parent_id === null) return null
        const parent = yield* visibleComments.findUndeleted(viewer, parent_id)
        const isHere = parent.place.lesson_id === place.lesson_id && parent.place.post_id === place.post_id
        return isHere ? parent : yield* new NotFound()
      }, Effect.catchTag("NotFound", () => Effect.fail(new ParentUnknown())))

      const markAnswered = ({ club_id }: Viewer, repliedTo: VisibleComment) =>
        sql`
          update comments set answered = true
          where club_id = ${club_id} and id = any(
          ${uuids([repliedTo.id, repliedTo.first?.id ?? repliedTo.id])}) and not answered`

      /** Locks the student who writes, or the student whose comment gets the staff's reply. */
      const lockStudent = (writer: Writer, repliedTo: VisibleComment | null) => {
        if (writer.role === "student") return students.lock(writer.club_id, writer.student_id)
        return repliedTo === null || repliedTo.student_id === null
          ? Effect.void
          : students.lock(writer.club_id, repliedTo.student_id)
      }

      // Call it in the transaction that attaches the images, so that no image is deleted before that.
      const checkImages = (writer: Writer, ids: ReadonlyArray<MediaId>) =>
        ids.length === 0
          ? Effect.void
          : attachments.check(writer.club_id, {
            ...(writer.role === "student"
              ? { student_id: writer.student_id, purpose: "comment" }
              : { student_id: null, purpose: "library" }),
            ids,
            images: true
          })

      const write = Effect.fnUntraced(
        function*(
          writer: Writer,
          place: CommentPlace,
          repliedTo: VisibleComment | null,
          { body, media_ids = [], mentions = [] }: CreateReply
        ) {
          const { club_id } = writer
          yield* lockStudent(writer, repliedTo)
          yield* checkImages(writer, media_ids)
          const pending = writer.role === "student" && hasManyLinks(body)
          const parent_id = repliedTo === null ? null : repliedTo.first?.id ?? repliedTo.id
          const comment = {
            club_id,
            place,
            parent_id,
            written_by: commentAuthorOf(writer),
            body,
            pending,
            mentions,
            media_ids
          }
          const id = yield* commentWriter.insert(comment)
          if (writer.role === "staff" && repliedTo !== null) yield* markAnswered(writer, repliedTo)
          if (writer.role === "student" && place.lesson_id !== null && !pending) {
            yield* awards.award(club_id, writer.student_id, { action: "comment_posted", origin_id: id })
          }
          const concernsOthers = repliedTo !== null || mentions.length > 0 || place.post_id !== null
          if (concernsOthers && !pending) yield* notifications.announce(club_id, id, repliedTo?.id)
          return id
        },
        sql.withTransaction,
        faultsDie
      )

      const addComment = Effect.fnUntraced(function*(
        writer: Writer,
        place: CommentPlace,
        repliedTo: VisibleComment | null,
        sent: CreateReply
      ) {
        const id = yield* write(writer, place, repliedTo, sent)
        if (writer.role === "student") yield* answersAbout(writer.student_id)
        const comment = yield* reader.one(writer, id)
        yield* answersAbout(...comment.mentions.filter(({ role }) => role === "student").map(({ id }) => id))
        return comment
      })

      const addToLesson = Effect.fn("Discussions.addToLesson")(function*(
        writer: StudentViewer,
        public_id: string,
        comment: CreateComment
      ) {
        const { lesson_id } = yield* lessons.find(writer.club_id, writer.student_id, public_id)
        const place: CommentPlace = { lesson_id, post_id: null }
        return yield* addComment(writer, place, yield* parentOf(writer, place, comment), comment)
      })

      const addToPost = Effect.fn("Discussions.addToPost")(function*(
        writer: Writer,
        post_id: PostId,
        comment: CreateComment
      ) {
        if (yield* posts.isTombstone(writer, post_id)) return yield* new NotFound()
        const place: CommentPlace = { lesson_id: null, post_id }
        return yield* addComment(writer, place, yield* parentOf(writer, place, comment), comment)
      })

      const answer = Effect.fn("Discussions.answer")((
        writer: StaffWriter,
        repliedTo: VisibleComment,
        reply: CreateReply
      ) => addComment(writer, repliedTo.place, repliedTo, reply))

      return Discussions.of({ listOfLesson, listOfPost, find, replies, addToLesson, addToPost, answer })
    })
  )
}
