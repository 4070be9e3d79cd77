import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { StudentLocks } from "../../identity/students/StudentLocks.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { Notifications } from "../../membership/notifications/Notifications.ts"
import { NotFound } from "../../platform/http/errors.ts"
import type { InvalidCursor, PageAnswer, PageRequest } from "../../platform/http/Page.ts"
import { faultsDie } from "../../platform/sql/Rows.ts"
import type { StudentViewer } from "../authors/Viewer.ts"
import { commentIsVisible } from "../visibility/CommentVisibility.ts"
import type { Comment, CommentId } from "./Comment.ts"
import { CommentReader } from "./CommentReader.ts"
import { CommentWriter } from "./CommentWriter.ts"
import { hasManyLinks } from "./Moderation.ts"
import { seesPlace } from "./PlaceVisibility.ts"
import { VisibleComments } from "./VisibleComments.ts"

/**
 * The comments that a student saved, and changes to those that they wrote. `NotFound`: there is no such comment, or it
 * is another person's.
 */
export class StudentComments extends Context.Service<StudentComments, {
  /** Those that the student saved and still sees, the newest first. */
  saved(student: StudentViewer, page: PageRequest): Effect.Effect<PageAnswer<Comment>, InvalidCursor>
  /** New words with many links make the comment pending. A pending comment stays pending. */
  edit(student: StudentViewer, id: CommentId, body: string): Effect.Effect<Comment, NotFound | StudentRemoved>
  /** Leaves a tombstone, so that the replies stay. */
  remove(student: StudentViewer, id: CommentId): Effect.Effect<void, NotFound | StudentRemoved>
}>()("turma/conversation/comments/StudentComments") {
  static readonly layer = Layer.effect(
    StudentComments,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const reader = yield* CommentReader
      const visibleComments = yield* VisibleComments
      const students = yield* StudentLocks
      const commentWriter = yield* CommentWriter
      const notifications = yield* Notifications

      const saved = Effect.fn("StudentComments.saved")(function*(student: StudentViewer, page: PageRequest) {
        const where = sql`
          c.id in (
            select comment_id from comment_saves
            where club_id = ${student.club_id} and student_id = ${student.student_id}
          )
          and ${commentIsVisible(sql, student, sql`c`)} and ${seesPlace(sql, student, sql`c`)}`
        return yield* reader.newest(student, where, page)
      })

      const withAuthorLocked = <A, E>({ club_id, student_id }: StudentViewer, change: Effect.Effect<A, E>) =>
        students.lock(club_id, student_id).pipe(
          Effect.andThen(change),
          sql.withTransaction,
          faultsDie
        )

      const edit = Effect.fn("StudentComments.edit")(function*(student: StudentViewer, id: CommentId, body: string) {
        const { mine } = yield* visibleComments.findUndeleted(student, id)
        if (!mine) return yield* new NotFound()
        const edited_at = DateTime.toDateUtc(yield* DateTime.now)
        const isHeldBack = hasManyLinks(body)
        const change = sql`
            update comments
            set body = ${body}, edited_at = ${edited_at}, pending = pending or ${isHeldBack}
            where club_id = ${student.club_id} and id = ${id} and deleted_at is null`
        const notified = isHeldBack
          ? notifications.withdraw(student.club_id, { comment_id: id })
          : notifications.reword(student.club_id, id, body)
        yield* withAuthorLocked(student, Effect.andThen(change, notified))
        return yield* reader.one(student, id)
      })

      const remove = Effect.fn("StudentComments.remove")(function*(student: StudentViewer, id: CommentId) {
        const { mine } = yield* visibleComments.find(student, id)
        if (!mine) return yield* new NotFound()
        yield* withAuthorLocked(student, commentWriter.leaveTombstone(student.club_id, id))
      })

      return StudentComments.of({ saved, edit, remove })
    })
  )
}
