import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { StudentRows } from "../../identity/students/StudentRows.ts"
import { NotFound } from "../../platform/http/errors.ts"
import type { InvalidCursor, PageAnswer, PageRequest } from "../../platform/http/Page.ts"
import type { Comment, CommentId } from "./Comment.ts"
import { CommentWriting } from "./CommentWriting.ts"
import { FoundComments } from "./FoundComments.ts"
import { hasManyLinks } from "./Pending.ts"
import { seesPlace, showsComment } from "./SeenComments.ts"
import { ShownComments } from "./ShownComments.ts"
import type { StudentViewer } from "./Viewer.ts"

/** What a student keeps, and does with what they wrote. `NotFound`: no such comment, or another person's. */
export class OwnComments extends Context.Service<OwnComments, {
  /** Those that the student saved and still sees, the newest first. */
  saved(student: StudentViewer, page: PageRequest): Effect.Effect<PageAnswer<Comment>, InvalidCursor>
  /** Other words wait for the staff where they have many links. What waits goes on waiting. */
  edit(student: StudentViewer, id: CommentId, body: string): Effect.Effect<Comment, NotFound | StudentRemoved>
  /** Leaves a tombstone: the replies stay. */
  remove(student: StudentViewer, id: CommentId): Effect.Effect<void, NotFound | StudentRemoved>
}>()("turma/comments/OwnComments") {
  static readonly layer = Layer.effect(
    OwnComments,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const comments = yield* ShownComments
      const found = yield* FoundComments
      const students = yield* StudentRows
      const writing = yield* CommentWriting

      const saved = Effect.fn("OwnComments.saved")(function*(student: StudentViewer, page: PageRequest) {
        const where = sql`
          c.id in (
            select comment_id from comment_saves
            where club_id = ${student.club_id} and student_id = ${student.student_id}
          )
          and ${showsComment(sql, student, sql`c`)} and ${seesPlace(sql, student, sql`c`)}`
        return yield* comments.newest(student, where, page)
      })

      const holding = <A, E>({ club_id, student_id }: StudentViewer, change: Effect.Effect<A, E>) =>
        students.hold(club_id, student_id).pipe(
          Effect.andThen(change),
          sql.withTransaction,
          Effect.catchIf(SqlError.isSqlError, Effect.die)
        )

      const edit = Effect.fn("OwnComments.edit")(function*(student: StudentViewer, id: CommentId, body: string) {
        const { mine } = yield* found.findLiving(student, id)
        if (!mine) return yield* new NotFound()
        const edited_at = DateTime.toDateUtc(yield* DateTime.now)
        yield* holding(
          student,
          sql`
            update comments
            set body = ${body}, edited_at = ${edited_at}, pending = pending or ${hasManyLinks(body)}
            where club_id = ${student.club_id} and id = ${id} and deleted_at is null`
        )
        return yield* comments.one(student, id)
      })

      const remove = Effect.fn("OwnComments.remove")(function*(student: StudentViewer, id: CommentId) {
        const { mine } = yield* found.find(student, id)
        if (!mine) return yield* new NotFound()
        yield* holding(student, writing.entomb(student.club_id, id))
      })

      return OwnComments.of({ saved, edit, remove })
    })
  )
}
