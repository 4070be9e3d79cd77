import { Context, DateTime, Effect, Layer } from "effect"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { Enrollments } from "../../../membership/access/Enrollments.ts"
import type { AccessCause, SaleEnrollment } from "../../../membership/access/NewGrant.ts"
import { GrantableDeliveries } from "../../../membership/catalog/GrantableDeliveries.ts"
import type { AppliedMapping } from "../mapping/Mapping.ts"
import type { PurchaseRow } from "./Purchase.ts"
import type { SubscriptionRow, SubscriptionState } from "./Subscription.ts"

/** A paid charge, and the access that it gives. */
interface PaidCharge {
  readonly club_id: ClubId
  readonly subscription: SubscriptionRow
  readonly purchase: PurchaseRow
  readonly mapped: ReadonlyArray<AppliedMapping>
  readonly cause: AccessCause
  /** True if no later charge is paid. */
  readonly isLatest: boolean
}

/** True if it was revoked for a reason that a payment undoes. */
const isUndoneByPayment = ({ revoke_reason }: SaleEnrollment) =>
  revoke_reason === "refund" || revoke_reason === "chargeback" || revoke_reason === "subscription_canceled"

/** If the charge's period is over already, the access starts when it was paid, and is over as well. */
const periodOf = ({ paid_at, period_end }: PurchaseRow, now: DateTime.Utc) => {
  if (period_end === null) return {}
  const isOver = DateTime.isLessThanOrEqualTo(period_end, now)
  return { expires_at: period_end, starts_at: isOver && paid_at !== null ? paid_at : undefined }
}

/** The access that a subscription gives, and how charges and cancellations change it. In the caller's transaction. */
export class SubscriptionAccess extends Context.Service<SubscriptionAccess, {
  /** Grants the missing deliveries of the subscription, and extends those that it has given. */
  paid(paid: PaidCharge): Effect.Effect<void>
  /**
   * Contract, subscription.canceled: access lasts until the period's end if that is in the future, else it ends now. If
   * neither charge nor cancellation names an end, the mapping's days decide. Then access keeps its own end, and ends
   * now only if it has no end.
   */
  canceled(
    club_id: ClubId,
    subscription: SubscriptionRow,
    state: SubscriptionState,
    cause: AccessCause
  ): Effect.Effect<void>
  /** A late charge shows that a cancellation was withdrawn: access lasts for the paid time. */
  resumed(
    club_id: ClubId,
    subscription: SubscriptionRow,
    state: SubscriptionState,
    cause: AccessCause
  ): Effect.Effect<void>
}>()("turma/commerce/sales/purchase/SubscriptionAccess") {
  static readonly layer = Layer.effect(
    SubscriptionAccess,
    Effect.gen(function*() {
      const catalog = yield* GrantableDeliveries
      const enrollments = yield* Enrollments

      const daysOf = Effect.fnUntraced(function*({ club_id, mapped }: PaidCharge, { delivery_id }: SaleEnrollment) {
        const mapping = mapped.find((mapping) => mapping.delivery_id === delivery_id)
        if (mapping?.access_days != null) return mapping.access_days
        const [terms] = yield* catalog.terms(club_id, [{ delivery_id, cohort_id: null }])
        return terms?.default_access_days ?? null
      })

      // A period that the platform names is compared with the end: an earlier one changes nothing and is only noted as an
      // extension. Days are added to the end, or to now if that has passed.
      const extend = Effect.fnUntraced(function*(paid: PaidCharge, enrollment: SaleEnrollment) {
        const { cause, club_id, isLatest, purchase: { period_end } } = paid
        if (enrollment.revoked_at !== null && isUndoneByPayment(enrollment) && isLatest) {
          yield* enrollments.restoreForSale(club_id, enrollment.id, cause)
        }
        if (enrollment.expires_at === null) return
        if (period_end === null) {
          const days = yield* daysOf(paid, enrollment)
          const from = DateTime.max(enrollment.expires_at, yield* DateTime.now)
          if (days !== null) yield* enrollments.endAt(club_id, enrollment.id, DateTime.add(from, { days }), cause)
        } else if (DateTime.isLessThan(period_end, enrollment.expires_at)) {
          yield* enrollments.noteExtension(club_id, enrollment.id, period_end, cause)
        } else yield* enrollments.endAt(club_id, enrollment.id, period_end, cause)
      })

      const paid = Effect.fnUntraced(function*(paid: PaidCharge) {
        const { cause, club_id, mapped, purchase, subscription } = paid
        const existing = yield* enrollments.ofSale(club_id, { subscription_id: subscription.id })
        const period = periodOf(purchase, yield* DateTime.now)
        const given = new Set(existing.map(({ delivery_id }) => delivery_id))
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
        yield* Effect.forEach(existing, (enrollment) => extend(paid, enrollment), { discard: true })
      })

      const canceled = Effect.fnUntraced(function*(
        club_id: ClubId,
        { id }: SubscriptionRow,
        { current_period_end }: SubscriptionState,
        cause: AccessCause
      ) {
        const now = yield* DateTime.now
        const isAhead = current_period_end !== null && DateTime.isGreaterThan(current_period_end, now)
        const existing = yield* enrollments.ofSale(club_id, { subscription_id: id })
        const reason = "subscription_canceled"
        const end = (enrollment: SaleEnrollment) =>
          isAhead
            ? enrollments.endAt(club_id, enrollment.id, current_period_end, { ...cause, reason })
            : enrollments.revokeForSale(club_id, enrollment.id, reason, { ...cause, reason })
        const hasOwnEnd = ({ expires_at }: SaleEnrollment) => current_period_end === null && expires_at !== null
        const ending = existing.filter((enrollment) => enrollment.revoked_at === null && !hasOwnEnd(enrollment))
        yield* Effect.forEach(ending, end, { discard: true })
      })

      const resumed = Effect.fnUntraced(function*(
        club_id: ClubId,
        { id }: SubscriptionRow,
        { current_period_end: end }: SubscriptionState,
        cause: AccessCause
      ) {
        for (
          const { expires_at, id: enrollment_id, revoke_reason } of yield* enrollments.ofSale(club_id, {
            subscription_id: id
          })
        ) {
          if (revoke_reason === "subscription_canceled") {
            yield* enrollments.restoreForSale(club_id, enrollment_id, cause)
          }
          const endsEarlier = expires_at !== null && end !== null && DateTime.isLessThan(expires_at, end)
          if (endsEarlier) yield* enrollments.endAt(club_id, enrollment_id, end, cause)
        }
      })

      return SubscriptionAccess.of({ paid, canceled, resumed })
    })
  )
}
