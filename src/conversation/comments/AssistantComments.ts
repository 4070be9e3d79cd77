import { type Array, Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { StudentLocks } from "../../identity/students/StudentLocks.ts"
import { CourseId } from "../../learning/content/Course.ts"
import { LessonId } from "../../learning/content/Lesson.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { instants } from "../../platform/sql/Arrays.ts"
import { firstOr, rows } from "../../platform/sql/Rows.ts"
import { AuthorRole } from "../authors/Author.ts"
import type { StaffViewer } from "../authors/Viewer.ts"
import { type Comment, CommentId } from "./Comment.ts"
import { CommentNotifications } from "./CommentNotifications.ts"
import { CommentPlace } from "./CommentPlace.ts"
import { CommentReader } from "./CommentReader.ts"
import { CommentWriter } from "./CommentWriter.ts"
import { seesPlace } from "./PlaceVisibility.ts"

/** The parts of a comment that the assistant reads before it replies. `lesson` is null for a comment on a post. */
export const AskedComment = Schema.Struct({
  body: Schema.String,
  /** The first comment of its thread; its own id if that is this one. */
  thread_id: CommentId,
  author: AuthorRole,
  /** Its author, if that is a student. */
  student_id: Schema.NullOr(StudentId),
  lesson: Schema.NullOr(Schema.Struct({ id: LessonId, title: Schema.String, course_id: CourseId })),
  /**
   * True if the comment gets no reply: it is hidden, deleted, spam or pending, or the comment above it is spam or
   * pending.
   */
  unavailable: Schema.Boolean,
  /**
   * True if the comment is marked as answered, or the assistant or the staff has replied, and the staff has not
   * reopened it since.
   */
  answered: Schema.Boolean
})
export type AskedComment = typeof AskedComment.Type

/** Another reply came first, or the comment is no longer available. It ends `reply`, and no caller gets it. */
class AlreadyAnswered extends Schema.TaggedError<AlreadyAnswered>()("AlreadyAnswered", {}) {}

const decodeAsked = firstOr(AskedComment, () => new NotFound())
const decodeAuthor = firstOr(
  Schema.Struct({ student_id: Schema.NullOr(StudentId), thread_id: CommentId }),
  () => new AlreadyAnswered()
)
const decodeAnswered = firstOr(
  Schema.Struct({ parent_id: CommentId, place: CommentPlace }),
  () => new AlreadyAnswered()
)

const decodeDays = rows(Schema.Struct({ day: Schema.Int, replies: Schema.Int }))

/** The assistant's view of comments, and its replies. */
export class AssistantComments extends Context.Service<AssistantComments, {
  find(club_id: ClubId, id: CommentId): Effect.Effect<AskedComment, NotFound>
  /**
   * Writes the assistant's reply below the comment. If `unavailable` or `answered` holds by now, it writes nothing and
   * the answer is empty. Of two at once in one thread, one writes.
   */
  reply(
    club_id: ClubId,
    id: CommentId,
    reply: { readonly body: string }
  ): Effect.Effect<Option.Option<Comment>>
  /**
   * Takes the lease on replying in the thread, and says whether it was free. In the caller's transaction. Waits for a
   * transaction that writes a reply there.
   */
  lease(club_id: ClubId, thread_id: CommentId, until: DateTime.Utc): Effect.Effect<boolean>
  /** The assistant's replies on each of the days that begin then, deleted ones too: by the days' numbers, from 1. */
  countByDay(
    club_id: ClubId,
    begins: Array.NonEmptyReadonlyArray<DateTime.Utc>
  ): Effect.Effect<ReadonlyMap<number, number>>
  /** Ends the lease that lasts until then. If another claim took it after its end, the lease stays. */
  release(club_id: ClubId, thread_id: CommentId, until: DateTime.Utc): Effect.Effect<void>
}>()("turma/conversation/comments/AssistantComments") {
  static readonly layer = Layer.effect(
    AssistantComments,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const reader = yield* CommentReader
      const commentWriter = yield* CommentWriter
      const students = yield* StudentLocks
      const notifications = yield* CommentNotifications
      const viewerOf = (club_id: ClubId): StaffViewer => ({ role: "staff", club_id, user_id: null })

      const isUnavailable = sql`
        (c.hidden or c.pending or c.spam or c.deleted_at is not null or exists (
          select 1 from comments above
          where above.club_id = c.club_id and above.id = c.parent_id and (above.pending or above.spam)
        ))`

      // A later comment of the staff answers every earlier comment of its thread; a reply of the assistant answers the
      // whole thread. Replies from before the staff reopened the comment do not count.
      const isAnswered = sql`
        (c.answered or exists (
          select 1 from comments below
          where below.club_id = c.club_id and below.parent_id = coalesce(c.parent_id, c.id)
            and below.deleted_at is null and below.created_at > coalesce(c.reopened_at, '-infinity')
            and (below.author = 'assistant' or below.author = 'staff' and below.id > c.id)
        ))`

      const find = Effect.fn("AssistantComments.find")(function*(club_id: ClubId, id: CommentId) {
        return yield* sql`
            select c.body, coalesce(c.parent_id, c.id) as thread_id, c.author, c.student_id,
              ${isUnavailable} as unavailable, ${isAnswered} as answered,
              case when asked.id is not null
                then jsonb_build_object('id', asked.id, 'title', asked.title, 'course_id', asked.course_id)
              end as lesson
            from comments c left join lessons asked on asked.club_id = c.club_id and asked.id = c.lesson_id
            where c.club_id = ${club_id} and c.id = ${id} and ${seesPlace(sql, viewerOf(club_id), sql`c`)}`
          .pipe(decodeAsked)
      })

      // The second to reply in a thread waits here, and then finds it answered.
      const lockThread = Effect.fnUntraced(function*(club_id: ClubId, id: CommentId) {
        const { student_id, thread_id } = yield* sql`
          select student_id, coalesce(parent_id, id) as thread_id from comments
          where club_id = ${club_id} and id = ${id}`.pipe(decodeAuthor)
        if (student_id !== null) yield* students.lock(club_id, student_id)
        yield* sql`select 1 from comments where club_id = ${club_id} and id = ${thread_id} for no key update`
      })

      const answer = Effect.fnUntraced(function*(club_id: ClubId, id: CommentId) {
        return yield* sql`
          update comments c set answered = true
          where c.club_id = ${club_id} and c.id = ${id} and not ${isUnavailable} and not ${isAnswered}
          returning coalesce(c.parent_id, c.id) as parent_id,
            jsonb_build_object('lesson_id', c.lesson_id, 'post_id', c.post_id) as place`.pipe(decodeAnswered)
      })

      const reply = Effect.fn("AssistantComments.reply")(
        function*(club_id: ClubId, id: CommentId, { body }: { readonly body: string }) {
          yield* lockThread(club_id, id)
          const thread = yield* answer(club_id, id)
          const written = yield* commentWriter.insert({
            ...thread,
            club_id,
            written_by: { author: "assistant", answers_id: id },
            body,
            pending: false,
            mentions: [],
            media_ids: []
          })
          yield* notifications.announce(club_id, written)
          return Option.some(yield* reader.one(viewerOf(club_id), written))
        },
        sql.withTransaction,
        Effect.catchTag(["AlreadyAnswered", "NotFound", "StudentRemoved"], () => Effect.succeedNone),
        Effect.catchTag(["MentionUnknown", "SqlError"], Effect.die)
      )

      const lease = Effect.fn("AssistantComments.lease")(
        function*(club_id: ClubId, thread_id: CommentId, until: DateTime.Utc) {
          const at = DateTime.toDateUtc(yield* DateTime.now)
          const leased = yield* audited((audit) =>
            sql`
              ${audit.with}
              update comments set reply_leased_until = ${DateTime.toDateUtc(until)}
              where club_id = ${club_id} and id = ${thread_id}
                and (reply_leased_until is null or reply_leased_until <= ${at})
              returning 1`
          )
          return leased.length > 0
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

      const countByDay = Effect.fn("AssistantComments.countByDay")(function*(
        club_id: ClubId,
        begins: Array.NonEmptyReadonlyArray<DateTime.Utc>
      ) {
        const days = yield* sql`
            select day.number::int as day, (
              select count(*)::int from comments
              where club_id = ${club_id} and author = 'assistant' and created_at >= day.begins
                and created_at < coalesce(day.ends, 'infinity')
            ) as replies
            from unnest(${instants(begins)}, ${instants([...begins.slice(1), null])}) with ordinality
              as day (begins, ends, number)`.pipe(decodeDays)
        return new Map(days.map(({ day, replies }) => [day, replies]))
      })

      return AssistantComments.of({ find, reply, lease, release, countByDay })
    })
  )
}
