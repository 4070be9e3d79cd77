import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type SqlError } from "effect/sql"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { StudentId } from "../../identity/ids/StudentId.ts"
import { instants, texts, uuids } from "../../platform/sql/Arrays.ts"
import type { CohortId, DeliveryId } from "../catalog/Delivery.ts"
import { EnrollmentId, type EnrollmentSource } from "./Enrollment.ts"
import type { Cause } from "./Grant.ts"
import type { Period } from "./Period.ts"

/** An enrollment that is to be, unless the student has the delivery. */
export interface NewEnrollment extends Period {
  readonly id: EnrollmentId
  readonly student_id: StudentId
  readonly delivery_id: DeliveryId
  readonly cohort_id: CohortId | null
  readonly source: EnrollmentSource
  readonly purchase_id: string | null
  readonly subscription_id: string | null
}

/** What became of a `NewEnrollment`. */
export type Inserted = "granted" | "already_enrolled" | "student_removed"

const decodeOutcomes = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: EnrollmentId, granted: Schema.Boolean, removed: Schema.Boolean }))
)

/** New rows of `enrollments` and `access_events`. Of students it asks whether they were removed. */
export class GrantsRepo extends Context.Service<GrantsRepo, {
  /**
   * With the history, in one statement of the caller's transaction; no two of them are of the same place. Purchases and
   * subscriptions have each their own; of the other sources, none where the student has the delivery. Free ones are given
   * once in a life, and a registration link gives nothing back that a member took away. Fails where the delivery or the
   * cohort was deleted at this moment.
   */
  insert(
    club_id: ClubId,
    enrollments: ReadonlyArray<NewEnrollment>,
    cause: Cause,
    now: DateTime.Utc
  ): Effect.Effect<ReadonlyMap<EnrollmentId, Inserted>, SqlError.SqlError>
}>()("turma/access/GrantsRepo") {
  static readonly layerNoDeps = Layer.effect(
    GrantsRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom

      /** The grants as rows, each with the id of its line in the history. */
      const asked = (club_id: ClubId, enrollments: ReadonlyArray<NewEnrollment>, event_ids: ReadonlyArray<string>) =>
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
            ${instants(enrollments.map(({ expires_at }) => expires_at))}
          ) as a (
            id, event_id, student_id, delivery_id, cohort_id, source, purchase_id, subscription_id, starts_at, expires_at
          )
          join students s on s.club_id = ${club_id} and s.id = a.student_id`

      /** Of `asked`, what the student does not have. */
      const added = (club_id: ClubId, at: Date) =>
        sql`
          insert into enrollments (
            club_id, id, student_id, delivery_id, cohort_id, source, purchase_id, subscription_id, starts_at, expires_at,
            created_at
          )
          select ${club_id}::uuid, id, student_id, delivery_id, cohort_id, source, purchase_id, subscription_id, starts_at,
            expires_at, ${at}::timestamptz
          from asked
          where not removed and (source in ('purchase', 'subscription') or not exists (
            select 1 from enrollments e
            where e.club_id = ${club_id} and e.student_id = asked.student_id and e.delivery_id = asked.delivery_id
              and (
                e.revoked_at is null and (e.expires_at is null or e.expires_at > ${at})
                or asked.source = 'registration_link' and e.revoke_reason = 'manual'
              )
          ))
          order by id
          on conflict do nothing
          returning id`

      /** The history of `added`. */
      const noted = (club_id: ClubId, at: Date, { actor_user_id, platform_event_id, reason }: Cause) =>
        sql`
          insert into access_events (
            club_id, id, student_id, enrollment_id, kind, occurred_at, effective_expires_at, reason, actor_user_id,
            platform_event_id
          )
          select ${club_id}::uuid, event_id, student_id, id, 'granted', ${at}::timestamptz, expires_at,
            ${reason ?? null}::text, ${actor_user_id ?? null}::uuid, ${platform_event_id ?? null}::uuid
          from asked join added using (id)`

      const insert = Effect.fn("GrantsRepo.insert")(
        function*(club_id: ClubId, enrollments: ReadonlyArray<NewEnrollment>, cause: Cause, now: DateTime.Utc) {
          const at = DateTime.toDateUtc(now)
          const event_ids = yield* Effect.forEach(enrollments, () => random.uuidV7())
          const rows = yield* sql`
            with asked as (${asked(club_id, enrollments, event_ids)}), added as (${added(club_id, at)}),
              noted as (${noted(club_id, at, cause)})
            select asked.id, added.id is not null as granted, removed from asked left join added using (id)`
          const outcomes = yield* decodeOutcomes(rows)
          return new Map(outcomes.map(({ granted, id, removed }): [EnrollmentId, Inserted] => [
            id,
            granted ? "granted" : removed ? "student_removed" : "already_enrolled"
          ]))
        },
        Effect.catchTag("SchemaError", Effect.die)
      )

      return GrantsRepo.of({ insert })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}
