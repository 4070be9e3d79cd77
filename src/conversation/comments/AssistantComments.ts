import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { StudentRows } from "../../identity/students/StudentRows.ts"
import { CourseId, LessonId } from "../../learning/content/Lesson.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { AuthorRole, type Comment, CommentId } from "./Comment.ts"
import { CommentPlace, CommentWriting } from "./CommentWriting.ts"
import { seesPlace } from "./SeenComments.ts"
import { ShownComments } from "./ShownComments.ts"
import type { StaffViewer } from "./Viewer.ts"

/** A comment as the assistant looks at it. `lesson` is null for a comment on a post. */
export const AskedComment = Schema.Struct({
  body: Schema.String,
  /** The first of its thread, which may be itself. */
  thread_id: CommentId,
  author: AuthorRole,
  /** Who wrote it, if a student did. */
  student_id: Schema.NullOr(StudentId),
  lesson: Schema.NullOr(Schema.Struct({ id: LessonId, title: Schema.String, course_id: CourseId })),
  /** Hidden, deleted, spam, or waiting for the staff: itself, or the comment that it replies to. */
  unavailable: Schema.Boolean,
  /** Marked as answered, or the assistant or the staff has replied, and the staff has not taken that back since. */
  answered: Schema.Boolean
})
export type AskedComment = typeof AskedComment.Type

const decodeAsked = Schema.decodeUnknownEffect(Schema.Array(AskedComment))
const decodeAuthors = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ student_id: Schema.NullOr(StudentId), thread_id: CommentId }))
)
const decodeAnswered = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ parent_id: CommentId, place: CommentPlace }))
)

/** Somebody else's answer was the first, or there is nothing to answer any more. */
class Beaten extends Schema.TaggedError<Beaten>()("Beaten", {}) {}

/** What the assistant does with comments. */
export class AssistantComments extends Context.Service<AssistantComments, {
  find(club_id: ClubId, id: CommentId): Effect.Effect<AskedComment, NotFound>
  /**
   * Writes the assistant's reply below the comment, unless by now one of `unavailable` and `answered` holds: none, and
   * nothing is written. Of two at once in one thread, one writes.
   */
  reply(
    club_id: ClubId,
    id: CommentId,
    reply: { readonly body: string }
  ): Effect.Effect<Option.Option<Comment>>
  /**
   * Has the thread for whoever wants to reply in it, and says whether nobody else had it. In the caller's transaction, it
   * waits for whoever writes a reply there.
   */
  lease(club_id: ClubId, thread_id: CommentId, until: DateTime.Utc): Effect.Effect<boolean>
  /** Ends the lease until then, unless it has ended and somebody else has the thread. */
  release(club_id: ClubId, thread_id: CommentId, until: DateTime.Utc): Effect.Effect<void>
}>()("turma/comments/AssistantComments") {
  static readonly layer = Layer.effect(
    AssistantComments,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const comments = yield* ShownComments
      const writing = yield* CommentWriting
      const students = yield* StudentRows
      const viewerOf = (club_id: ClubId): StaffViewer => ({ onlooker: "staff", club_id, user_id: null })

      const isUnavailable = sql`
        (c.hidden or c.pending or c.spam or c.deleted_at is not null or exists (
          select 1 from comments above
          where above.club_id = c.club_id and above.id = c.parent_id and (above.pending or above.spam)
        ))`

      // What the staff says later in a thread answers what was asked before it; the assistant answers a thread as a whole.
      // Neither counts that was said before the staff took back that the comment was answered.
      const isAnswered = sql`
        (c.answered or exists (
          select 1 from comments below
          where below.club_id = c.club_id and below.parent_id = coalesce(c.parent_id, c.id)
            and below.deleted_at is null and below.created_at > coalesce(c.reopened_at, '-infinity')
            and (below.author = 'assistant' or below.author = 'staff' and below.id > c.id)
        ))`

      const find = Effect.fn("AssistantComments.find")(
        function*(club_id: ClubId, id: CommentId) {
          const rows = yield* sql`
            select c.body, coalesce(c.parent_id, c.id) as thread_id, c.author, c.student_id, ${isUnavailable} as unavailable, ${isAnswered} as answered,
              case when asked.id is not null
                then jsonb_build_object('id', asked.id, 'title', asked.title, 'course_id', asked.course_id)
              end as lesson
            from comments c left join lessons asked on asked.club_id = c.club_id and asked.id = c.lesson_id
            where c.club_id = ${club_id} and c.id = ${id} and ${seesPlace(sql, viewerOf(club_id), sql`c`)}`
          const [comment] = yield* decodeAsked(rows)
          return comment ?? (yield* new NotFound())
        },
        Effect.catchTag(["SchemaError", "SqlError"], Effect.die)
      )

      // Whoever comes second in a thread waits here, and finds it answered.
      const holdThread = Effect.fnUntraced(function*(club_id: ClubId, id: CommentId) {
        const rows = yield* sql`
          select student_id, coalesce(parent_id, id) as thread_id from comments
          where club_id = ${club_id} and id = ${id}`
        const [comment] = yield* decodeAuthors(rows)
        if (comment === undefined) return yield* new Beaten()
        if (comment.student_id !== null) yield* students.hold(club_id, comment.student_id)
        yield* sql`select 1 from comments where club_id = ${club_id} and id = ${comment.thread_id} for no key update`
      })

      const answer = Effect.fnUntraced(function*(club_id: ClubId, id: CommentId) {
        const rows = yield* sql`
          update comments c set answered = true
          where c.club_id = ${club_id} and c.id = ${id} and not ${isUnavailable} and not ${isAnswered}
          returning coalesce(c.parent_id, c.id) as parent_id,
            jsonb_build_object('lesson_id', c.lesson_id, 'post_id', c.post_id) as place`
        const [answered] = yield* decodeAnswered(rows)
        return answered ?? (yield* new Beaten())
      })

      const reply = Effect.fn("AssistantComments.reply")(
        function*(club_id: ClubId, id: CommentId, { body }: { readonly body: string }) {
          yield* holdThread(club_id, id)
          const thread = yield* answer(club_id, id)
          const written = yield* writing.insert({
            ...thread,
            club_id,
            signature: { author: "assistant", answers_id: id },
            body,
            pending: false,
            mentions: [],
            media_ids: []
          })
          return Option.some(yield* comments.one(viewerOf(club_id), written))
        },
        sql.withTransaction,
        Effect.catchTag(["Beaten", "NotFound", "StudentRemoved"], () => Effect.succeedNone),
        Effect.catchTag(["MentionUnknown", "SchemaError", "SqlError"], Effect.die)
      )

      const lease = Effect.fn("AssistantComments.lease")(
        function*(club_id: ClubId, thread_id: CommentId, until: DateTime.Utc) {
          const rows = yield* sql`
            update comments set reply_leased_until = ${DateTime.toDateUtc(until)}
            where club_id = ${club_id} and id = ${thread_id}
              and (reply_leased_until is null or reply_leased_until <= ${DateTime.toDateUtc(yield* DateTime.now)})
            returning 1`
          return rows.length > 0
        },
        Effect.orDie
      )

      const release = Effect.fn("AssistantComments.release")(
        function*(club_id: ClubId, thread_id: CommentId, until: DateTime.Utc) {
          yield* sql`
            update comments set reply_leased_until = null
            where club_id = ${club_id} and id = ${thread_id} and reply_leased_until = ${DateTime.toDateUtc(until)}`
        },
        Effect.orDie
      )

      return AssistantComments.of({ find, reply, lease, release })
    })
  )
}
