import { Duration, Option } from "effect"
import type { Allowance } from "./Upstream.ts"

/** Results are told this soon, so that what ends at about the same time is told together. */
const soon = Duration.millis(100)

/** As many writes of the club are left to others. */
const forOthers = 10

/** With more writes than this to spare nobody has to wait. */
const plenty = 20

/**
 * How long to gather results before they are told. A batch is one of the club's writes, of which there are few in a minute:
 * where they run short, those left are spread over the rest of it.
 */
export const paceOf = (allowance: Option.Option<Allowance>): Duration.Duration =>
  Option.match(allowance, {
    onNone: () => soon,
    onSome: ({ remaining, seconds }) => {
      const spare = remaining - forOthers
      if (spare > plenty) return soon
      return Duration.max(soon, Duration.seconds(seconds / Math.max(1, spare)))
    }
  })

/** How long to wait where nothing is left to gather: the writes that are left to others are theirs until the minute ends. */
export const restOf = (allowance: Option.Option<Allowance>): Duration.Duration =>
  Option.match(allowance, {
    onNone: () => Duration.zero,
    onSome: ({ remaining, seconds }) => remaining > forOthers ? Duration.zero : Duration.seconds(seconds)
  })

/** What is left of it after so many seconds: nothing is known of the time after it. */
export const leftOf = (allowance: Option.Option<Allowance>, passed: number): Option.Option<Allowance> =>
  Option.flatMap(
    allowance,
    ({ remaining, seconds }) => passed < seconds ? Option.some({ remaining, seconds: seconds - passed }) : Option.none()
  )
