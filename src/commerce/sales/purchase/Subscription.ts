import { Array, DateTime, Order, Schema } from "effect"
import { StudentId } from "../../../identity/ids/StudentId.ts"
import { brandedId } from "../../../platform/schema/brandedId.ts"
import { Instant, InstantOrNull } from "../../../platform/schema/Instant.ts"

/** UUIDv7. */
export const SubscriptionId = brandedId("SubscriptionId")
export type SubscriptionId = typeof SubscriptionId.Type

/** The state of a recurring sale. */
export const SubscriptionStatus = Schema.Literals(["active", "past_due", "canceled"])
export type SubscriptionStatus = typeof SubscriptionStatus.Type

const Text = Schema.NullOr(Schema.String)

/** A recurring sale, as a row, with the number of its events that were recorded. */
export const SubscriptionRow = Schema.Struct({
  id: SubscriptionId,
  student_id: StudentId,
  external_id: Schema.String,
  plan_name: Text,
  product_external_id: Schema.String,
  product_name: Text,
  /** Number of recorded `subscription.past_due`. */
  past_dues_told: Schema.Int,
  /** Number of recorded `subscription.canceled`. */
  cancellations_told: Schema.Int
})
export type SubscriptionRow = typeof SubscriptionRow.Type

/** A charge of a subscription that was paid. */
export const SubscriptionCharge = Schema.Struct({
  external_id: Schema.String,
  recurrence: Schema.NullOr(Schema.Int),
  lateness_key: Text,
  period_end: InstantOrNull,
  paid_at: Instant
})
export type SubscriptionCharge = typeof SubscriptionCharge.Type

/** A charge that was late: `key` is the charge or its period. */
export const Lateness = Schema.Struct({
  key: Schema.String,
  since: Instant,
  /** True if `subscription.past_due` was recorded for it. */
  told: Schema.Boolean
})
export type Lateness = typeof Lateness.Type

/** A cancellation; `until` is the end of the access, if the platform named it. */
export const Cancellation = Schema.Struct({
  at: Instant,
  until: InstantOrNull,
  /** True if `subscription.canceled` was recorded for it. */
  told: Schema.Boolean
})
export type Cancellation = typeof Cancellation.Type

/** All that a subscription's state follows from. */
export interface SubscriptionHistory {
  readonly charges: ReadonlyArray<SubscriptionCharge>
  readonly latenesses: ReadonlyArray<Lateness>
  readonly cancellations: ReadonlyArray<Cancellation>
}

const inTime = Order.combineAll<SubscriptionCharge>([
  Order.mapInput(DateTime.Order, ({ paid_at }) => paid_at),
  Order.mapInput(Order.Number, ({ recurrence }) => recurrence ?? 0),
  Order.mapInput(Order.String, ({ external_id }) => external_id)
])

/** The charge that was paid last. */
export const latestCharge = (charges: ReadonlyArray<SubscriptionCharge>): SubscriptionCharge | undefined =>
  Array.sort(charges, inTime).at(-1)

/** Repeated cancellations, as one. `until` comes from the last of them, and `last_at` is its time. */
interface Ending {
  readonly canceled_at: DateTime.Utc
  readonly until: DateTime.Utc | null
  readonly last_at: DateTime.Utc
  /** True if an event was recorded for one of them. */
  readonly told: boolean
}

/**
 * True if a charge that was paid after the cancellation renews the subscription. With `before`, only charges paid
 * before then count. The first charge is not a renewal. A charge is not a renewal either if its period ends within the
 * time that the cancellation leaves. Some platforms do not say when a charge was paid, so its time is the time of the
 * notice.
 */
const isRenewed = (
  charges: ReadonlyArray<SubscriptionCharge>,
  { last_at, until }: Ending,
  before: DateTime.Utc | null
): boolean => {
  const isLeft = (end: DateTime.Utc | null) =>
    end !== null && until !== null && DateTime.isLessThanOrEqualTo(end, until)
  return Array.sort(charges, inTime).slice(1).some(({ paid_at, period_end }) =>
    DateTime.isGreaterThan(paid_at, last_at) && !isLeft(period_end) &&
    (before === null || DateTime.isLessThan(paid_at, before))
  )
}

const byMoment = Order.mapInput(DateTime.Order, ({ at }: Cancellation) => at)

