import { Context, type DateTime, Effect, Layer } from "effect"
import { Events } from "../../../events/Events.ts"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { Enrollments } from "../../../membership/access/Enrollments.ts"
import type { Cause, HeldEnrollment } from "../../../membership/access/Grant.ts"
import type { AppliedMapping } from "../mapping/Mapping.ts"
import { type PurchaseRow, since, statusOf, stepsOf, type Story, type Times } from "./Purchase.ts"
import { latestOf, type SubscriptionRow } from "./Subscription.ts"
import { SubscriptionAccess } from "./SubscriptionAccess.ts"
import { Subscriptions } from "./Subscriptions.ts"
import { SubscriptionsRepo } from "./SubscriptionsRepo.ts"

/** A charge before and after a fact, written down, and what its consequences depend on. */
interface Change {
  readonly club_id: ClubId
  readonly cause: Cause
  /** When the fact happened. */
  readonly at: DateTime.Utc
  readonly before: Times
  readonly after: PurchaseRow
  readonly mapped: ReadonlyArray<AppliedMapping>
  readonly subscription: SubscriptionRow | null
}

/** The events and the access that follow from what is told of a charge. In the caller's transaction. */
export class ChargeEffects extends Context.Service<ChargeEffects, {
  follow(change: Change): Effect.Effect<void>
}>()("turma/sales/ChargeEffects") {
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
        { after: { id, student_id }, at, club_id }: Change
      ) => events.record(club_id, { type, student_id, purchase_id: id }, at)

      // A refund of an old charge takes nothing away that a later one has paid for.
      const isLatestCharge = Effect.fnUntraced(function*({ after, club_id, subscription }: Change) {
        if (subscription === null) return true
        return latestOf(yield* repo.charges(club_id, subscription.id))?.external_id === after.external_id
      })

      const grant = Effect.fnUntraced(function*(change: Change, isLatest: boolean) {
        const { after: { id, student_id }, after, cause, club_id, mapped, subscription } = change
        if (subscription !== null) {
          return yield* access.paid({ club_id, cause, subscription, purchase: after, mapped, isLatest })
        }
        const grants = mapped.filter(({ archived }) => !archived).map(({ access_days, cohort_id, delivery_id }) => ({
          student_id,
          delivery_id,
          cohort_id,
          source: "purchase" as const,
          purchase_id: id,
          access_days
        }))
        yield* enrollments.grantAll(club_id, grants, cause)
      })

      const reverse = Effect.fnUntraced(function*(change: Change, story: Story, held: HeldEnrollment) {
        const { after, cause, club_id } = change
        const reason = statusOf(after) === "chargeback" ? "chargeback" as const : "refund" as const
        for (const step of stepsOf(held.revoked_at !== null, story)) {
          yield* step === "revoke"
            ? enrollments.revokeForSale(club_id, held.id, reason, { ...cause, reason })
            : enrollments.restoreForSale(club_id, held.id, cause)
        }
        // Lost to a refund and then charged back, it is lost to the chargeback, in whichever order they came.
        if (statusOf(after) !== "paid") yield* enrollments.correctReason(club_id, held.id, reason)
      })

      const reverseAll = Effect.fnUntraced(function*(change: Change, story: Story) {
        const { after, before, club_id, subscription } = change
        if (after.paid_at === null || (story.revoked + story.restored === 0 && statusOf(before) === statusOf(after))) {
          return
        }
        const sale = subscription === null ? { purchase_id: after.id } : { subscription_id: subscription.id }
        const held = yield* enrollments.ofSale(club_id, sale)
        // What staff has taken away is not given back by a dispute that is won.
        const ours = held.filter(({ revoke_reason }) =>
          revoke_reason !== "manual" && revoke_reason !== "student_removed"
        )
        yield* Effect.forEach(ours, (enrollment) => reverse(change, story, enrollment), { discard: true })
      })

      // What was just granted or given back ends as the cancellation says that was told before, unless this charge shows
      // that it was taken back.
      const stand = Effect.fnUntraced(function*({ cause, club_id, subscription }: Change, given: boolean) {
        if (subscription === null) return
        const standing = yield* subscriptions.stand(club_id, subscription)
        if (!given) return
        if (standing.status === "canceled") return yield* access.canceled(club_id, subscription, standing, cause)
        if (subscription.cancellations_told > 0) yield* access.resumed(club_id, subscription, standing, cause)
      })

      const follow = Effect.fnUntraced(function*(change: Change) {
        const story = since(change.before, change.after)
        const isLatest = yield* isLatestCharge(change)
        if (story.paid > 0) {
          yield* record("purchase.paid", change)
          yield* grant(change, isLatest)
        }
        yield* Effect.replicateEffect(record("purchase.refunded", change), story.refunded, { discard: true })
        if (isLatest) yield* reverseAll(change, story)
        yield* stand(change, story.paid > 0 || (isLatest && story.restored > 0))
      })

      return ChargeEffects.of({ follow })
    })
  )
}
