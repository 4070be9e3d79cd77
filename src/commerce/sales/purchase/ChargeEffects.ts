import { Context, type DateTime, Effect, Layer } from "effect"
import { Events } from "../../../events/Events.ts"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { Enrollments } from "../../../membership/access/Enrollments.ts"
import type { AccessCause, NewGrant, SaleEnrollment } from "../../../membership/access/NewGrant.ts"
import type { AppliedMapping } from "../mapping/Mapping.ts"
import {
  accessSteps,
  type ChargeTimes,
  type EffectCounts,
  effectsBetween,
  type PurchaseRow,
  statusOf
} from "./Purchase.ts"
import { latestCharge, type SubscriptionRow } from "./Subscription.ts"
import { SubscriptionAccess } from "./SubscriptionAccess.ts"
import { Subscriptions } from "./Subscriptions.ts"
import { SubscriptionsRepo } from "./SubscriptionsRepo.ts"

/** A charge before and after a fact, and the data that the effects depend on. The fact is stored already. */
interface ChargeChange {
  readonly club_id: ClubId
  readonly cause: AccessCause
  /** When the fact happened. */
  readonly at: DateTime.Utc
  readonly before: ChargeTimes
  readonly after: PurchaseRow
  readonly mapped: ReadonlyArray<AppliedMapping>
  readonly subscription: SubscriptionRow | null
}

/** The access that a paid purchase gives, one that belongs to no subscription. */
export const grantsOf = (
  { id, student_id }: Pick<PurchaseRow, "id" | "student_id">,
  mapped: ReadonlyArray<AppliedMapping>
): ReadonlyArray<NewGrant> =>
  mapped.filter(({ archived }) => !archived).map(({ access_days, cohort_id, delivery_id }) => ({
    student_id,
    delivery_id,
    cohort_id,
    source: "purchase",
    purchase_id: id,
    access_days
  }))

/** The events and the access that follow from a fact about a charge. In the caller's transaction. */
export class ChargeEffects extends Context.Service<ChargeEffects, {
  follow(change: ChargeChange): Effect.Effect<void>
}>()("turma/commerce/sales/purchase/ChargeEffects") {
  static readonly layer = Layer.effect(
    ChargeEffects,
    Effect.gen(function*() {
      const access = yield* SubscriptionAccess
      const enrollments = yield* Enrollments
      const events = yield* Events
      const repo = yield* SubscriptionsRepo
      const subscriptions = yield* Subscriptions

      const record = (
        type: "purchase.paid" | "purchase.refunded",
        { after: { id, student_id }, at, club_id }: ChargeChange
      ) => events.record(club_id, { type, student_id, purchase_id: id }, at)

      // A refund of an old charge does not take away the time that a later charge has paid for.
      const isLatestCharge = Effect.fnUntraced(function*({ after, club_id, subscription }: ChargeChange) {
        if (subscription === null) return true
        return latestCharge(yield* repo.charges(club_id, subscription.id))?.external_id === after.external_id
      })

      const grant = Effect.fnUntraced(function*(change: ChargeChange, isLatest: boolean) {
        const { after, cause, club_id, mapped, subscription } = change
        if (subscription !== null) {
          return yield* access.paid({ club_id, cause, subscription, purchase: after, mapped, isLatest })
        }
        yield* enrollments.grantAll(club_id, grantsOf(after, mapped), cause)
      })

      const reverse = Effect.fnUntraced(function*(
        change: ChargeChange,
        counts: EffectCounts,
        enrollment: SaleEnrollment
      ) {
        const { after, cause, club_id } = change
        const reason = statusOf(after) === "chargeback" ? "chargeback" as const : "refund" as const
        for (const step of accessSteps(enrollment.revoked_at !== null, counts)) {
          yield* step === "revoke"
            ? enrollments.revokeForSale(club_id, enrollment.id, reason, { ...cause, reason })
            : enrollments.restoreForSale(club_id, enrollment.id, cause)
        }
        // After a refund and a chargeback, in either order, the reason is the chargeback.
        if (statusOf(after) !== "paid") yield* enrollments.correctReason(club_id, enrollment.id, reason)
      })

      const reverseAll = Effect.fnUntraced(function*(change: ChargeChange, counts: EffectCounts) {
        const { after, before, club_id, subscription } = change
        if (
          after.paid_at === null || (counts.revoked + counts.restored === 0 && statusOf(before) === statusOf(after))
        ) {
          return
        }
        const sale = subscription === null ? { purchase_id: after.id } : { subscription_id: subscription.id }
        const ofSale = yield* enrollments.ofSale(club_id, sale)
        // A won dispute does not restore access that the staff has revoked.
        const revocable = ofSale.filter(({ revoke_reason }) =>
          revoke_reason !== "manual" && revoke_reason !== "student_removed"
        )
        yield* Effect.forEach(revocable, (enrollment) => reverse(change, counts, enrollment), { discard: true })
      })

      // The cancellation may have come before the charge. Then the access that was just granted or restored ends as the
      // cancellation says, unless this charge shows a renewal.
      const updateState = Effect.fnUntraced(function*(
        { cause, club_id, subscription }: ChargeChange,
        isGranted: boolean
      ) {
        if (subscription === null) return
        const state = yield* subscriptions.updateState(club_id, subscription)
        if (!isGranted) return
        if (state.status === "canceled") return yield* access.canceled(club_id, subscription, state, cause)
        if (subscription.cancellations_told > 0) yield* access.resumed(club_id, subscription, state, cause)
      })

      const follow = Effect.fnUntraced(function*(change: ChargeChange) {
        const counts = effectsBetween(change.before, change.after)
        const isLatest = yield* isLatestCharge(change)
        if (counts.paid > 0) {
          yield* record("purchase.paid", change)
          yield* grant(change, isLatest)
        }
        yield* Effect.replicateEffect(record("purchase.refunded", change), counts.refunded, { discard: true })
        if (isLatest) yield* reverseAll(change, counts)
        yield* updateState(change, counts.paid > 0 || (isLatest && counts.restored > 0))
      })

      return ChargeEffects.of({ follow })
    })
  )
}
