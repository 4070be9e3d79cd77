import { median } from "../bench/webhooks/tables.ts"

/** One measurement of a process or of the database. */
export interface Sample {
  /** Days since the beginning, as a fraction. */
  readonly day: number
  readonly value: number
}

/** The rise that a series may have over all of its days. */
export interface Allowance {
  /** A share of its value on the first day that counts. */
  readonly share: number
  /** In its own unit, on top of the share. */
  readonly beside: number
}

/** The trend of a series. */
export interface Trend {
  /** The median of each day that counts, first to last. */
  readonly days: ReadonlyArray<number>
  /** The rise from the first day that counts to the last, by the median slope between any two of them. */
  readonly rise: number
  readonly isFlat: boolean
}

/** Number of days at the start that do not count: they compile code and fill pools and caches. */
const warmUp = 1

/** The median of each whole day. A club has busy and quiet hours, so this compares days. */
const daily = (samples: ReadonlyArray<Sample>): ReadonlyArray<number> => {
  const days = Map.groupBy(samples, ({ day }) => Math.floor(day))
  return [...days].toSorted(([one], [other]) => one - other).map(([, own]) => median(own.map(({ value }) => value)))
}

const slopes = (days: ReadonlyArray<number>): ReadonlyArray<number> =>
  days.flatMap((early, from) => days.slice(from + 1).map((late, between) => (late - early) / (between + 1)))

/**
 * Judges if a series is flat. It uses the slope of Theil and Sen, which one odd day does not bend. With fewer than two
 * days that count, no series is flat.
 */
export const trendOf = (samples: ReadonlyArray<Sample>, { beside, share }: Allowance): Trend => {
  const days = daily(samples).slice(warmUp)
  const [first] = days
  if (first === undefined || days.length < 2) return { days, rise: NaN, isFlat: false }
  const rise = median(slopes(days)) * (days.length - 1)
  return { days, rise, isFlat: rise <= first * share + beside }
}
