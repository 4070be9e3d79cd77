import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type SqlError } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import type { QueuedWork } from "../../platform/jobs/QueuedWork.ts"
import { instants, texts, uuids } from "../../platform/sql/Arrays.ts"
import type { CohortId, DeliveryId } from "../catalog/Delivery.ts"
import { EnrollmentId, type EnrollmentSource } from "./Enrollment.ts"
import type { AccessCause } from "./NewGrant.ts"
import type { Period } from "./Period.ts"

/** An enrollment to insert, unless the student has the delivery. */
export interface NewEnrollment extends Period {
  readonly id: EnrollmentId
  readonly student_id: StudentId
  readonly delivery_id: DeliveryId
  readonly cohort_id: CohortId | null
  readonly source: EnrollmentSource
  readonly purchase_id: string | null
  readonly subscription_id: string | null
  /** As in `NewGrant`. */
  readonly platform_event_id?: string | undefined
  /** As in `NewGrant`. */
  readonly work?: QueuedWork | undefined
}

/** The result of a `NewEnrollment`. */
type InsertOutcome = "granted" | "already_enrolled" | "student_removed"

const decodeOutcomes = Schema
  .decodeUnknownEffect(Schema
    .Array(Schema.Struct({ id: EnrollmentId, granted: Schema.Boolean, removed: Schema.Boolean })))

/** Inserts rows of `enrollments` and `access_events`. Reads of `students` whether they were removed. */
export class GrantsRepo extends Context.Service<GrantsRepo, {
  /**
   * Inserts enrollments with their history, in one statement of the caller's transaction. No two of them may be for the
   * same delivery and student or sale. Each purchase and subscription has its own. From other sources nothing is
   * inserted if the student has the delivery. Free ones are granted once per student, and a registration link does not
   * grant an access that a member revoked. Fails if the delivery or the cohort was deleted at this moment.
   */
  insert(
    club_id: ClubId,
    enrollments: ReadonlyArray<NewEnrollment>,
    cause: AccessCause,
    now: DateTime.Utc
  ): Effect.Effect<ReadonlyMap<EnrollmentId, InsertOutcome>, SqlError.SqlError>
}>()("turma/membership/access/GrantsRepo") {
  static readonly layer = Layer.effect(
    GrantsRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom

      /** The enrollments as rows, each with the id of its entry in the history. */
      const requested = (
        club_id: ClubId,
        enrollments: ReadonlyArray<NewEnrollment>,
        event_ids: ReadonlyArray<string>
      ) =>
        sql`
          select a.*, s.removed_at is not null as removed
          from unnest(
            ${uuids(enrollments.map(({ id }) => id))}, ${uuids(event_ids)},
            ${uuids(enrollments.map(({ student_id }) => student_id))},
            ${uuids(enrollments.map(({ delivery_id }) => delivery_id))},
            ${uuids(enrollments.map(({ cohort_id }) => cohort_id))},
            ${texts(enrollments.map(({ source }) => source))},
            ${uuids(enrollments.map(({ purchase_id }) => purchase_id))},
            ${uuids(enrollments.map(({ subscription_id }) => subscription_id))},
            ${instants(enrollments.map(({ starts_at }) => starts_at))},
            ${instants(enrollments.map(({ expires_at }) => expires_at))},
            ${uuids(enrollments.map(({ platform_event_id = null }) => platform_event_id))}
          ) as a (
            id, event_id, student_id, delivery_id, cohort_id, source, purchase_id, subscription_id, starts_at, expires_at,
            platform_event_id
          )
          join students s on s.club_id = ${club_id} and s.id = a.student_id`

      /** Inserts those of `requested` that the student does not have. */
      const inserted = (club_id: ClubId, at: Date) =>
        sql`
          insert into enrollments (
            club_id, id, student_id, delivery_id, cohort_id, source, purchase_id, subscription_id, starts_at, expires_at,
            created_at
          )
          select ${club_id}::uuid, id, student_id, delivery_id, cohort_id, source, purchase_id, subscription_id, starts_at,
            expires_at, ${at}::timestamptz
          from requested
          where not removed and (source in ('purchase', 'subscription') or not exists (
            select 1 from enrollments e
            where e.club_id = ${club_id} and e.student_id = requested.student_id and e.delivery_id = requested.delivery_id
              and (
                e.revoked_at is null and (e.expires_at is null or e.expires_at > ${at})
                or requested.source = 'registration_link' and e.revoke_reason = 'manual'
              )
          ))
          order by id
          on conflict do nothing
          returning id`

      /** Inserts the history of `inserted`. */
      const recorded = (club_id: ClubId, at: Date, { actor_user_id, platform_event_id, reason }: AccessCause) =>
        sql`
          insert into access_events (
            club_id, id, student_id, enrollment_id, kind, occurred_at, effective_expires_at, reason, actor_user_id,
            platform_event_id
          )
          select ${club_id}::uuid, event_id, student_id, id, 'granted', ${at}::timestamptz, expires_at,
            ${reason ?? null}::text, ${actor_user_id ?? null}::uuid,
            coalesce(platform_event_id, ${platform_event_id ?? null}::uuid)
          from requested join inserted using (id)`

      const insert = Effect.fn("GrantsRepo.insert")(
        function*(club_id: ClubId, enrollments: ReadonlyArray<NewEnrollment>, cause: AccessCause, now: DateTime.Utc) {
          const at = DateTime.toDateUtc(now)
          const event_ids = yield* Effect.forEach(enrollments, () => random.uuidV7())
          const rows = yield* audited((audit) =>
            sql`
              with ${audit.before} requested as (${requested(club_id, enrollments, event_ids)}), inserted as (
              ${inserted(club_id, at)}),
                recorded as (${recorded(club_id, at, cause)})
              select requested.id, inserted.id is not null as granted, removed from requested left join inserted using (id)`
          )
          const outcomes = yield* decodeOutcomes(rows)
          return new Map(outcomes.map(({ granted, id, removed }): [EnrollmentId, InsertOutcome] => [
            id,
            granted ? "granted" : removed ? "student_removed" : "already_enrolled"
          ]))
        },
        Effect.catchTag("SchemaError", Effect.die)
      )

      return GrantsRepo.of({ insert })
    })
  ).pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}
