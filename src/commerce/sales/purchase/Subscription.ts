import { Array, DateTime, Order, Schema } from "effect"
import { StudentId } from "../../../identity/ids/StudentId.ts"

/** UUIDv7. */
export const SubscriptionId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("SubscriptionId"))
export type SubscriptionId = typeof SubscriptionId.Type

/** How a recurring sale stands. */
export const SubscriptionStatus = Schema.Literals(["active", "past_due", "canceled"])
export type SubscriptionStatus = typeof SubscriptionStatus.Type

const Text = Schema.NullOr(Schema.String)
const Instant = Schema.DateTimeUtcFromDate
const Moment = Schema.NullOr(Instant)

/** A recurring sale, as a row: what it is, and how many of its events went out. */
export const SubscriptionRow = Schema.Struct({
  id: SubscriptionId,
  student_id: StudentId,
  external_id: Schema.String,
  plan_name: Text,
  product_external_id: Schema.String,
  product_name: Text,
  /** How often `subscription.past_due` was told. */
  past_dues_told: Schema.Int,
  /** How often `subscription.canceled` was told. */
  cancellations_told: Schema.Int
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
export const Lateness = Schema.Struct({
  key: Schema.String,
  since: Instant,
  /** Whether `subscription.past_due` was told as of it. */
  told: Schema.Boolean
})
export type Lateness = typeof Lateness.Type

/** A cancellation; `until` is when it ends the access, where the platform said so. */
export const Cancellation = Schema.Struct({
  at: Instant,
  until: Moment,
  /** Whether `subscription.canceled` was told as of it. */
  told: Schema.Boolean
})
export type Cancellation = typeof Cancellation.Type

/** All that a subscription's state follows from. */
export interface Told {
  readonly charges: ReadonlyArray<Charge>
  readonly latenesses: ReadonlyArray<Lateness>
  readonly cancellations: ReadonlyArray<Cancellation>
}

const inTime = Order.combineAll<Charge>([
  Order.mapInput(DateTime.Order, ({ paid_at }) => paid_at),
  Order.mapInput(Order.Number, ({ recurrence }) => recurrence ?? 0),
  Order.mapInput(Order.String, ({ external_id }) => external_id)
])

/** The charge that was paid last. */
export const latestOf = (charges: ReadonlyArray<Charge>): Charge | undefined => Array.sort(charges, inTime).at(-1)

/** Cancellations that repeat each other: from when, until when as the last one says, and when the last one was. */
interface Ending {
  readonly canceled_at: DateTime.Utc
  readonly until: DateTime.Utc | null
  readonly last_at: DateTime.Utc
  /** Whether one of them was told of. */
  readonly told: boolean
}

/**
 * Whether a charge begins a canceled subscription anew, before a moment or ever: it is paid after the cancellation. The
 * first charge is no renewal, whatever the clocks say, nor is one whose period the cancellation leaves: of some platforms
 * nobody knows when a charge was paid, only when it was told.
 */
const isRenewed = (
  charges: ReadonlyArray<Charge>,
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
const endingsOf = ({ cancellations, charges }: Pick<Told, "cancellations" | "charges">): ReadonlyArray<Ending> =>
  Array.sort(cancellations, byMoment).reduce<ReadonlyArray<Ending>>((endings, { at, told, until }) => {
    const last = endings.at(-1)
    if (last === undefined || isRenewed(charges, last, at)) {
      return endings.concat({ canceled_at: at, until, last_at: at, told })
    }
    return endings.slice(0, -1).concat({ ...last, until: until ?? last.until, last_at: at, told: told || last.told })
  }, [])

/** The first cancellation of each time that a subscription was canceled; `told`: whether that time was told of. */
export const cancellationsOf = (told: Pick<Told, "cancellations" | "charges">): ReadonlyArray<Cancellation> =>
  endingsOf(told).map(({ canceled_at: at, told, until }) => ({ at, told, until }))

/** The cancellation that holds. */
const endingOf = (told: Pick<Told, "cancellations" | "charges">): Ending | undefined => {
  const last = endingsOf(told).at(-1)
  return last === undefined || isRenewed(told.charges, last, null) ? undefined : last
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
 * The first lateness of each time that a subscription became late; `told`: whether that time was told of. A charge that is
 * late while another one still is makes it no later. More that is told never makes them fewer, whatever the order.
 */
export const pastDuesOf = (told: Pick<Told, "charges" | "latenesses">): ReadonlyArray<Lateness> => {
  const latenesses = Array.sort(told.latenesses, bySince)
  return latenesses.reduce<ReadonlyArray<Lateness>>((begun, lateness, index) => {
    const last = begun.at(-1)
    const isOpen = openAt({ charges: told.charges, latenesses: latenesses.slice(0, index) }, lateness.since).length > 0
    if (last === undefined || !isOpen) return begun.concat(lateness)
    return begun.slice(0, -1).concat({ ...last, told: last.told || lateness.told })
  }, [])
}

/** Of all times that something came about, those to be told of, where `before` of them were. */
export const untoldOf = <Time extends { readonly told: boolean }>(
  times: ReadonlyArray<Time>,
  before: number
): ReadonlyArray<Time> => Array.takeRight(times.filter(({ told }) => !told), Math.max(0, times.length - before))

/** The end of what was paid for; null where nobody has said. */
const paidUntil = (charges: ReadonlyArray<Charge>): DateTime.Utc | null =>
  Array.sort(charges.flatMap(({ period_end }) => period_end ?? []), DateTime.Order).at(-1) ?? null

/** How a subscription stands, whatever the order in which it was told. */
export interface Standing {
  readonly status: SubscriptionStatus
  /** Since when, while it is past due. */
  readonly past_due_since: DateTime.Utc | null
  /** Since when, while it is canceled. */
  readonly canceled_at: DateTime.Utc | null
  /** The end of what was paid for, or of what the cancellation leaves; null where nobody has said. */
  readonly current_period_end: DateTime.Utc | null
}

/** See `Standing`. Canceled outweighs late. */
export const standingOf = (told: Told): Standing => {
  const current_period_end = paidUntil(told.charges)
  const ending = endingOf(told)
  if (ending !== undefined) {
    const { canceled_at, until } = ending
    return { status: "canceled", past_due_since: null, canceled_at, current_period_end: until ?? current_period_end }
  }
  const past_due_since = Array.sort(openAt(told, null), bySince)[0]?.since ?? null
  const status = past_due_since === null ? "active" : "past_due"
  return { status, past_due_since, canceled_at: null, current_period_end }
}
