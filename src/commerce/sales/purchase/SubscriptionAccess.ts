import { Context, DateTime, Effect, Layer } from "effect"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { Enrollments } from "../../../membership/access/Enrollments.ts"
import type { Cause, HeldEnrollment } from "../../../membership/access/Grant.ts"
import { Catalog } from "../../../membership/catalog/Catalog.ts"
import type { AppliedMapping } from "../mapping/Mapping.ts"
import type { PurchaseRow } from "./Purchase.ts"
import type { Standing, SubscriptionRow } from "./Subscription.ts"

/** A charge that was paid, and what it gives. */
interface Paid {
  readonly club_id: ClubId
  readonly subscription: SubscriptionRow
  readonly purchase: PurchaseRow
  readonly mapped: ReadonlyArray<AppliedMapping>
  readonly cause: Cause
  /** Whether no later charge is paid. */
  readonly isLatest: boolean
}

/** Taken away for a reason that a payment undoes. */
const isLost = ({ revoke_reason }: HeldEnrollment) =>
  revoke_reason === "refund" || revoke_reason === "chargeback" || revoke_reason === "subscription_canceled"

/** Of a charge whose period is over already, the access began when it was paid: it is over, too. */
const periodOf = ({ paid_at, period_end }: PurchaseRow, now: DateTime.Utc) => {
  if (period_end === null) return {}
  const isOver = DateTime.isLessThanOrEqualTo(period_end, now)
  return { expires_at: period_end, starts_at: isOver && paid_at !== null ? paid_at : undefined }
}

/** The access that a subscription gives, and how charges and cancellations change it. In the caller's transaction. */
export class SubscriptionAccess extends Context.Service<SubscriptionAccess, {
  /** Grants what the subscription has not given yet, and carries on what it has. */
  paid(paid: Paid): Effect.Effect<void>
  /**
   * Contract, subscription.canceled: with the end in the future access lasts until then, else it ends now. Where neither
   * charge nor cancellation names an end, what was paid for is what the mapping's days give: access keeps its own end,
   * and ends now only if it has none.
   */
  canceled(
    club_id: ClubId,
    subscription: SubscriptionRow,
    standing: Standing,
    cause: Cause
  ): Effect.Effect<void>
  /** A charge that is told of late shows that a cancellation had been taken back: access is what was paid for. */
  resumed(
    club_id: ClubId,
    subscription: SubscriptionRow,
    standing: Standing,
    cause: Cause
  ): Effect.Effect<void>
}>()("turma/sales/SubscriptionAccess") {
  static readonly layer = Layer.effect(
    SubscriptionAccess,
    Effect.gen(function*() {
      const catalog = yield* Catalog
      const enrollments = yield* Enrollments

      const daysOf = Effect.fnUntraced(
        function*({ club_id, mapped }: Paid, { delivery_id }: HeldEnrollment) {
          const mapping = mapped.find((mapping) => mapping.delivery_id === delivery_id)
          if (mapping?.access_days != null) return mapping.access_days
          const [terms] = yield* catalog.terms(club_id, [{ delivery_id, cohort_id: null }])
          return terms?.default_access_days ?? null
        }
      )

      // A period that the platform names is compared with the end; told of late it changes nothing and is still an
      // extension. Days are added to the end, or to now where that is over.
      const carryOn = Effect.fnUntraced(function*(paid: Paid, held: HeldEnrollment) {
        const { cause, club_id, isLatest, purchase: { period_end } } = paid
        if (held.revoked_at !== null && isLost(held) && isLatest) {
          yield* enrollments.restoreForSale(club_id, held.id, cause)
        }
        if (held.expires_at === null) return
        if (period_end === null) {
          const days = yield* daysOf(paid, held)
          const from = DateTime.max(held.expires_at, yield* DateTime.now)
          if (days !== null) yield* enrollments.endAt(club_id, held.id, DateTime.add(from, { days }), cause)
        } else if (DateTime.isLessThan(period_end, held.expires_at)) {
          yield* enrollments.noteExtension(club_id, held.id, period_end, cause)
        } else yield* enrollments.endAt(club_id, held.id, period_end, cause)
      })

      const paid = Effect.fnUntraced(function*(paid: Paid) {
        const { cause, club_id, mapped, purchase, subscription } = paid
        const held = yield* enrollments.ofSale(club_id, { subscription_id: subscription.id })
        const period = periodOf(purchase, yield* DateTime.now)
        const given = new Set(held.map(({ delivery_id }) => delivery_id))
        const grants = mapped.filter(({ archived, delivery_id }) => !archived && !given.has(delivery_id)).map((
          mapping
        ) => ({
          ...period,
          student_id: subscription.student_id,
          delivery_id: mapping.delivery_id,
          cohort_id: mapping.cohort_id,
          source: "subscription" as const,
          subscription_id: subscription.id,
          access_days: mapping.access_days
        }))
        if (grants.length > 0) yield* enrollments.grantAll(club_id, grants, cause)
        yield* Effect.forEach(held, (enrollment) => carryOn(paid, enrollment), { discard: true })
      })

      const canceled = Effect.fnUntraced(
        function*(club_id: ClubId, { id }: SubscriptionRow, { current_period_end }: Standing, cause: Cause) {
          const now = yield* DateTime.now
          const lasts = current_period_end !== null && DateTime.isGreaterThan(current_period_end, now)
          const held = yield* enrollments.ofSale(club_id, { subscription_id: id })
          const reason = "subscription_canceled"
          const end = (enrollment: HeldEnrollment) =>
            lasts
              ? enrollments.endAt(club_id, enrollment.id, current_period_end, { ...cause, reason })
              : enrollments.revokeForSale(club_id, enrollment.id, reason, { ...cause, reason })
          const hasOwnEnd = ({ expires_at }: HeldEnrollment) => current_period_end === null && expires_at !== null
          const ending = held.filter((one) => one.revoked_at === null && !hasOwnEnd(one))
          yield* Effect.forEach(ending, end, { discard: true })
        }
      )

      const resumed = Effect.fnUntraced(
        function*(club_id: ClubId, { id }: SubscriptionRow, { current_period_end: end }: Standing, cause: Cause) {
          for (
            const { expires_at, id: enrollment_id, revoke_reason } of yield* enrollments.ofSale(club_id, {
              subscription_id: id
            })
          ) {
            if (revoke_reason === "subscription_canceled") {
              yield* enrollments.restoreForSale(club_id, enrollment_id, cause)
            }
            const isLess = expires_at !== null && end !== null && DateTime.isLessThan(expires_at, end)
            if (isLess) yield* enrollments.endAt(club_id, enrollment_id, end, cause)
          }
        }
      )

      return SubscriptionAccess.of({ paid, canceled, resumed })
    })
  )
}
