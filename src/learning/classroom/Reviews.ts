import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import type { UserId } from "../../identity/ids/UserId.ts"
import { StudentLocks } from "../../identity/students/StudentLocks.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { Notifications } from "../../membership/notifications/Notifications.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { afterCursor, type InvalidCursor, type PageAnswer, pageOf, type PageRequest } from "../../platform/http/Page.ts"
import { bothAtOnce } from "../../platform/sql/AtOnce.ts"
import { scanning } from "../../platform/sql/ReadLane.ts"
import { faultsDie, firstOr, rows } from "../../platform/sql/Rows.ts"
import type { BlockId } from "../content/Block.ts"
import type { LessonId } from "../content/Lesson.ts"
import { Awards } from "../gamification/Awards.ts"
import { Attachments } from "../media/Attachments.ts"
import { MediaId } from "../media/Media.ts"
import {
  type Decision,
  type ReviewedSubmission,
  reviewedSubmission,
  SubmissionAlreadyReviewed,
  type SubmissionId,
  type SubmissionStatus
} from "./Submission.ts"
import { withMedia } from "./SubmissionMedia.ts"

const Row = Schema.Struct({ ...reviewedSubmission, media_ids: Schema.Array(MediaId) })
const decodeRows = rows(Row)
const decodeRow = firstOr(Row, () => new NotFound())
const decodeStudent = firstOr(Schema.Struct({ student_id: StudentId }), () => new NotFound())

/** The filters of the list. */
interface ReviewFilter {
  readonly status?: SubmissionStatus
  readonly block_id?: BlockId
  readonly lesson_id?: LessonId
  readonly student_id?: StudentId
}

/** The decision of a member of the staff. */
interface Review {
  readonly decision: Decision
  readonly feedback: string | null
  readonly reviewer_user_id: UserId
}

