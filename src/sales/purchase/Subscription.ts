import { Array, DateTime, Order, Schema } from "effect"
import { StudentId } from "../../students/Student.ts"

/** UUIDv7. */
export const SubscriptionId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("SubscriptionId"))
export type SubscriptionId = typeof SubscriptionId.Type

/** How a recurring sale stands. */
export const SubscriptionStatus = Schema.Literals(["active", "past_due", "canceled"])
export type SubscriptionStatus = typeof SubscriptionStatus.Type

const Text = Schema.NullOr(Schema.String)
const Instant = Schema.DateTimeUtcFromDate
const Moment = Schema.NullOr(Instant)

/**
 * A recurring sale, as a row. `canceled_at` is the last cancellation that was told, whether or not it still holds, and
 * `canceled_until` until when it leaves the access, where the platform said so.
 */
export const SubscriptionRow = Schema.Struct({
  id: SubscriptionId,
  student_id: StudentId,
  external_id: Schema.String,
  plan_name: Text,
  product_external_id: Schema.String,
  product_name: Text,
  canceled_at: Moment,
  canceled_until: Moment,
  /** How often `subscription.past_due` was told. */
  past_dues_told: Schema.Int
})
export type SubscriptionRow = typeof SubscriptionRow.Type

/** A charge of a subscription that was paid. */
export const Charge = Schema.Struct({
  external_id: Schema.String,
  recurrence: Schema.NullOr(Schema.Int),
  lateness_key: Text,
  period_end: Moment,
  paid_at: Instant
})
export type Charge = typeof Charge.Type

/** A charge that was late: `key` is the charge or its period. */
export const Lateness = Schema.Struct({ key: Schema.String, since: Instant })
export type Lateness = typeof Lateness.Type

/** All that a subscription's state follows from. */
export interface Told {
  readonly charges: ReadonlyArray<Charge>
  readonly latenesses: ReadonlyArray<Lateness>
  readonly canceled_at: DateTime.Utc | null
  readonly canceled_until: DateTime.Utc | null
}

const inTime = Order.combineAll<Charge>([
  Order.mapInput(DateTime.Order, ({ paid_at }) => paid_at),
  Order.mapInput(Order.Number, ({ recurrence }) => recurrence ?? 0),
  Order.mapInput(Order.String, ({ external_id }) => external_id)
])

/** The charge that was paid last. */
export const latestOf = (charges: ReadonlyArray<Charge>): Charge | undefined => Array.sort(charges, inTime).at(-1)

/**
 * Whether a cancellation still holds. A charge that is paid after it begins the subscription anew; the first charge is no
 * renewal, whatever the clocks say, nor is one whose period the cancellation left: of some platforms nobody knows when a
 * charge was paid, only when it was told.
 */
export const isCanceled = (
  { canceled_at, canceled_until, charges }: Pick<Told, "canceled_at" | "canceled_until" | "charges">
): boolean => {
  if (canceled_at === null) return false
  const isLeft = (end: DateTime.Utc | null) =>
    end !== null && canceled_until !== null && DateTime.isLessThanOrEqualTo(end, canceled_until)
  const renewals = Array.sort(charges, inTime).slice(1)
  return !renewals.some(({ paid_at, period_end }) =>
    DateTime.isGreaterThan(paid_at, canceled_at) && !isLeft(period_end)
  )
}

const bySince = Order.mapInput(DateTime.Order, ({ since }: Lateness) => since)

/** What was late and not paid by then: neither that charge nor any after it. */
const openAt = ({ charges, latenesses }: Pick<Told, "charges" | "latenesses">, moment: DateTime.Utc | null) =>
  latenesses.filter(({ key, since }) =>
    !charges.some(({ lateness_key, paid_at }) =>
      (moment === null || DateTime.isLessThanOrEqualTo(paid_at, moment)) &&
      (lateness_key === key || DateTime.isGreaterThanOrEqualTo(paid_at, since))
    )
  )

/**
 * How often a subscription has become late: a charge that is late while another one still is makes it no later. More that
 * is told never makes it less, whatever the order.
 */
export const pastDuesOf = (told: Pick<Told, "charges" | "latenesses">): number => {
  const latenesses = Array.sort(told.latenesses, bySince)
  const begins = latenesses.filter(({ since }, index) =>
    openAt({ charges: told.charges, latenesses: latenesses.slice(0, index) }, since).length === 0
  )
  return begins.length
}

/** The end of what was paid for, or of what the cancellation leaves; null where nobody has said. */
const periodEndOf = (told: Told): DateTime.Utc | null => {
  const { canceled_until, charges } = told
  if (canceled_until !== null && isCanceled(told)) return canceled_until
  return Array.sort(charges.flatMap(({ period_end }) => period_end ?? []), DateTime.Order).at(-1) ?? null
}

/** How a subscription stands, whatever the order in which it was told. */
export interface Standing {
  readonly status: SubscriptionStatus
  /** Since when, while it is past due. */
  readonly past_due_since: DateTime.Utc | null
  readonly current_period_end: DateTime.Utc | null
}

/** See `Standing`. Canceled outweighs late. */
export const standingOf = (told: Told): Standing => {
  const current_period_end = periodEndOf(told)
  if (isCanceled(told)) return { status: "canceled", past_due_since: null, current_period_end }
  const past_due_since = Array.sort(openAt(told, null), bySince)[0]?.since ?? null
  return { status: past_due_since === null ? "active" : "past_due", past_due_since, current_period_end }
}
