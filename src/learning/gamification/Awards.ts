import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { dailyCaps, type RuleAction } from "./Gamification.ts"

const decodePaid = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ points: Schema.Int })))

/** What a student did, once for each origin. */
export interface Deed {
  readonly action: RuleAction
  /** The lesson, the course, the quiz's or assignment's block, the comment, the post, the live: a UUID. */
  readonly origin_id: string
}

/** Points for what students do (contract, PointAction). */
export class Awards extends Context.Service<Awards, {
  /**
   * Pays what the club's rule says, once for each student, action and origin, and answers the points: 0 where it was
   * paid before, the rule is off, the day's cap is reached or gamification is off. Days are the club's. Joins the
   * caller's transaction, which holds the student's row (`StudentRows.hold`): so what was paid today is counted by nobody
   * else at the same time. One statement.
   */
  award(club_id: ClubId, student_id: StudentId, deed: Deed): Effect.Effect<number>
}>()("turma/gamification/Awards") {
  static readonly layerNoDeps = Layer.effect(
    Awards,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom

      const award = Effect.fn("Awards.award")(
        function*(club_id: ClubId, student_id: StudentId, { action, origin_id }: Deed) {
          const id = yield* random.uuidV7()
          const created_at = DateTime.toDateUtc(yield* DateTime.now)
          const cap = dailyCaps[action]
          // No day has 48 hours, whatever the clocks do; which of the last ones are today's, the time zone says.
          const isBelowCap = cap === undefined
            ? sql`true`
            : sql`(
              select count(*) from point_entries p
              where p.club_id = g.club_id and p.student_id = ${student_id} and p.action = ${action}
                and p.action in ('comment_posted', 'post_published')
                and p.created_at > ${created_at}::timestamptz - interval '48 hours'
                and (p.created_at at time zone c.time_zone)::date = (${created_at}::timestamptz at time zone c.time_zone)::date
            ) < ${cap}`
          const rows = yield* sql`
            insert into point_entries (club_id, id, student_id, action, origin_id, points, created_at)
            select g.club_id, ${id}::uuid, ${student_id}::uuid, r.action, ${origin_id}::uuid, r.points,
              ${created_at}::timestamptz
            from gamification g
            join gamification_rules r on r.club_id = g.club_id and r.action = ${action}
            join clubs c on c.id = g.club_id
            where g.club_id = ${club_id} and g.enabled and r.points > 0 and ${isBelowCap}
            on conflict on constraint point_entries_origin_key do nothing
            returning points`
          const [paid] = yield* decodePaid(rows)
          return paid?.points ?? 0
        },
        Effect.orDie
      )

      return Awards.of({ award })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}
