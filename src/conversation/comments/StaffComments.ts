import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import { StudentLocks } from "../../identity/students/StudentLocks.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { LessonId } from "../../learning/content/Lesson.ts"
import { Awards } from "../../learning/gamification/Awards.ts"
import { Notifications } from "../../membership/notifications/Notifications.ts"
import { NotFound } from "../../platform/http/errors.ts"
import type { InvalidCursor, PageAnswer, PageRequest } from "../../platform/http/Page.ts"
import { scanning } from "../../platform/sql/ReadLane.ts"
import { faultsDie, firstOr } from "../../platform/sql/Rows.ts"
import { NotTheAuthor } from "../authors/NotTheAuthor.ts"
import type { StaffViewer, StaffWriter } from "../authors/Viewer.ts"
import type { PostId } from "../community/Post.ts"
import type { Comment, CommentId } from "./Comment.ts"
import type { CommentPatch, CommentState, CreateReply } from "./CommentInput.ts"
import { CommentNotifications } from "./CommentNotifications.ts"
import { CommentReader } from "./CommentReader.ts"
import { CommentWriter } from "./CommentWriter.ts"
import { type CommentRefused, Discussions } from "./Discussions.ts"
import { seesPlace } from "./PlaceVisibility.ts"
import { type VisibleComment, VisibleComments } from "./VisibleComments.ts"

/** Which comments the staff lists. */
export interface CommentsRequest extends PageRequest {
  readonly state: CommentState
  readonly lesson_id?: LessonId | undefined
  readonly post_id?: PostId | undefined
}

const decodeChanged = firstOr(
  Schema.Struct({
    released: Schema.Boolean,
    lesson_id: Schema.NullOr(LessonId),
    /** Whether the change shows its words to other students, or withholds them. */
    sight: Schema.Literals(["same", "shown", "withheld"])
  }),
  () => new NotFound()
)

