import { DateTime, Order, Schema } from "effect"
import { StudentId } from "../../../identity/ids/StudentId.ts"
import { brandedId } from "../../../platform/schema/brandedId.ts"
import { InstantOrNull } from "../../../platform/schema/Instant.ts"
import { SubscriptionId } from "./Subscription.ts"

/** UUIDv7. */
export const PurchaseId = brandedId("PurchaseId")
export type PurchaseId = typeof PurchaseId.Type

/** The status of a charge. */
export const PurchaseStatus = Schema.Literals(["paid", "refunded", "chargeback"])
export type PurchaseStatus = typeof PurchaseStatus.Type

const Text = Schema.NullOr(Schema.String)

/** One charge, as a row. The last four times come from the platform, in any order; null: not yet. */
export const PurchaseRow = Schema.Struct({
  id: PurchaseId,
  student_id: StudentId,
  subscription_id: Schema.NullOr(SubscriptionId),
  external_id: Schema.String,
  product_external_id: Schema.String,
  product_name: Text,
  offer_external_id: Text,
  amount_cents: Schema.NullOr(Schema.Int),
  currency: Text,
  payment_method: Text,
  recurrence: Schema.NullOr(Schema.Int),
  lateness_key: Text,
  period_end: InstantOrNull,
  paid_at: InstantOrNull,
  refunded_at: InstantOrNull,
  charged_back_at: InstantOrNull,
  dispute_won_at: InstantOrNull
})
export type PurchaseRow = typeof PurchaseRow.Type

/** The times that a charge's facts have named. */
export type ChargeTimes = Pick<PurchaseRow, "paid_at" | "refunded_at" | "charged_back_at" | "dispute_won_at">

/** No fact has come yet. */
export const noTimes: ChargeTimes = { paid_at: null, refunded_at: null, charged_back_at: null, dispute_won_at: null }

/** The time that a fact of this kind names. */
export const timeFieldOf = {
  approved: "paid_at",
  refunded: "refunded_at",
  chargeback: "charged_back_at",
  dispute_won: "dispute_won_at"
} as const

const earlier = Order.min(DateTime.Order)

/** The times with one more fact. Of two facts of a kind the earlier time counts, so their order does not matter. */
export const withFact = (times: ChargeTimes, kind: keyof typeof timeFieldOf, at: DateTime.Utc): ChargeTimes => {
  const { charged_back_at, dispute_won_at, paid_at, refunded_at } = times
  const before = times[timeFieldOf[kind]]
  const time = before === null ? at : earlier(before, at)
  return { charged_back_at, dispute_won_at, paid_at, refunded_at, [timeFieldOf[kind]]: time }
}

/** A chargeback lasts until the club wins the dispute, and outweighs a refund. Without either the charge is paid. */
export const statusOf = ({ charged_back_at, dispute_won_at, refunded_at }: ChargeTimes): PurchaseStatus => {
  if (charged_back_at !== null && dispute_won_at === null) return "chargeback"
  return refunded_at === null ? "paid" : "refunded"
}

/** How often each effect of a charge has happened. */
export interface EffectCounts {
  /** `purchase.paid`, and access granted. */
  readonly paid: number
  /** `purchase.refunded`: each time the money went back. */
  readonly refunded: number
  readonly revoked: number
  readonly restored: number
}

/**
 * The counts depend on the facts, not on their order, and more facts only make them larger. So in any order, the
 * differences from one fact to the next add up to the same events. A refund and a chargeback are one
 * `purchase.refunded`, unless a won dispute separates them. Only access that was granted is revoked.
 */
export const effectsOf = ({ charged_back_at, dispute_won_at, paid_at, refunded_at }: ChargeTimes): EffectCounts => {
  const paid = paid_at === null ? 0 : 1
  const chargebacks = charged_back_at === null ? 0 : 1
  const won = charged_back_at === null || dispute_won_at === null ? 0 : 1
  const refunded = chargebacks + (refunded_at !== null && chargebacks === won ? 1 : 0)
  return { paid, refunded, revoked: paid * refunded, restored: paid * won }
}

/** The effects of the facts from `before` to `after`. */
export const effectsBetween = (before: ChargeTimes, after: ChargeTimes): EffectCounts => {
  const [from, to] = [effectsOf(before), effectsOf(after)]
  return {
    paid: to.paid - from.paid,
    refunded: to.refunded - from.refunded,
    revoked: to.revoked - from.revoked,
    restored: to.restored - from.restored
  }
}

/**
 * The next steps for an access, which is revoked (`lost`) or not: revocations and restorations, one after another.
 * Omits a step that the staff has already made by hand.
 */
export const accessSteps = (lost: boolean, { restored, revoked }: Pick<EffectCounts, "restored" | "revoked">) => {
  const steps: Array<"revoke" | "restore"> = []
  let [isLost, revocations, restorations] = [lost, revoked, restored]
  while (isLost ? restorations > 0 : revocations > 0) {
    steps.push(isLost ? "restore" : "revoke")
    if (isLost) restorations -= 1
    else revocations -= 1
    isLost = !isLost
  }
  return steps
}
