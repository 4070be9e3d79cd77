import { Duration, Option } from "effect"
import type { Allowance } from "./Upstream.ts"

/** The shortest time to gather results, so that simultaneous ones are reported together. */
const soon = Duration.millis(100)

/** The writes of the club that stay for others. */
const forOthers = 10

/** With more writes than this to spare nobody has to wait. */
const plenty = 20

/**
 * How long to gather results before they are reported. A batch is one of the club's writes, which are few in a minute.
 * If they run short, the remaining ones are spread over the rest of the minute.
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

/** How long to wait after the last batch: the writes for others stay theirs until the minute ends. */
export const restOf = (allowance: Option.Option<Allowance>): Duration.Duration =>
  Option.match(allowance, {
    onNone: () => Duration.zero,
    onSome: ({ remaining, seconds }) => remaining > forOthers ? Duration.zero : Duration.seconds(seconds)
  })

/** The allowance after so many seconds; `None` once its minute is over. */
export const leftOf = (allowance: Option.Option<Allowance>, passed: number): Option.Option<Allowance> =>
  Option.flatMap(
    allowance,
    ({ remaining, seconds }) => passed < seconds ? Option.some({ remaining, seconds: seconds - passed }) : Option.none()
  )
