import { DateTime, Duration } from "effect"

// The pace of a recovery: the deliveries that it moves into its lane, and the time of its next look.

/** Deliveries of one recovery in the lane at once: at first, at least and at most. */
export const firstRoom = 64
const leastRoom = 16
const mostRoom = 2000

/** Deliveries that one statement moves at most. */
export const mostMoved = 500

/**
 * The time that the deliveries in the lane take, about. A canceled recovery sends for this much longer. A new event
 * waits this much longer.
 */
const lead = Duration.millis(500)

/** Between two looks at a recovery that moves on. */
const pause = Duration.millis(100)

/** The pause while only others can change something. */
const longPause = Duration.seconds(5)

/** The fields of a recovery's row that one look leaves for the next. */
export interface Pace {
  /** The most that may be in the lane at once. */
  readonly room: number
  /** Number that the rate allows, as of `tokens_at`. */
  readonly tokens: number
  readonly tokens_at: DateTime.Utc
}

/** The result of a look: how many moved deliveries have ended since the last look, and how many still wait. */
export interface Looked {
  readonly ended: number
  readonly waiting: number
  readonly now: DateTime.Utc
}

/** The most that may be moved at one moment after a pause. */
export const burstOf = (rate: number): number => Math.max(1, rate / 2)

/** The shortest time between looks that measures a rate, in milliseconds. */
const shortest = 50

/**
 * The pace after a look. The room follows the receiver's rate since the last look: about as many wait as it takes in
 * `lead`. If all have ended, the room doubles. Processes' clocks may differ: the time of a token never goes back, so no
 * second counts twice.
 */
export const paceAfter = (pace: Pace, { ended, now, waiting }: Looked, rate: number | null): Pace => {
  const passed = Math.max(0, DateTime.toEpochMillis(now) - DateTime.toEpochMillis(pace.tokens_at))
  const taken = ended * Duration.toMillis(lead) / Math.max(passed, shortest)
  const wanted = waiting === 0 && ended > 0 ? Math.max(2 * pace.room, taken) : taken
  const room = ended === 0 ? pace.room : Math.min(mostRoom, Math.max(leastRoom, Math.ceil(wanted)))
  const tokens = rate === null ? 0 : Math.min(burstOf(rate), pace.tokens + rate * passed / 1000)
  return { room, tokens, tokens_at: DateTime.max(pace.tokens_at, now) }
}

/** Number that may be moved now. */
export const roomFor = ({ room, tokens }: Pace, waiting: number, rate: number | null): number => {
  const allowed = rate === null ? mostMoved : Math.floor(tokens)
  return Math.max(0, Math.min(mostMoved, room - waiting, allowed))
}

/** The pace once so many were moved. */
export const spent = (pace: Pace, moved: number, rate: number | null): Pace =>
  rate === null ? pace : { ...pace, tokens: pace.tokens - moved }

/** The breaker of an endpoint as far as a recovery is concerned. */
export interface HeldState {
  readonly holds: number
  readonly hold_until: DateTime.Utc | null
}

/**
 * Number of deliveries for a held endpoint. While the hold lasts it gets 0. Then it gets one to probe with, if nothing
 * else of this recovery waits.
 */
export const probesFor = ({ hold_until }: HeldState, waiting: number, now: DateTime.Utc): number =>
  waiting === 0 && (hold_until === null || DateTime.isLessThanOrEqualTo(hold_until, now)) ? 1 : 0

/** When it is looked at again: soon while it moves, else when the rate allows one more, or after a long pause. */
export const nextLook = (
  now: DateTime.Utc,
  { isBlocked, rate, tokens }: { readonly isBlocked: boolean; readonly rate: number | null; readonly tokens: number }
): DateTime.Utc => {
  if (isBlocked) return DateTime.addDuration(now, longPause)
  const untilToken = rate === null || tokens >= 1 ? 0 : Math.ceil((1 - tokens) * 1000 / rate)
  return DateTime.addDuration(now, Duration.max(pause, Duration.millis(untilToken)))
}
