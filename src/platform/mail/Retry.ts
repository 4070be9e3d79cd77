import { Duration } from "effect"
import { backOff } from "../jobs/BackOff.ts"

const nominal = backOff({ first: "10 seconds", longest: "30 minutes" })

/** The largest random share by which a wait grows or shrinks. */
export const maxJitter = 0.2

/** How long a mail is tried, counted from when it was written. No link in it lives longer. */
export const giveUpAfter = Duration.days(7)

/**
 * How long to wait after this failed attempt (1 is the first): 10 seconds, doubling up to 30 minutes. Each wait is up
 * to a fifth shorter or longer. `random` is in [0, 1).
 */
export const delayAfter = (attempt: number, random: number): Duration.Duration =>
  Duration.times(nominal(attempt), 1 + maxJitter * (2 * random - 1))