/** Submissions as the staff reads and decides them. `NotFound`: no such submission in this club. */
export class Reviews extends Context.Service<Reviews, {
  /** Newest first. */
  list(
    club_id: ClubId,
    asked: PageRequest & ReviewFilter
  ): Effect.Effect<PageAnswer<ReviewedSubmission>, InvalidCursor>
  get(club_id: ClubId, id: SubmissionId): Effect.Effect<ReviewedSubmission, NotFound>
  /**
   * Decides once. The same decision again changes nothing and returns the current state. Another decision is refused.
   * An approval pays `assignment_approved`, once for each student and block. The student is notified.
   */
  decide(
    club_id: ClubId,
    id: SubmissionId,
    review: Review
  ): Effect.Effect<ReviewedSubmission, NotFound | StudentRemoved | SubmissionAlreadyReviewed>
}>()("turma/learning/classroom/Reviews") {
  static readonly layer = Layer.effect(
    Reviews,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const attachments = yield* Attachments
      const awards = yield* Awards
      const students = yield* StudentLocks
      const notifications = yield* Notifications

      const submissions = sql`
        select s.id, s.block_id, s.body, s.status, s.feedback, s.reviewed_at, s.created_at, s.reviewer_user_id,
          jsonb_build_object('id', p.id, 'name', p.name, 'anonymized', p.removed_at is not null) as student,
          b.title as block_title,
          jsonb_build_object('id', l.id, 'public_id', l.public_id, 'title', l.title) as lesson,
          coalesce((
            select jsonb_agg(m.media_id order by m.position) from submission_media m
            where m.club_id = s.club_id and m.submission_id = s.id
          ), '[]') as media_ids
        from submissions s
        join students p on p.club_id = s.club_id and p.id = s.student_id
        join blocks b on b.club_id = s.club_id and b.id = s.block_id
        join lessons l on l.club_id = b.club_id and l.id = b.lesson_id`

      const find = Effect.fnUntraced(function*(club_id: ClubId, id: SubmissionId) {
        return yield* sql`${submissions} where s.club_id = ${club_id} and s.id = ${id}`.pipe(decodeRow)
      })

      const responseOf = Effect.fnUntraced(function*(club_id: ClubId, row: typeof Row.Type) {
        const [submission] = yield* withMedia(attachments, club_id, [row])
        return submission ?? (yield* new NotFound())
      })

      const list = Effect.fn("Reviews.list")(function*(
        club_id: ClubId,
        { block_id, cursor, lesson_id, limit, status, student_id }: PageRequest & ReviewFilter
      ) {
        const before = yield* afterCursor(cursor)
        const condition = sql.and([
          sql`s.club_id = ${club_id}`,
          ...status === undefined ? [] : [sql`s.status = ${status}`],
          ...block_id === undefined ? [] : [sql`s.block_id = ${block_id}`],
          ...student_id === undefined ? [] : [sql`s.student_id = ${student_id}`],
          ...Option.match(before, { onNone: () => [], onSome: (id) => [sql`s.id < ${id}`] })
        ])
        const newest = sql`order by s.id desc limit ${limit + 1}`
        // Reads the newest of each block of the lesson, instead of looking through all submissions for the few of one
        // lesson.
        const matching = lesson_id === undefined ? condition : sql`
            s.club_id = ${club_id} and s.id = any(array(
              select found.id from blocks b cross join lateral (
                select s.id from submissions s where s.block_id = b.id and ${condition} ${newest}
              ) found
              where b.club_id = ${club_id} and b.lesson_id = ${lesson_id}
            ))`
        const found = sql`${submissions} where ${matching} ${newest}`.pipe(decodeRows)
        // No index has those of one status in a lesson.
        const isScan = status !== undefined && (lesson_id ?? block_id) !== undefined
        const rows = yield* (isScan ? scanning(found) : found)
        const page = pageOf(rows, limit)
        return { ...page, data: yield* withMedia(attachments, club_id, page.data) }
      })

      const get = Effect.fn("Reviews.get")(function*(club_id: ClubId, id: SubmissionId) {
        return yield* responseOf(club_id, yield* find(club_id, id))
      })

      const studentOf = Effect.fnUntraced(function*(club_id: ClubId, id: SubmissionId) {
        const { student_id } = yield* sql`
          select student_id from submissions where club_id = ${club_id} and id = ${id}`.pipe(decodeStudent)
        return student_id
      })

      // Decisions lock the student first, so those on one submission come one after another.
      const settle = Effect.fnUntraced(function*(
        club_id: ClubId,
        id: SubmissionId,
        { decision, feedback, reviewer_user_id }: Review
      ) {
        const student_id = yield* studentOf(club_id, id)
        yield* students.lock(club_id, student_id)
        const reviewed_at = DateTime.toDateUtc(yield* DateTime.now)
        const [decided, row] = yield* bothAtOnce(
          audited((audit) =>
            sql`
              ${audit.with}
              update submissions set ${sql.update({ status: decision, feedback, reviewer_user_id, reviewed_at })}
              where club_id = ${club_id} and id = ${id} and status = 'pending' returning 1`
          ),
          find(club_id, id)
        )
        if (row.status !== decision) return yield* new SubmissionAlreadyReviewed()
        if (decided.length > 0 && decision === "approved") {
          yield* awards.award(club_id, student_id, { action: "assignment_approved", origin_id: row.block_id })
        }
        if (decided.length > 0) {
          yield* notifications.add(club_id, [{
            student_id,
            kind: "assignment_reviewed",
            actor: { user_id: reviewer_user_id },
            title: row.lesson.title,
            text: feedback,
            target: { lesson_public_id: row.lesson.public_id }
          }])
        }
        return row
      }, sql.withTransaction)

      const decide = Effect.fn("Reviews.decide")(
        function*(club_id: ClubId, id: SubmissionId, review: Review) {
          return yield* responseOf(club_id, yield* settle(club_id, id, review))
        },
        faultsDie
      )

      return Reviews.of({ list, get, decide })
    })
  ).pipe(Layer.provide([Awards.layer, Notifications.layer, StudentLocks.layer]))
}
