import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { creates } from "../../identity/audit/NewAuditEntry.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { UserId } from "../../identity/ids/UserId.ts"
import { StudentLocks } from "../../identity/students/StudentLocks.ts"
import type { StudentRemoved } from "../../identity/students/StudentRemoved.ts"
import { answersAbout } from "../../platform/http/AnswerSubject.ts"
import type { NotFound } from "../../platform/http/errors.ts"
import { afterCursor, type InvalidCursor, pageOf, type PageRequest } from "../../platform/http/Page.ts"
import { faultsDie } from "../../platform/sql/Rows.ts"
import { levelOf, standingOf } from "./Ladder.ts"
import {
  type Adjustment,
  type PointEntry,
  PointEntryId,
  type StatementPage,
  type StudentStanding
} from "./PointEntry.ts"
import { PointsRepo } from "./PointsRepo.ts"

/**
 * The points of students. The total is stored with the ledger and the level is computed from it, so a new ladder
 * changes everybody's level at once. `NotFound`: no such student in this club.
 */
export class Points extends Context.Service<Points, {
  standing(club_id: ClubId, student_id: StudentId): Effect.Effect<StudentStanding, NotFound>
  statement(
    club_id: ClubId,
    student_id: StudentId,
    page: PageRequest
  ): Effect.Effect<StatementPage, InvalidCursor | NotFound>
  /** The same for the student: what the staff wrote for itself, why and who, is null. */
  ownStatement(
    club_id: ClubId,
    student_id: StudentId,
    page: PageRequest
  ): Effect.Effect<StatementPage, InvalidCursor | NotFound>
  adjust(
    club_id: ClubId,
    student_id: StudentId,
    actor_user_id: UserId,
    adjustment: Adjustment
  ): Effect.Effect<PointEntry, NotFound | StudentRemoved>
}>()("turma/learning/gamification/Points") {
  static readonly layer = Layer.effect(
    Points,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* PointsRepo
      const students = yield* StudentLocks
      const random = yield* SecureRandom.SecureRandom

      const standing = Effect.fn("Points.standing")(function*(club_id: ClubId, student_id: StudentId) {
        const { enabled, levels, total } = yield* repo.standing(club_id, student_id)
        const { level, next } = standingOf(levels, total)
        return { enabled, points: total, level, next_level: next, levels }
      })

      const statement = Effect.fn("Points.statement")(function*(
        club_id: ClubId,
        student_id: StudentId,
        { cursor, limit }: PageRequest
      ) {
        const before = yield* afterCursor(cursor)
        const [{ levels, total }, rows] = yield* Effect.all([
          repo.standing(club_id, student_id),
          repo.entries(club_id, student_id, { before, limit: limit + 1 })
        ], { concurrency: "unbounded" })
        const { data: entries, next_cursor } = pageOf(rows, limit)
        return { data: { total, level: levelOf(levels, total), entries }, next_cursor }
      })

      const ownStatement = Effect.fn("Points.ownStatement")(function*(
        club_id: ClubId,
        student_id: StudentId,
        page: PageRequest
      ) {
        const { data, next_cursor } = yield* statement(club_id, student_id, page)
        const entries = data.entries.map((entry) => ({ ...entry, reason: null, actor_user_id: null }))
        return { data: { ...data, entries }, next_cursor }
      })

      const adjust = Effect.fn("Points.adjust")(
        function*(club_id: ClubId, student_id: StudentId, actor_user_id: UserId, adjustment: Adjustment) {
          yield* answersAbout(student_id)
          yield* students.lock(club_id, student_id)
          const id = PointEntryId.make(yield* random.uuidV7())
          yield* creates(id)
          const created_at = yield* DateTime.now
          return yield* repo.insertAdjustment({ ...adjustment, id, club_id, student_id, actor_user_id, created_at })
        },
        sql.withTransaction,
        faultsDie
      )

      return Points.of({ standing, statement, ownStatement, adjust })
    })
  ).pipe(Layer.provide([PointsRepo.layer, StudentLocks.layer, NodeCrypto.layerSecureRandom]))
}