/** Each time that a subscription ended: a cancellation that another one repeats before any renewal is the same ending. */
const endingsOf = (
  { cancellations, charges }: Pick<SubscriptionHistory, "cancellations" | "charges">
): ReadonlyArray<Ending> =>
  Array.sort(cancellations, byMoment).reduce<ReadonlyArray<Ending>>((endings, { at, told, until }) => {
    const last = endings.at(-1)
    if (last === undefined || isRenewed(charges, last, at)) {
      return endings.concat({ canceled_at: at, until, last_at: at, told })
    }
    return endings.slice(0, -1).concat({ ...last, until: until ?? last.until, last_at: at, told: told || last.told })
  }, [])

/** The first cancellation of each ending; `told`: true if an event was recorded for that ending. */
export const cancellationsOf = (
  history: Pick<SubscriptionHistory, "cancellations" | "charges">
): ReadonlyArray<Cancellation> => endingsOf(history).map(({ canceled_at: at, told, until }) => ({ at, told, until }))

/** The ending that no charge has renewed. */
const endingOf = (history: Pick<SubscriptionHistory, "cancellations" | "charges">): Ending | undefined => {
  const last = endingsOf(history).at(-1)
  return last === undefined || isRenewed(history.charges, last, null) ? undefined : last
}

const bySince = Order.mapInput(DateTime.Order, ({ since }: Lateness) => since)

/** The latenesses that are open at a moment, or now: neither that charge nor any later one is paid. */
const openAt = (
  { charges, latenesses }: Pick<SubscriptionHistory, "charges" | "latenesses">,
  moment: DateTime.Utc | null
) =>
  latenesses.filter(({ key, since }) =>
    !charges.some(({ lateness_key, paid_at }) =>
      (moment === null || DateTime.isLessThanOrEqualTo(paid_at, moment)) &&
      (lateness_key === key || DateTime.isGreaterThanOrEqualTo(paid_at, since))
    )
  )

/**
 * The first lateness of each time that a subscription became late; `told`: true if an event was recorded for that time.
 * A second late charge while the first is open does not count. More facts never make the list shorter, whatever their
 * order.
 */
export const pastDuesOf = (history: Pick<SubscriptionHistory, "charges" | "latenesses">): ReadonlyArray<Lateness> => {
  const latenesses = Array.sort(history.latenesses, bySince)
  return latenesses.reduce<ReadonlyArray<Lateness>>((begun, lateness, index) => {
    const last = begun.at(-1)
    const isOpen =
      openAt({ charges: history.charges, latenesses: latenesses.slice(0, index) }, lateness.since).length > 0
    if (last === undefined || !isOpen) return begun.concat(lateness)
    return begun.slice(0, -1).concat({ ...last, told: last.told || lateness.told })
  }, [])
}

/** The occurrences whose event is still missing, out of all; `before` events were recorded. */
export const withoutEvent = <Time extends { readonly told: boolean }>(
  times: ReadonlyArray<Time>,
  before: number
): ReadonlyArray<Time> => Array.takeRight(times.filter(({ told }) => !told), Math.max(0, times.length - before))

/** The end of the paid time; null if the charges do not name it. */
const paidUntil = (charges: ReadonlyArray<SubscriptionCharge>): DateTime.Utc | null =>
  Array.sort(charges.flatMap(({ period_end }) => period_end ?? []), DateTime.Order).at(-1) ?? null

/** The state of a subscription. It does not depend on the order of the facts. */
export interface SubscriptionState {
  readonly status: SubscriptionStatus
  /** Since when, while it is past due. */
  readonly past_due_since: DateTime.Utc | null
  /** Since when, while it is canceled. */
  readonly canceled_at: DateTime.Utc | null
  /** The end of the paid time, or of the time that the cancellation leaves; null if the facts do not name it. */
  readonly current_period_end: DateTime.Utc | null
}

/** See `SubscriptionState`. Canceled takes precedence over late. */
export const stateOf = (history: SubscriptionHistory): SubscriptionState => {
  const current_period_end = paidUntil(history.charges)
  const ending = endingOf(history)
  if (ending !== undefined) {
    const { canceled_at, until } = ending
    return { status: "canceled", past_due_since: null, canceled_at, current_period_end: until ?? current_period_end }
  }
  const past_due_since = Array.sort(openAt(history, null), bySince)[0]?.since ?? null
  const status = past_due_since === null ? "active" : "past_due"
  return { status, past_due_since, canceled_at: null, current_period_end }
}
