import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { UserId } from "../../identity/ids/UserId.ts"
import { NotFound } from "../../platform/http/errors.ts"
import { firstOr, one, rows } from "../../platform/sql/Rows.ts"
import { Gamification } from "./Gamification.ts"
import { ladderColumn } from "./GamificationRepo.ts"
import { type Adjustment, PointEntry, type PointEntryId } from "./PointEntry.ts"

const StandingRow = Schema.Struct({
  enabled: Schema.Boolean,
  total: Schema.Int,
  levels: Gamification.fields.levels
})

const decodeStanding = firstOr(StandingRow, () => new NotFound())
const decodeEntry = one(PointEntry)
const decodeEntries = rows(PointEntry)

/** A new adjustment. */
interface NewAdjustment extends Adjustment {
  readonly club_id: ClubId
  readonly student_id: StudentId
  readonly id: PointEntryId
  readonly actor_user_id: UserId
  readonly created_at: DateTime.Utc
}

/**
 * The ledger `point_entries`, and `point_totals`, which always equals it. Reads `students` only to find out whether
 * there is such a student.
 */
export class PointsRepo extends Context.Service<PointsRepo, {
  /** The total of a student and the ladder of their club, in one statement. `NotFound`: no such student in the club. */
  standing(club_id: ClubId, student_id: StudentId): Effect.Effect<typeof StandingRow.Type, NotFound>
  /** The newest entries first, from the one before `before` on. */
  entries(
    club_id: ClubId,
    student_id: StudentId,
    page: { readonly before: Option.Option<string>; readonly limit: number }
  ): Effect.Effect<ReadonlyArray<PointEntry>>
  /** Called in a transaction that has locked the student's row. */
  insertAdjustment(adjustment: NewAdjustment): Effect.Effect<PointEntry>
}>()("turma/learning/gamification/PointsRepo") {
  static readonly layer = Layer.effect(
    PointsRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const columns = sql`id, action, origin_id, points, reason, actor_user_id, created_at`

      // A float8 is exact far beyond the range of an integer.
      const standing = Effect.fn("PointsRepo.standing")(function*(club_id: ClubId, student_id: StudentId) {
        return yield* sql`
          select g.enabled,
            coalesce((
              select t.total::float8 from point_totals t where t.club_id = s.club_id and t.student_id = s.id
            ), 0) as total,
            ${ladderColumn(sql, sql`s.club_id`)} as levels
          from students s join gamification g on g.club_id = s.club_id
          where s.club_id = ${club_id} and s.id = ${student_id}`.pipe(decodeStanding)
      })

      const entries = Effect.fn("PointsRepo.entries")(function*(
        club_id: ClubId,
        student_id: StudentId,
        { before, limit }: { readonly before: Option.Option<string>; readonly limit: number }
      ) {
        const older = Option.match(before, { onNone: () => sql`true`, onSome: (id) => sql`id < ${id}` })
        return yield* sql`
          select ${columns} from point_entries
          where club_id = ${club_id} and student_id = ${student_id} and ${older}
          order by id desc limit ${limit}`.pipe(decodeEntries)
      })

      const insertAdjustment = Effect.fn("PointsRepo.insertAdjustment")(function*(entry: NewAdjustment) {
        return yield* audited((audit) =>
          sql`
            ${audit.with}
            insert into point_entries (
              club_id, id, student_id, action, origin_id, points, reason, actor_user_id, created_at
            )
            values (${entry.club_id}, ${entry.id}, ${entry.student_id}, 'adjustment', ${entry.id}, ${entry.points},
              ${entry.reason}, ${entry.actor_user_id}, ${DateTime.toDateUtc(entry.created_at)})
            returning ${columns}`
        ).pipe(decodeEntry)
      })

      return PointsRepo.of({ standing, entries, insertAdjustment })
    })
  )
}