/** The staff's actions on comments. `NotFound`: the comment does not exist, or its lesson is deleted. */
export class StaffComments extends Context.Service<StaffComments, {
  /** First comments and replies alike, the newest first. Only `all` includes tombstones. */
  list(viewer: StaffViewer, request: CommentsRequest): Effect.Effect<PageAnswer<Comment>, InvalidCursor>
  get(viewer: StaffViewer, id: CommentId): Effect.Effect<Comment, NotFound>
  /** Marks it and the first comment of its thread as answered. */
  reply(writer: StaffWriter, id: CommentId, reply: CreateReply): Effect.Effect<Comment, CommentRefused>
  /**
   * A comment that is no longer pending or spam pays `comment_posted`, unless it was paid before. The assistant can
   * answer again a comment that is no longer answered, whatever its earlier replies. Students are notified of a comment once they see its words, and no longer when they do not.
   */
  patch(
    writer: StaffWriter,
    id: CommentId,
    patch: CommentPatch
  ): Effect.Effect<Comment, NotFound | NotTheAuthor | StudentRemoved>
  /** Leaves a tombstone. */
  remove(writer: StaffWriter, id: CommentId): Effect.Effect<void, NotFound | StudentRemoved>
}>()("turma/conversation/comments/StaffComments") {
  static readonly layer = Layer.effect(
    StaffComments,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const awards = yield* Awards
      const reader = yield* CommentReader
      const discussions = yield* Discussions
      const visibleComments = yield* VisibleComments
      const students = yield* StudentLocks
      const commentWriter = yield* CommentWriter
      const commentNotifications = yield* CommentNotifications
      const notifications = yield* Notifications

      // Each condition is written as its partial index has it.
      const inState = ({ club_id }: StaffViewer, state: CommentState) => {
        switch (state) {
          case "all":
            return sql`true`
          case "pending":
            return sql`c.pending and c.deleted_at is null`
          case "spam":
            return sql`c.spam and c.deleted_at is null`
          case "hidden":
            return sql`c.hidden and c.deleted_at is null`
          case "unanswered":
            return sql`
              c.author = 'student' and c.parent_id is null and not c.answered and not c.spam and c.deleted_at is null`
          case "reported":
            return sql`
              c.deleted_at is null
              and c.id = any(array(select distinct comment_id from comment_reports where club_id = ${club_id}))`
        }
      }

      const list = Effect.fn("StaffComments.list")(function*(
        viewer: StaffViewer,
        { lesson_id, post_id, state, ...page }: CommentsRequest
      ) {
        const where = sql`
            ${inState(viewer, state)}
            and ${lesson_id === undefined ? sql`true` : sql`c.lesson_id = ${lesson_id}`}
            and ${post_id === undefined ? sql`true` : sql`c.post_id = ${post_id}`}
            and ${seesPlace(sql, viewer, sql`c`)}`
        const newest = reader.newest(viewer, where, page)
        // No index has those of one state on a lesson or a post, or those that were reported.
        const isScan = state === "reported" || (state !== "all" && (lesson_id ?? post_id) !== undefined)
        return yield* (isScan ? scanning(newest) : newest)
      })

      const get = Effect.fn("StaffComments.get")(function*(viewer: StaffViewer, id: CommentId) {
        yield* visibleComments.find(viewer, id)
        return yield* reader.one(viewer, id)
      })

      const reply = Effect.fn("StaffComments.reply")(function*(writer: StaffWriter, id: CommentId, said: CreateReply) {
        return yield* discussions.answer(writer, yield* visibleComments.findUndeleted(writer, id), said)
      })

      /** Runs `change` in a transaction that locks the student who wrote the comment, if one did. */
      const withAuthorLocked = <A, E>(
        { club_id }: StaffViewer,
        { student_id }: VisibleComment,
        change: Effect.Effect<A, E>
      ) =>
        (student_id === null ? Effect.void : students.lock(club_id, student_id)).pipe(
          Effect.andThen(change),
          sql.withTransaction,
          faultsDie
        )

      const update = Effect.fnUntraced(function*({ club_id }: StaffWriter, id: CommentId, patch: CommentPatch) {
        const { answered = null, body = null, hidden = null, pending = null, pinned = null, spam = null } = patch
        const now = DateTime.toDateUtc(yield* DateTime.now)
        return yield* audited((audit) =>
          sql`
            ${audit.with}
            update comments c set
              body = coalesce(${body}, c.body), answered = coalesce(${answered}, c.answered),
              hidden = coalesce(${hidden}, c.hidden), pending = coalesce(${pending}, c.pending),
              pinned = coalesce(${pinned}, c.pinned), spam = coalesce(${spam}, c.spam),
              edited_at = case when ${body !== null} then ${now}::timestamptz else c.edited_at end,
              reopened_at = case when ${answered === false} then ${now}::timestamptz else c.reopened_at end
            from (
              select club_id, id, pending or spam as held_back, pending or spam or hidden as unseen from comments
              where club_id = ${club_id} and id = ${id} and deleted_at is null for no key update
            ) before
            where c.club_id = before.club_id and c.id = before.id
            returning before.held_back and not c.pending and not c.spam as released, c.lesson_id, case
              when before.unseen = (c.pending or c.spam or c.hidden) then 'same'
              when before.unseen then 'shown' else 'withheld' end as sight`
        ).pipe(decodeChanged)
      })

      const patch = Effect.fn("StaffComments.patch")(function*(
        writer: StaffWriter,
        id: CommentId,
        patch: CommentPatch
      ) {
        const comment = yield* visibleComments.findUndeleted(writer, id)
        const { mine, student_id } = comment
        if (patch.body !== undefined && !mine) return yield* new NotTheAuthor()
        const change = Effect.gen(function*() {
          const { lesson_id, released, sight } = yield* update(writer, id, patch)
          if (student_id !== null && lesson_id !== null && released) {
            yield* awards.award(writer.club_id, student_id, { action: "comment_posted", origin_id: id })
          }
          if (sight === "shown") yield* commentNotifications.announce(writer.club_id, id)
          if (sight === "withheld") yield* notifications.withdraw(writer.club_id, { comment_id: id })
          if (sight === "same" && patch.body !== undefined) {
            yield* notifications.reword(writer.club_id, id, patch.body)
          }
        })
        yield* withAuthorLocked(writer, comment, change)
        return yield* reader.one(writer, id)
      })

      const remove = Effect.fn("StaffComments.remove")(function*(writer: StaffWriter, id: CommentId) {
        const comment = yield* visibleComments.find(writer, id)
        if (comment.deleted) return
        yield* withAuthorLocked(writer, comment, commentWriter.leaveTombstone(writer.club_id, id))
      })

      return StaffComments.of({ list, get, reply, patch, remove })
    })
  )
}
