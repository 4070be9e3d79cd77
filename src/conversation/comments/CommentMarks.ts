import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { StudentLocks } from "../../identity/students/StudentLocks.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { Notifications } from "../../membership/notifications/Notifications.ts"
import type { NotFound } from "../../platform/http/errors.ts"
import { faultsDie, one } from "../../platform/sql/Rows.ts"
import type { StudentViewer } from "../authors/Viewer.ts"
import type { CommentId } from "./Comment.ts"
import { ReactionInvalid, ReactionLimitReached } from "./CommentInput.ts"
import { emojiOf, reactionsPerComment, reactionsPerPerson } from "./Emoji.ts"
import { reportLimit } from "./Moderation.ts"
import { VisibleComments } from "./VisibleComments.ts"

/** Why a mark is refused: the student does not see the comment, or was removed. */
type MarkRefused = NotFound | StudentRemoved

const decodeCount = one(Schema.Struct({ mine: Schema.Int, all: Schema.Int, new_to_all: Schema.Boolean }))
const decodeReport = one(Schema.Struct({ reports: Schema.Int }))

const now = Effect.map(DateTime.now, DateTime.toDateUtc)

/**
 * Reactions, saves and reports of students, for comments that they see and that are not deleted. Repeating a call
 * changes nothing.
 */
export class CommentMarks extends Context.Service<CommentMarks, {
  react(
    student: StudentViewer,
    id: CommentId,
    emoji: string
  ): Effect.Effect<void, ReactionInvalid | ReactionLimitReached | MarkRefused>
  unreact(student: StudentViewer, id: CommentId, emoji: string): Effect.Effect<void, ReactionInvalid | MarkRefused>
  save(student: StudentViewer, id: CommentId): Effect.Effect<void, MarkRefused>
  unsave(student: StudentViewer, id: CommentId): Effect.Effect<void, MarkRefused>
  /** The report with the number `reportLimit` makes the comment pending, unless the staff wrote it. */
  report(student: StudentViewer, id: CommentId, reason: string | null): Effect.Effect<void, MarkRefused>
}>()("turma/conversation/comments/CommentMarks") {
  static readonly layer = Layer.effect(
    CommentMarks,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const visibleComments = yield* VisibleComments
      const students = yield* StudentLocks
      const notifications = yield* Notifications

      /** Runs `mark` in a transaction that locks the student, if they see the comment and it is not deleted. */
      const onVisibleComment = <A, E>(student: StudentViewer, id: CommentId, mark: Effect.Effect<A, E>) =>
        Effect.andThen(
          visibleComments.findUndeleted(student, id),
          sql.withTransaction(Effect.andThen(students.lock(student.club_id, student.student_id), mark))
        ).pipe(faultsDie)

      const oneEmoji = (text: string) =>
        Option.match(emojiOf(text), { onNone: () => Effect.fail(new ReactionInvalid()), onSome: Effect.succeed })

      /** Locks the comment, so that its counts stay the same until the transaction ends. */
      const lock = ({ club_id }: StudentViewer, id: CommentId) =>
        sql`select 1 from comments where club_id = ${club_id} and id = ${id} for no key update`

      const insertReaction = Effect.fnUntraced(function*(student: StudentViewer, id: CommentId, reaction: string) {
        const { club_id, student_id } = student
        yield* lock(student, id)
        const inserted = yield* sql`
          insert into comment_reactions
          ${sql.insert({ club_id, comment_id: id, student_id, reaction, created_at: yield* now })}
          on conflict do nothing returning 1`
        if (inserted.length === 0) return
        const { all, mine, new_to_all } = yield* sql`
          select count(*) filter (where student_id = ${student_id})::int as mine, count(distinct reaction)::int as all,
            count(*) filter (where reaction = ${reaction}) = 1 as new_to_all
          from comment_reactions where club_id = ${club_id} and comment_id = ${id}`.pipe(decodeCount)
        const over = mine > reactionsPerPerson || (new_to_all && all > reactionsPerComment)
        if (over) return yield* new ReactionLimitReached()
      })

      const react = Effect.fn("CommentMarks.react")(function*(student: StudentViewer, id: CommentId, emoji: string) {
        const reaction = yield* oneEmoji(emoji)
        yield* onVisibleComment(student, id, insertReaction(student, id, reaction))
      })

      const unreact = Effect.fn("CommentMarks.unreact")(function*(
        student: StudentViewer,
        id: CommentId,
        emoji: string
      ) {
        const { club_id, student_id } = student
        const reaction = yield* oneEmoji(emoji)
        yield* onVisibleComment(
          student,
          id,
          sql`
              delete from comment_reactions
              where club_id = ${club_id} and comment_id = ${id} and student_id = ${student_id}
                and reaction = ${reaction}`
        )
      })

      const save = Effect.fn("CommentMarks.save")(function*(student: StudentViewer, id: CommentId) {
        const { club_id, student_id } = student
        const saved = { club_id, student_id, comment_id: id, created_at: yield* now }
        yield* onVisibleComment(student, id, sql`insert into comment_saves ${sql.insert(saved)} on conflict do nothing`)
      })

      const unsave = Effect.fn("CommentMarks.unsave")(function*(student: StudentViewer, id: CommentId) {
        const { club_id, student_id } = student
        yield* onVisibleComment(
          student,
          id,
          sql`
            delete from comment_saves
            where club_id = ${club_id} and student_id = ${student_id} and comment_id = ${id}`
        )
      })

      const insertReport = Effect.fnUntraced(function*(student: StudentViewer, id: CommentId, reason: string | null) {
        const { club_id, student_id } = student
        yield* lock(student, id)
        const inserted = yield* sql`
          insert into comment_reports
          ${sql.insert({ club_id, comment_id: id, student_id, reason, created_at: yield* now })}
          on conflict do nothing returning 1`
        if (inserted.length === 0) return
        const { reports } = yield* sql`
          select count(*)::int as reports from comment_reports where club_id = ${club_id} and comment_id = ${id}
        `.pipe(decodeReport)
        if (reports !== reportLimit) return
        const held = yield* sql`
          update comments set pending = true where club_id = ${club_id} and id = ${id} and author <> 'staff' returning 1`
        if (held.length > 0) yield* notifications.withdraw(club_id, { comment_id: id })
      })

      const report = Effect.fn("CommentMarks.report")((student: StudentViewer, id: CommentId, reason: string | null) =>
        onVisibleComment(student, id, insertReport(student, id, reason))
      )

      return CommentMarks.of({ react, unreact, save, unsave, report })
    })
  )
}
