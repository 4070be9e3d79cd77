import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { StudentRows } from "../../identity/students/StudentRows.ts"
import type { NotFound } from "../../platform/http/errors.ts"
import type { CommentId } from "./Comment.ts"
import { ReactionInvalid, ReactionLimitReached } from "./CommentInput.ts"
import { emojiOf, reactionsPerComment, reactionsPerPerson } from "./Emoji.ts"
import { FoundComments } from "./FoundComments.ts"
import { reportLimit } from "./Pending.ts"
import type { StudentViewer } from "./Viewer.ts"

/** The comment is not there, for this student, or the student was removed. */
type Unmarked = NotFound | StudentRemoved

const decodeCounts = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ mine: Schema.Int, all: Schema.Int, new_to_all: Schema.Boolean })])
)
const decodeReports = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ reports: Schema.Int })]))

const now = Effect.map(DateTime.now, DateTime.toDateUtc)

/** What students give to comments that they see and that are not deleted. Doing it again changes nothing. */
export class CommentMarks extends Context.Service<CommentMarks, {
  react(
    student: StudentViewer,
    id: CommentId,
    emoji: string
  ): Effect.Effect<void, ReactionInvalid | ReactionLimitReached | Unmarked>
  unreact(student: StudentViewer, id: CommentId, emoji: string): Effect.Effect<void, ReactionInvalid | Unmarked>
  save(student: StudentViewer, id: CommentId): Effect.Effect<void, Unmarked>
  unsave(student: StudentViewer, id: CommentId): Effect.Effect<void, Unmarked>
  /** The report with the number `reportLimit` makes the comment wait for the staff, unless it is the staff's own. */
  report(student: StudentViewer, id: CommentId, reason: string | null): Effect.Effect<void, Unmarked>
}>()("turma/comments/CommentMarks") {
  static readonly layer = Layer.effect(
    CommentMarks,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const found = yield* FoundComments
      const students = yield* StudentRows

      /** What a student does with a comment that they see, with the student held. */
      const marking = <A, E>(student: StudentViewer, id: CommentId, mark: Effect.Effect<A, E>) =>
        Effect.andThen(
          found.findLiving(student, id),
          sql.withTransaction(Effect.andThen(students.hold(student.club_id, student.student_id), mark))
        ).pipe(Effect.catchIf(SqlError.isSqlError, Effect.die))

      const oneEmoji = (text: string) =>
        Option.match(emojiOf(text), { onNone: () => Effect.fail(new ReactionInvalid()), onSome: Effect.succeed })

      /** What is counted about the comment does not change meanwhile. */
      const lock = ({ club_id }: StudentViewer, id: CommentId) =>
        sql`select 1 from comments where club_id = ${club_id} and id = ${id} for no key update`

      const add = Effect.fnUntraced(function*(student: StudentViewer, id: CommentId, reaction: string) {
        const { club_id, student_id } = student
        yield* lock(student, id)
        const added = yield* sql`
          insert into comment_reactions ${
          sql.insert({ club_id, comment_id: id, student_id, reaction, created_at: yield* now })
        }
          on conflict do nothing returning 1`
        if (added.length === 0) return
        const rows = yield* sql`
          select count(*) filter (where student_id = ${student_id})::int as mine, count(distinct reaction)::int as all,
            count(*) filter (where reaction = ${reaction}) = 1 as new_to_all
          from comment_reactions where club_id = ${club_id} and comment_id = ${id}`
        const [{ all, mine, new_to_all }] = yield* Effect.orDie(decodeCounts(rows))
        const over = mine > reactionsPerPerson || (new_to_all && all > reactionsPerComment)
        if (over) return yield* new ReactionLimitReached()
      })

      const react = Effect.fn("CommentMarks.react")(function*(student: StudentViewer, id: CommentId, emoji: string) {
        const reaction = yield* oneEmoji(emoji)
        yield* marking(student, id, add(student, id, reaction))
      })

      const unreact = Effect.fn("CommentMarks.unreact")(
        function*(student: StudentViewer, id: CommentId, emoji: string) {
          const { club_id, student_id } = student
          const reaction = yield* oneEmoji(emoji)
          yield* marking(
            student,
            id,
            sql`
              delete from comment_reactions
              where club_id = ${club_id} and comment_id = ${id} and student_id = ${student_id}
                and reaction = ${reaction}`
          )
        }
      )

      const save = Effect.fn("CommentMarks.save")(function*(student: StudentViewer, id: CommentId) {
        const { club_id, student_id } = student
        const kept = { club_id, student_id, comment_id: id, created_at: yield* now }
        yield* marking(student, id, sql`insert into comment_saves ${sql.insert(kept)} on conflict do nothing`)
      })

      const unsave = Effect.fn("CommentMarks.unsave")(function*(student: StudentViewer, id: CommentId) {
        const { club_id, student_id } = student
        yield* marking(
          student,
          id,
          sql`
            delete from comment_saves
            where club_id = ${club_id} and student_id = ${student_id} and comment_id = ${id}`
        )
      })

      const file = Effect.fnUntraced(function*(student: StudentViewer, id: CommentId, reason: string | null) {
        const { club_id, student_id } = student
        yield* lock(student, id)
        const filed = yield* sql`
          insert into comment_reports ${
          sql.insert({ club_id, comment_id: id, student_id, reason, created_at: yield* now })
        }
          on conflict do nothing returning 1`
        if (filed.length === 0) return
        const rows = yield* sql`
          select count(*)::int as reports from comment_reports where club_id = ${club_id} and comment_id = ${id}`
        const [{ reports }] = yield* Effect.orDie(decodeReports(rows))
        if (reports !== reportLimit) return
        yield* sql`
          update comments set pending = true where club_id = ${club_id} and id = ${id} and author <> 'staff'`
      })

      const report = Effect.fn("CommentMarks.report")(
        (student: StudentViewer, id: CommentId, reason: string | null) =>
          marking(student, id, file(student, id, reason))
      )

      return CommentMarks.of({ react, unreact, save, unsave, report })
    })
  )
}
