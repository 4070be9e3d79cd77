import { median } from "../bench/webhooks/tables.ts"

/** One look at a process or at the database. */
export interface Sample {
  /** Days since the beginning, as a fraction. */
  readonly day: number
  readonly value: number
}

/** How much a series may rise over all of its days. */
export interface Allowance {
  /** A share of what it has on the first day that counts. */
  readonly share: number
  /** In its own unit, beside that. */
  readonly beside: number
}

/** What became of a series. */
export interface Trend {
  /** The median of each day that counts, first to last. */
  readonly days: ReadonlyArray<number>
  /** How much it rose from the first day that counts to the last, by the median slope between any two of them. */
  readonly rise: number
  readonly isFlat: boolean
}

/** Days that do not count: code is compiled, pools and caches are filled. */
const warmUp = 1

/** The median of each whole day. A club day has hours of rush and of rest, so days are compared, not hours. */
const daily = (samples: ReadonlyArray<Sample>): ReadonlyArray<number> => {
  const days = Map.groupBy(samples, ({ day }) => Math.floor(day))
  return [...days].toSorted(([one], [other]) => one - other).map(([, own]) => median(own.map(({ value }) => value)))
}

const slopes = (days: ReadonlyArray<number>): ReadonlyArray<number> =>
  days.flatMap((early, from) => days.slice(from + 1).map((late, between) => (late - early) / (between + 1)))

/**
 * Whether a series stays where it is. The slope is that of Theil and Sen, which a single odd day does not bend. With less
 * than two days that count nothing can be said, and nothing is flat.
 */
export const trendOf = (samples: ReadonlyArray<Sample>, { beside, share }: Allowance): Trend => {
  const days = daily(samples).slice(warmUp)
  const [first] = days
  if (first === undefined || days.length < 2) return { days, rise: NaN, isFlat: false }
  const rise = median(slopes(days)) * (days.length - 1)
  return { days, rise, isFlat: rise <= first * share + beside }
}
