import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type Statement } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { dayZoneOf } from "../../identity/people/DayZone.ts"
import { texts, uuids } from "../../platform/sql/Arrays.ts"
import { PooledRandomLayer } from "../../platform/sql/PooledRandom.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { dailyCaps, type RuleAction, type UncappedAction } from "./Gamification.ts"

const decodePaid = rows(Schema.Struct({ points: Schema.Int }))

/** An action of a student that is paid once for each origin. */
export interface RewardedAction<Action extends RuleAction = RuleAction> {
  readonly action: Action
  /** The lesson, the course, the quiz's or assignment's block, the comment, the post, the live: a UUID. */
  readonly origin_id: string
}

/** Points for students' actions (contract, PointAction). */
export class Awards extends Context.Service<Awards, {
  /**
   * Pays by the club's rule, once for each student, action and origin, and answers the points. They are 0 if it was
   * paid before, the rule is off, the day's cap is reached or gamification is off. Days are the club's. One statement.
   *
   * Joins the caller's transaction, which has locked the student's row (`StudentLocks.lock`). So nobody else pays this
   * student while it counts today's payments.
   */
  award(club_id: ClubId, student_id: StudentId, action: RewardedAction): Effect.Effect<number>
  /**
   * The same for several actions as an `insert`, for the `with` of a statement that has locked the student (`locking`).
   * It returns the `points` of each action that it pays, and pays nothing if the condition does not hold. Not for
   * actions with a cap: it would miss payments between the start of the statement and its lock.
   */
  paying(
    club_id: ClubId,
    student_id: StudentId,
    actions: ReadonlyArray<RewardedAction<UncappedAction>>,
    condition: Statement.Fragment
  ): Effect.Effect<Statement.Fragment>
}>()("turma/learning/gamification/Awards") {
  static readonly layer = Layer.effect(
    Awards,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom

      const insert = Effect.fnUntraced(function*(
        club_id: ClubId,
        student_id: StudentId,
        actions: ReadonlyArray<RewardedAction>,
        created_at: Date,
        condition: Statement.Fragment
      ) {
        const ids = yield* Effect.forEach(actions, () => random.uuidV7())
        return sql`
          insert into point_entries (club_id, id, student_id, action, origin_id, points, created_at)
          select g.club_id, done.id, ${student_id}::uuid, r.action, done.origin_id, r.points, ${created_at}::timestamptz
          from unnest(
            ${uuids(ids)}, ${texts(actions.map(({ action }) => action))},
            ${uuids(actions.map(({ origin_id }) => origin_id))}
          ) as done (id, action, origin_id)
          join gamification g on g.club_id = ${club_id} and g.enabled
          join gamification_rules r on r.club_id = g.club_id and r.action = done.action and r.points > 0
          where ${condition}
          on conflict on constraint point_entries_origin_key do nothing
          returning points`
      }, Effect.orDie)

      // No day has 48 hours, even when the clocks change. The time zone says which of the last 48 are today's.
      const isBelowCap = (student_id: StudentId, { action }: RewardedAction, created_at: Date) => {
        const cap = dailyCaps[action]
        const zone = sql`(${dayZoneOf(sql, sql`c`, created_at)})`
        return cap === undefined
          ? sql`true`
          : sql`(
            select count(*) from point_entries p join clubs c on c.id = p.club_id
            where p.club_id = g.club_id and p.student_id = ${student_id} and p.action = ${action}
              and p.action in ('comment_posted', 'post_published')
              and p.created_at > ${created_at}::timestamptz - interval '48 hours'
              and (p.created_at at time zone ${zone})::date = (${created_at}::timestamptz at time zone ${zone})::date
          ) < ${cap}`
      }

      const nowAsDate = Effect.map(DateTime.now, DateTime.toDateUtc)

      const award = Effect.fnUntraced(function*(club_id: ClubId, student_id: StudentId, action: RewardedAction) {
        const now = yield* nowAsDate
        const entry = yield* insert(club_id, student_id, [action], now, isBelowCap(student_id, action, now))
        const [paid] = yield* decodePaid(entry)
        return paid?.points ?? 0
      })

      return Awards.of({
        award,
        paying: (club_id, student_id, actions, condition) =>
          Effect.flatMap(nowAsDate, (now) => insert(club_id, student_id, actions, now, condition))
      })
    })
  ).pipe(Layer.provide(PooledRandomLayer))
}
