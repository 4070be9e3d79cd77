import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClubId } from "../../identity/ids/ClubId.ts"
import { LessonId } from "../../learning/content/Lesson.ts"
import { rows } from "../../platform/sql/Rows.ts"
import { lease } from "./changes/MaterialChanges.ts"
import { retryDelay } from "./changes/RetryDelay.ts"

/** A lesson that a worker has to itself until its lease runs out or the lesson changes. */
export const LessonClaim = Schema.Struct({
  club_id: ClubId,
  lesson_id: LessonId,
  /** The number of times the lesson was queued: a change during the claim ends it. */
  asked: Schema.Int,
  failures: Schema.Int,
  lease_id: Schema.String
})
export type LessonClaim = typeof LessonClaim.Type

/** When an indexed lesson is due again for its other documents, and the number of failures to store with it. */
export interface NextRun {
  readonly at: DateTime.Utc
  readonly failures: number
}

const decodeClaims = rows(LessonClaim)

/** The queue of changed lessons, as workers see it. `MaterialChanges` fills it. */
export class MaterialQueue extends Context.Service<MaterialQueue, {
  /** Claims one lesson that is due, if any, under a lease of this id. */
  claim(lease_id: string): Effect.Effect<ReadonlyArray<LessonClaim>>
  /**
   * Takes the lesson off the queue, or makes it wait for `next`, in the caller's transaction; false if the claim is
   * lost.
   */
  complete(claim: LessonClaim, next?: NextRun): Effect.Effect<boolean>
  /** Has a lesson that has failed wait, longer each time. */
  postpone(claim: LessonClaim): Effect.Effect<void>
}>()("turma/assistant/material/MaterialQueue") {
  static readonly layer = Layer.effect(
    MaterialQueue,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const until = (wait: Duration.Duration) =>
        Effect.map(DateTime.now, (now) => DateTime.toDateUtc(DateTime.addDuration(now, wait)))

      // Clubs take turns, so that one with thousands of lessons does not delay the others. Of the clubs with due
      // lessons, the one with the oldest last turn comes next. The query walks the queue club by club, not row by row.
      // Only the claimed row is locked: clubs are ordered without locks, and `limit 1` ends the join with the first row
      // that could be locked. An `order by` around the join would lock a row of each club first.
      const claim = Effect.fnUntraced(function*(lease_id: string) {
        const now = yield* until(Duration.zero)
        return yield* sql`
          with recursive club as (
            (select club_id from material_queue order by club_id limit 1)
            union all
            select (select q.club_id from material_queue q where q.club_id > club.club_id order by q.club_id limit 1)
            from club where club.club_id is not null
          ), turns as materialized (
            select due.club_id
            from club cross join lateral (
              select q.club_id, q.lesson_id, q.due_at from material_queue q
              where q.club_id = club.club_id and q.due_at <= ${now}
              order by q.due_at, q.lesson_id limit 1
            ) due left join material_turns t on t.club_id = due.club_id
            order by t.taken_at nulls first, due.due_at, due.lesson_id
          ), turn as materialized (
            select due.club_id, due.lesson_id
            from turns cross join lateral (
              select q.club_id, q.lesson_id from material_queue q
              where q.club_id = turns.club_id and q.due_at <= ${now}
              order by q.due_at, q.lesson_id limit 1 for update skip locked
            ) due limit 1
          ), taken as (
            update material_queue q set lease_id = ${lease_id}, due_at = ${yield* until(lease)}
            from turn where q.club_id = turn.club_id and q.lesson_id = turn.lesson_id
            returning q.club_id, q.lesson_id, q.asked, q.failures, q.lease_id
          ), noted as (
            insert into material_turns (club_id, taken_at) select club_id, ${now}::timestamptz from taken
            on conflict (club_id) do update set taken_at = excluded.taken_at
          )
          select * from taken`.pipe(decodeClaims)
      })

      const isClaimed = ({ asked, club_id, lease_id, lesson_id }: LessonClaim) =>
        sql`club_id = ${club_id} and lesson_id = ${lesson_id} and asked = ${asked} and lease_id = ${lease_id}`

      const complete = Effect.fnUntraced(function*(claim: LessonClaim, next?: NextRun) {
        const completed = next === undefined
          ? yield* sql`delete from material_queue where ${isClaimed(claim)} returning 1`
          : yield* sql`
            update material_queue
            set due_at = ${DateTime.toDateUtc(next.at)}, failures = ${next.failures}, lease_id = null
            where ${isClaimed(claim)} returning 1`
        return completed.length > 0
      }, Effect.orDie)

      const postpone = Effect.fnUntraced(function*(claim: LessonClaim) {
        const failures = claim.failures + 1
        yield* sql`
          update material_queue set failures = ${failures}, due_at = ${yield* until(retryDelay(failures))}
          where ${isClaimed(claim)}`
      }, Effect.orDie)

      return MaterialQueue.of({ claim, complete, postpone })
    })
  )
}
