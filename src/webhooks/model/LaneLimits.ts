import { Schema } from "effect"

/** Attempts a second, or at once, that an administrator may ask for. */
const mostAsked = 1000

/** Attempts a second, or at once. */
export const AttemptLimit = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: mostAsked }))

/** The most that an endpoint is sent. Null: as much as a process sends anyway. */
export interface LaneLimits {
  readonly max_per_second: number | null
  readonly max_in_flight: number | null
}

export const noLimits: LaneLimits = { max_per_second: null, max_in_flight: null }
