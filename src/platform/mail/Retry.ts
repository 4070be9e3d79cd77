import { Duration } from "effect"
import { backOff } from "../jobs/BackOff.ts"

const nominal = backOff({ first: "10 seconds", longest: "30 minutes" })

/** By what share of itself a wait is made shorter or longer at most. */
export const maxJitter = 0.2

/** A mail that nobody took for this long, counted from when it was written, is given up: no link in it lives longer. */
export const giveUpAfter = Duration.days(7)

/**
 * How long to wait after the given failed attempt (1 is the first): 10 seconds, doubling up to 30 minutes, each up to a
 * fifth shorter or longer. `random` is in [0, 1).
 */
export const delayAfter = (attempt: number, random: number): Duration.Duration =>
  Duration.times(nominal(attempt), 1 + maxJitter * (2 * random - 1))
