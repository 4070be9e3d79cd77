import { DateTime, Order, Schema } from "effect"
import { StudentId } from "../../../identity/ids/StudentId.ts"
import { SubscriptionId } from "./Subscription.ts"

/** UUIDv7. */
export const PurchaseId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("PurchaseId"))
export type PurchaseId = typeof PurchaseId.Type

/** What a charge has come to. */
export const PurchaseStatus = Schema.Literals(["paid", "refunded", "chargeback"])
export type PurchaseStatus = typeof PurchaseStatus.Type

const Text = Schema.NullOr(Schema.String)
const Moment = Schema.NullOr(Schema.DateTimeUtcFromDate)

/** One charge, as a row. The four last times are what the platform has told, in whatever order; null is untold. */
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
  period_end: Moment,
  paid_at: Moment,
  refunded_at: Moment,
  charged_back_at: Moment,
  dispute_won_at: Moment
})
export type PurchaseRow = typeof PurchaseRow.Type

/** What of a charge has been told. */
export type Times = Pick<PurchaseRow, "paid_at" | "refunded_at" | "charged_back_at" | "dispute_won_at">

/** Nothing has been told yet. */
export const untold: Times = { paid_at: null, refunded_at: null, charged_back_at: null, dispute_won_at: null }

/** Which time a fact of this kind tells. */
export const timeOf = {
  approved: "paid_at",
  refunded: "refunded_at",
  chargeback: "charged_back_at",
  dispute_won: "dispute_won_at"
} as const

const earlier = Order.min(DateTime.Order)

/** With one more fact. Told twice, the earlier time counts: whichever comes first, the end is the same. */
export const told = (times: Times, kind: keyof typeof timeOf, at: DateTime.Utc): Times => {
  const { charged_back_at, dispute_won_at, paid_at, refunded_at } = times
  const before = times[timeOf[kind]]
  const time = before === null ? at : earlier(before, at)
  return { charged_back_at, dispute_won_at, paid_at, refunded_at, [timeOf[kind]]: time }
}

/** A chargeback stands until its dispute is won, and hides a refund; without either the charge is paid. */
export const statusOf = ({ charged_back_at, dispute_won_at, refunded_at }: Times): PurchaseStatus => {
  if (charged_back_at !== null && dispute_won_at === null) return "chargeback"
  return refunded_at === null ? "paid" : "refunded"
}

/** How often each thing has happened with a charge of which this much is told. */
export interface Story {
  /** `purchase.paid`, and with it the access. */
  readonly paid: number
  /** `purchase.refunded`: each time the money went back. */
  readonly refunded: number
  readonly revoked: number
  readonly restored: number
}

/**
 * A story depends on what is told, not on the order of telling, and more facts only make it longer. So whatever the
 * order, the differences between one telling and the next add up to the same events. A refund after a chargeback is told
 * of once, unless the dispute was won in between. Access that was never granted is not taken away.
 */
export const storyOf = ({ charged_back_at, dispute_won_at, paid_at, refunded_at }: Times): Story => {
  const paid = paid_at === null ? 0 : 1
  const chargebacks = charged_back_at === null ? 0 : 1
  const won = charged_back_at === null || dispute_won_at === null ? 0 : 1
  const refunded = chargebacks + (refunded_at !== null && chargebacks === won ? 1 : 0)
  return { paid, refunded, revoked: paid * refunded, restored: paid * won }
}

/** What happened between two tellings. */
export const since = (before: Times, after: Times): Story => {
  const [from, to] = [storyOf(before), storyOf(after)]
  return {
    paid: to.paid - from.paid,
    refunded: to.refunded - from.refunded,
    revoked: to.revoked - from.revoked,
    restored: to.restored - from.restored
  }
}

/**
 * What happens to an access that is revoked (`lost`) or not, of a story's revocations and restorations, one after another.
 * What has been done to it by hand meanwhile stays: there may be less to do.
 */
export const stepsOf = (lost: boolean, { restored, revoked }: Pick<Story, "restored" | "revoked">) => {
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
