import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { PooledRandomLayer } from "../../platform/sql/PooledRandom.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { dailyCaps, type RuleAction } from "./Gamification.ts"

const decodePaid = rows(Schema.Struct({ points: Schema.Int }))

/** An action of a student that is paid once for each origin. */
export interface RewardedAction {
  readonly action: RuleAction
  /** The lesson, the course, the quiz's or assignment's block, the comment, the post, the live: a UUID. */
  readonly origin_id: string
}

/** Points for what students do (contract, PointAction). */
export class Awards extends Context.Service<Awards, {
  /**
   * Pays what the club's rule says, once for each student, action and origin, and answers the points: 0 if it was paid
   * before, the rule is off, the day's cap is reached or gamification is off. Days are the club's. Joins the caller's
   * transaction, which has locked the student's row (`StudentLocks.lock`), so that nobody else pays this student while
   * today's payments are counted. One statement.
   */
  award(club_id: ClubId, student_id: StudentId, action: RewardedAction): Effect.Effect<number>
}>()("turma/learning/gamification/Awards") {
  static readonly layerNoDeps = Layer.effect(
    Awards,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom

      const award = Effect.fnUntraced(
        function*(club_id: ClubId, student_id: StudentId, { action, origin_id }: RewardedAction) {
          const id = yield* random.uuidV7()
          const created_at = DateTime.toDateUtc(yield* DateTime.now)
          const cap = dailyCaps[action]
          // No day has 48 hours, even when the clocks change. The time zone says which of the last 48 are today's.
          const isBelowCap = cap === undefined
            ? sql`true`
            : sql`(
              select count(*) from point_entries p
              where p.club_id = g.club_id and p.student_id = ${student_id} and p.action = ${action}
                and p.action in ('comment_posted', 'post_published')
                and p.created_at > ${created_at}::timestamptz - interval '48 hours'
                and (p.created_at at time zone c.time_zone)::date = (${created_at}::timestamptz at time zone c.time_zone)::date
            ) < ${cap}`
          const [paid] = yield* sql`
            insert into point_entries (club_id, id, student_id, action, origin_id, points, created_at)
            select g.club_id, ${id}::uuid, ${student_id}::uuid, r.action, ${origin_id}::uuid, r.points,
              ${created_at}::timestamptz
            from gamification g
            join gamification_rules r on r.club_id = g.club_id and r.action = ${action}
            join clubs c on c.id = g.club_id
            where g.club_id = ${club_id} and g.enabled and r.points > 0 and ${isBelowCap}
            on conflict on constraint point_entries_origin_key do nothing
            returning points`.pipe(decodePaid)
          return paid?.points ?? 0
        },
        Effect.orDie
      )

      return Awards.of({ award })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(PooledRandomLayer))
}
