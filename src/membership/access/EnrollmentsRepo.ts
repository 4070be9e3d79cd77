import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Context, DateTime, Effect, Layer, type Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { audited } from "../../identity/audit/AuditFragment.ts"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { StudentId } from "../../identity/ids/StudentId.ts"
import { first, rows } from "../../platform/sql/Rows.ts"
import type { AccessChange } from "./AccessChange.ts"
import { AccessEvent, AccessEventId, Enrollment, type EnrollmentId } from "./Enrollment.ts"
import type { AccessCause, SaleEnrollment } from "./NewGrant.ts"

const { active: _, ...stored } = Enrollment.fields

const Row = Schema.Struct({ ...stored, student_id: StudentId, lapse_noted: Schema.Boolean })
/** An enrollment with the names of its delivery and cohort. */
export type EnrollmentRow = typeof Row.Type

/** The sale that enrollments belong to. */
type Sale = { readonly purchase_id: string } | { readonly subscription_id: string }

const Removed = Schema.Struct({ removed: Schema.Boolean })
const decodeRemoved = first(Removed)
const decodeRows = rows(Row)
const decodeRow = first(Row)
const decodeEvents = rows(AccessEvent)

/** The most enrollments of a student, and entries of the history, in a list: the newest. */
const listLimit = 500

/**
 * The tables `enrollments` and `access_events`. Also locks rows of `students` and reads whether they were removed, and
 * reads the names of deliveries and cohorts. Everything runs in the caller's transaction.
 */
