import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { StudentRows } from "../../identity/students/StudentRows.ts"
import { LessonId } from "../../learning/content/Lesson.ts"
import { Awards } from "../../learning/gamification/Awards.ts"
import { NotFound } from "../../platform/http/errors.ts"
import type { InvalidCursor, PageAnswer, PageRequest } from "../../platform/http/Page.ts"
import type { PostId } from "../community/Post.ts"
import type { Comment, CommentId } from "./Comment.ts"
import { type CommentPatch, type CommentState, type CreateReply, NotTheAuthor } from "./CommentInput.ts"
import { CommentWriting } from "./CommentWriting.ts"
import { Discussions, type Unwritten } from "./Discussions.ts"
import { type FoundComment, FoundComments } from "./FoundComments.ts"
import { seesPlace } from "./SeenComments.ts"
import { ShownComments } from "./ShownComments.ts"
import type { StaffViewer, StaffWriter } from "./Viewer.ts"

/** Which comments the staff looks through. */
export interface CommentsRequest extends PageRequest {
  readonly state: CommentState
  readonly lesson_id?: LessonId | undefined
  readonly post_id?: PostId | undefined
}

const decodeReleased = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ released: Schema.Boolean, lesson_id: Schema.NullOr(LessonId) }))
)

/** What the staff does with comments. `NotFound`: no such comment, or its lesson is not there any more. */
export class StaffComments extends Context.Service<StaffComments, {
  /** First comments and replies alike, the newest first. Tombstones are among `all` alone. */
  list(viewer: StaffViewer, request: CommentsRequest): Effect.Effect<PageAnswer<Comment>, InvalidCursor>
  get(viewer: StaffViewer, id: CommentId): Effect.Effect<Comment, NotFound>
  /** Answers it, and with it its thread. */
  reply(writer: StaffWriter, id: CommentId, reply: CreateReply): Effect.Effect<Comment, Unwritten>
  /**
   * What others see from now on, neither waiting nor spam any more, pays `comment_posted`, if it never did. What is not
   * answered any more can be answered by the assistant again, whatever was said before.
   */
  patch(
    writer: StaffWriter,
    id: CommentId,
    patch: CommentPatch
  ): Effect.Effect<Comment, NotFound | NotTheAuthor | StudentRemoved>
  /** Leaves a tombstone. */
  remove(writer: StaffWriter, id: CommentId): Effect.Effect<void, NotFound | StudentRemoved>
}>()("turma/comments/StaffComments") {
  static readonly layer = Layer.effect(
    StaffComments,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const awards = yield* Awards
      const comments = yield* ShownComments
      const discussions = yield* Discussions
      const found = yield* FoundComments
      const students = yield* StudentRows
      const writing = yield* CommentWriting

      // Each as its partial index says it.
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

      const list = Effect.fn("StaffComments.list")(
        function*(viewer: StaffViewer, { lesson_id, post_id, state, ...page }: CommentsRequest) {
          const where = sql`
            ${inState(viewer, state)}
            and ${lesson_id === undefined ? sql`true` : sql`c.lesson_id = ${lesson_id}`}
            and ${post_id === undefined ? sql`true` : sql`c.post_id = ${post_id}`}
            and ${seesPlace(sql, viewer, sql`c`)}`
          return yield* comments.newest(viewer, where, page)
        }
      )

      const get = Effect.fn("StaffComments.get")(function*(viewer: StaffViewer, id: CommentId) {
        yield* found.find(viewer, id)
        return yield* comments.one(viewer, id)
      })

      const reply = Effect.fn("StaffComments.reply")(function*(writer: StaffWriter, id: CommentId, said: CreateReply) {
        return yield* discussions.answer(writer, yield* found.findLiving(writer, id), said)
      })

      /** What happens to a comment, with the student who wrote it held. */
      const holding = <A, E>({ club_id }: StaffViewer, { student_id }: FoundComment, change: Effect.Effect<A, E>) =>
        (student_id === null ? Effect.void : students.hold(club_id, student_id)).pipe(
          Effect.andThen(change),
          sql.withTransaction,
          Effect.catchIf(SqlError.isSqlError, Effect.die)
        )

      const update = Effect.fnUntraced(function*({ club_id }: StaffWriter, id: CommentId, patch: CommentPatch) {
        const { answered = null, body = null, hidden = null, pending = null, pinned = null, spam = null } = patch
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const rows = yield* sql`
          update comments c set
            body = coalesce(${body}, c.body), answered = coalesce(${answered}, c.answered),
            hidden = coalesce(${hidden}, c.hidden), pending = coalesce(${pending}, c.pending),
            pinned = coalesce(${pinned}, c.pinned), spam = coalesce(${spam}, c.spam),
            edited_at = case when ${body !== null} then ${now}::timestamptz else c.edited_at end,
            reopened_at = case when ${answered === false} then ${now}::timestamptz else c.reopened_at end
          from (
            select club_id, id, pending or spam as held_back from comments
            where club_id = ${club_id} and id = ${id} and deleted_at is null for no key update
          ) before
          where c.club_id = before.club_id and c.id = before.id
          returning before.held_back and not c.pending and not c.spam as released, c.lesson_id`
        const [updated] = yield* Effect.orDie(decodeReleased(rows))
        return updated ?? (yield* new NotFound())
      })

      const patch = Effect.fn("StaffComments.patch")(
        function*(writer: StaffWriter, id: CommentId, patch: CommentPatch) {
          const comment = yield* found.findLiving(writer, id)
          const { mine, student_id } = comment
          if (patch.body !== undefined && !mine) return yield* new NotTheAuthor()
          const change = Effect.gen(function*() {
            const { lesson_id, released } = yield* update(writer, id, patch)
            if (student_id === null || lesson_id === null || !released) return
            yield* awards.award(writer.club_id, student_id, { action: "comment_posted", origin_id: id })
          })
          yield* holding(writer, comment, change)
          return yield* comments.one(writer, id)
        }
      )

      const remove = Effect.fn("StaffComments.remove")(function*(writer: StaffWriter, id: CommentId) {
        const comment = yield* found.find(writer, id)
        if (comment.deleted) return
        yield* holding(writer, comment, writing.entomb(writer.club_id, id))
      })

      return StaffComments.of({ list, get, reply, patch, remove })
    })
  )
}
