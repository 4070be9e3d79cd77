import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { StudentLocks } from "../../identity/students/StudentLocks.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { hasItem } from "../../membership/access/ItemAccess.ts"
import { answersAbout } from "../../platform/http/AnswerSubject.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { afterCursor, type InvalidCursor, type PageAnswer, pageOf, type PageRequest } from "../../platform/http/Page.ts"
import { InstantOrNull } from "../../platform/schema/Instant.ts"
import { uuids } from "../../platform/sql/Arrays.ts"
import { faultsDie, rows } from "../../platform/sql/Rows.ts"
import { AccessibleBlocks } from "../content/AccessibleBlocks.ts"
import type { BlockId } from "../content/Block.ts"
import { type LessonLocked, lockedUntilThen } from "../content/LessonLocked.ts"
import { clubZone, lockedFor } from "../content/LessonOpening.ts"
import { Attachments, type MediaUnknown } from "../media/Attachments.ts"
import { MediaId } from "../media/Media.ts"
import {
  type CreateSubmission,
  storedSubmission,
  type Submission,
  SubmissionApproved,
  SubmissionId,
  SubmissionPending,
  SubmissionStatus
} from "./Submission.ts"
import { withMedia } from "./SubmissionMedia.ts"

const Row = Schema.Struct({ ...storedSubmission, media_ids: Schema.Array(MediaId) })
/** `submission` is null in the one row of an assignment to which nothing was submitted. */
const decodePlaced = rows(Schema.Struct({
  submission: Schema.NullOr(Schema.toCodecJson(Row)),
  locked_until: InstantOrNull,
  time_zone: Schema.String
}))
const decodeStatuses = rows(Schema.Struct({ status: SubmissionStatus }))

/** Why a submission is refused. */
type SubmissionRefused =
  | LessonLocked
  | MediaUnknown
  | NotFound
  | StudentRemoved
  | SubmissionApproved
  | SubmissionPending

/**
 * The submissions of students to assignments. `NotFound`: the assignment does not exist, its lesson is not live, or the
 * student does not have its course.
 */
export class Submissions extends Context.Service<Submissions, {
  /** A further submission is accepted only after a rejection. */
  submit(
    club_id: ClubId,
    student_id: StudentId,
    block_id: BlockId,
    submission: CreateSubmission
  ): Effect.Effect<Submission, SubmissionRefused>
  /** The student's own, newest first. */
  list(
    club_id: ClubId,
    student_id: StudentId,
    block_id: BlockId,
    page: PageRequest
  ): Effect.Effect<PageAnswer<Submission>, InvalidCursor | LessonLocked | NotFound>
}>()("turma/learning/classroom/Submissions") {
  static readonly layer = Layer.effect(
    Submissions,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const blocks = yield* AccessibleBlocks
      const attachments = yield* Attachments
      const students = yield* StudentLocks

      const ofBlock = (club_id: ClubId, student_id: StudentId, block_id: BlockId) =>
        sql`club_id = ${club_id} and student_id = ${student_id} and block_id = ${block_id}`

      /** Decisions lock the student too. So the submission that blocks this one still does when it is read. */
      const refuse = Effect.fnUntraced(function*(club_id: ClubId, student_id: StudentId, block_id: BlockId) {
        const [latest] = yield* sql`
          select status from submissions where ${ofBlock(club_id, student_id, block_id)} and status <> 'rejected'
        `.pipe(decodeStatuses)
        return yield* latest?.status === "approved" ? new SubmissionApproved() : new SubmissionPending()
      })

      const insert = Effect.fnUntraced(function*(
        club_id: ClubId,
        student_id: StudentId,
        block_id: BlockId,
        { body, media_ids = [] }: CreateSubmission
      ) {
        yield* students.lock(club_id, student_id)
        yield* attachments.check(club_id, { student_id, purpose: "submission", ids: media_ids, images: false })
        const id = SubmissionId.make(yield* Effect.orDie(random.uuidV7()))
        const created_at = yield* DateTime.now
        const row = { id, block_id, body, status: "pending" as const }
        const inserted = yield* sql`
          insert into submissions
          ${sql.insert({ ...row, club_id, student_id, created_at: DateTime.toDateUtc(created_at) })}
          on conflict (club_id, student_id, block_id) where status <> 'rejected' do nothing returning 1`
        if (inserted.length === 0) return yield* refuse(club_id, student_id, block_id)
        if (media_ids.length > 0) {
          yield* sql`
            insert into submission_media (club_id, submission_id, media_id, position)
            select ${club_id}::uuid, ${id}::uuid, media_id, position
            from unnest(${uuids(media_ids)}) with ordinality as attached (media_id, position)`
        }
        return { ...row, feedback: null, reviewed_at: null, created_at, media_ids }
      }, sql.withTransaction)

      const submit = Effect.fn("Submissions.submit")(
        function*(club_id: ClubId, student_id: StudentId, block_id: BlockId, sent: CreateSubmission) {
          const { kind } = yield* blocks.find(club_id, student_id, block_id)
          if (kind !== "assignment") return yield* new NotFound()
          yield* answersAbout(student_id)
          const stored = yield* insert(club_id, student_id, block_id, sent)
          const [submission] = yield* withMedia(attachments, club_id, [stored])
          return submission ?? (yield* new NotFound())
        },
        faultsDie
      )

      const list = Effect.fn("Submissions.list")(function*(
        club_id: ClubId,
        student_id: StudentId,
        block_id: BlockId,
        { cursor, limit }: PageRequest
      ) {
        const before = yield* afterCursor(cursor)
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const holder = { club_id, student_id, now }
        const lesson = { module: sql`m`, lesson: sql`l`, course: sql`l.course_id` }
        const placed = yield* sql`
            select own.submission, ${lockedFor(sql, holder, lesson)} as locked_until,
              ${clubZone(sql, club_id)} as time_zone
            from blocks b
            join lessons l on l.club_id = b.club_id and l.id = b.lesson_id
            join modules m on m.club_id = l.club_id and m.id = l.module_id
            left join lateral (
              select s.id, jsonb_build_object(
                'id', s.id, 'block_id', s.block_id, 'body', s.body, 'status', s.status, 'feedback', s.feedback,
                'reviewed_at', s.reviewed_at, 'created_at', s.created_at, 'media_ids', coalesce((
                  select jsonb_agg(sm.media_id order by sm.position) from submission_media sm
                  where sm.club_id = s.club_id and sm.submission_id = s.id
                ), '[]')
              ) as submission
              from submissions s
              where ${ofBlock(club_id, student_id, block_id)}
                and ${Option.match(before, { onNone: () => sql`true`, onSome: (id) => sql`s.id < ${id}` })}
              order by s.id desc limit ${limit + 1}
            ) own on true
            where b.club_id = ${club_id} and b.id = ${block_id} and b.kind = 'assignment' and b.deleted_at is null
              and l.deleted_at is null and l.published_at <= ${now}
              and ${hasItem(sql, holder, "course", sql`l.course_id`)}
            order by own.id desc`.pipe(decodePlaced)
        const [first] = placed
        if (first === undefined) return yield* new NotFound()
        if (first.locked_until !== null) return yield* lockedUntilThen(first.locked_until, first.time_zone)
        const page = pageOf(placed.flatMap(({ submission }) => submission ?? []), limit)
        return { ...page, data: yield* withMedia(attachments, club_id, page.data) }
      })

      return Submissions.of({ submit, list })
    })
  ).pipe(Layer.provide([AccessibleBlocks.layer, StudentLocks.layer, NodeCrypto.layerSecureRandom]))
}