export class EnrollmentsRepo extends Context.Service<EnrollmentsRepo, {
  /**
   * Locks the student of this enrollment until the transaction ends. An enrollment never changes its student. Empty if
   * the enrollment does not exist.
   */
  lockStudentOf(club_id: ClubId, id: EnrollmentId): Effect.Effect<Option.Option<typeof Removed.Type>>
  find(club_id: ClubId, id: EnrollmentId): Effect.Effect<Option.Option<EnrollmentRow>>
  /** Locks the enrollment until the transaction ends. The student must be locked before. */
  lock(club_id: ClubId, id: EnrollmentId): Effect.Effect<Option.Option<EnrollmentRow>>
  /** The same for all of a sale, in the order of their ids. */
  lockSale(club_id: ClubId, sale: Sale): Effect.Effect<ReadonlyArray<SaleEnrollment>>
  /** True if another active or scheduled enrollment gives the student this delivery. */
  hasAnother(
    club_id: ClubId,
    enrollment: Pick<EnrollmentRow, "id" | "student_id" | "delivery_id">,
    now: DateTime.Utc
  ): Effect.Effect<boolean>
  /** Newest first. */
  ofStudent(club_id: ClubId, student_id: StudentId): Effect.Effect<ReadonlyArray<EnrollmentRow>>
  /** Newest first. */
  historyOf(club_id: ClubId, student_id: StudentId): Effect.Effect<ReadonlyArray<AccessEvent>>
  /** Changes the reason of a revocation by a refund or a chargeback; does nothing to others. */
  correctReason(club_id: ClubId, id: EnrollmentId, reason: "refund" | "chargeback"): Effect.Effect<void>
  /** Writes a change and its entry in the history, in one statement. */
  write(
    club_id: ClubId,
    id: EnrollmentId,
    change: AccessChange,
    cause: AccessCause,
    now: DateTime.Utc
  ): Effect.Effect<void>
}>()("turma/membership/access/EnrollmentsRepo") {
  static readonly layer = Layer.effect(
    EnrollmentsRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const newEventId = Effect.map(random.uuidV7(), (id) => AccessEventId.make(id))

      const selectWithNames = sql`
        select e.id, e.student_id, e.delivery_id, d.name as delivery_name, e.source, e.starts_at, e.created_at,
          e.expires_at, e.revoked_at, e.revoke_reason, e.cohort_id, c.name as cohort_name, e.lapse_noted
        from enrollments e
        join deliveries d on d.club_id = e.club_id and d.id = e.delivery_id
        left join cohorts c on c.club_id = e.club_id and c.id = e.cohort_id`

      const lockStudentOf = Effect.fn("EnrollmentsRepo.lockStudentOf")(function*(club_id: ClubId, id: EnrollmentId) {
        return yield* sql`
          select removed_at is not null as removed from students
          where club_id = ${club_id} and id = (
            select student_id from enrollments where club_id = ${club_id} and id = ${id}
          ) for no key update`.pipe(decodeRemoved)
      })

      const find = Effect.fn("EnrollmentsRepo.find")(function*(club_id: ClubId, id: EnrollmentId) {
        return yield* sql`${selectWithNames} where e.club_id = ${club_id} and e.id = ${id}`.pipe(decodeRow)
      })

      const lock = Effect.fn("EnrollmentsRepo.lock")(function*(club_id: ClubId, id: EnrollmentId) {
        return yield* sql`
          ${selectWithNames} where e.club_id = ${club_id} and e.id = ${id} for no key update of e`.pipe(decodeRow)
      })

      const lockSale = Effect.fn("EnrollmentsRepo.lockSale")(function*(club_id: ClubId, sale: Sale) {
        const ofSale = "purchase_id" in sale
          ? sql`e.purchase_id = ${sale.purchase_id}`
          : sql`e.subscription_id = ${sale.subscription_id}`
        return yield* sql`${selectWithNames} where e.club_id = ${club_id} and ${ofSale} order by e.id for no key update of e`
          .pipe(decodeRows)
      })

      const hasAnother = Effect.fn("EnrollmentsRepo.hasAnother")(
        function*(
          club_id: ClubId,
          { delivery_id, id, student_id }: Pick<EnrollmentRow, "id" | "student_id" | "delivery_id">,
          now: DateTime.Utc
        ) {
          const rows = yield* sql`
            select 1 from enrollments
            where club_id = ${club_id} and student_id = ${student_id} and delivery_id = ${delivery_id} and id <> ${id}
              and revoked_at is null and (expires_at is null or expires_at > ${DateTime.toDateUtc(now)})
            limit 1`
          return rows.length > 0
        },
        Effect.orDie
      )

      const ofStudent = Effect.fn("EnrollmentsRepo.ofStudent")(function*(club_id: ClubId, student_id: StudentId) {
        return yield* sql`
          ${selectWithNames} where e.club_id = ${club_id} and e.student_id = ${student_id} order by e.id desc limit ${listLimit}`
          .pipe(decodeRows)
      })

      const historyOf = Effect.fn("EnrollmentsRepo.historyOf")(function*(club_id: ClubId, student_id: StudentId) {
        return yield* sql`
          select id, enrollment_id, kind, occurred_at, effective_expires_at, reason, actor_user_id, platform_event_id
          from access_events where club_id = ${club_id} and student_id = ${student_id}
          order by id desc limit ${listLimit}`.pipe(decodeEvents)
      })

      const correctReason = Effect.fn("EnrollmentsRepo.correctReason")(
        function*(club_id: ClubId, id: EnrollmentId, reason: "refund" | "chargeback") {
          yield* sql`
            update enrollments set revoke_reason = ${reason}
            where club_id = ${club_id} and id = ${id} and revoke_reason in ('refund', 'chargeback')
              and revoke_reason <> ${reason}`
        },
        Effect.orDie
      )

      const write = Effect.fn("EnrollmentsRepo.write")(
        function*(
          club_id: ClubId,
          id: EnrollmentId,
          { kind, state }: AccessChange,
          cause: AccessCause,
          now: DateTime.Utc
        ) {
          const { cohort_id, expires_at, lapse_noted, revoke_reason, revoked_at } = state
          const event_id = yield* newEventId
          yield* audited((audit) =>
            sql`
              with ${audit.before} changed as (
                update enrollments set
                  cohort_id = ${cohort_id},
                  expires_at = ${expires_at && DateTime.toDateUtc(expires_at)},
                  revoked_at = ${revoked_at && DateTime.toDateUtc(revoked_at)},
                  revoke_reason = ${revoke_reason},
                  lapse_noted = ${lapse_noted}
                where club_id = ${club_id} and id = ${id}
                returning club_id, student_id, id, expires_at
              )
              insert into access_events (
                club_id, id, student_id, enrollment_id, kind, occurred_at, effective_expires_at, reason, actor_user_id,
                platform_event_id
              )
              select club_id, ${event_id}::uuid, student_id, id, ${kind},
              ${DateTime.toDateUtc(now)}::timestamptz, expires_at,
                ${cause.reason ?? null}::text, ${cause.actor_user_id ?? null}::uuid,
                ${cause.platform_event_id ?? null}::uuid
              from changed`
          )
        },
        Effect.orDie
      )

      return EnrollmentsRepo.of({
        lockStudentOf,
        find,
        lock,
        lockSale,
        hasAnother,
        ofStudent,
        historyOf,
        correctReason,
        write
      })
    })
  ).pipe(Layer.provide(NodeCrypto.layerSecureRandom))
}
