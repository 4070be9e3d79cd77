import { DateTime, Duration } from "effect"

// How much a recovery moves into its lane, and when it looks again.

/** How many of one recovery are in the lane at once, at first, at least and at most. */
export const firstRoom = 64
const leastRoom = 16
const mostRoom = 2000

/** Deliveries that one statement moves at most. */
export const mostMoved = 500

/** How long what waits in the lane takes to be sent, about: for so long a canceled recovery still sends, and so much
 * longer waits an event that comes meanwhile. */
const lead = Duration.millis(500)

/** Between two looks at a recovery that moves on. */
const pause = Duration.millis(100)

/** While nothing can change but by what others do. */
const longPause = Duration.seconds(5)

/** What a recovery's row remembers from one look to the next. */
export interface Pace {
  /** How many may be in the lane at once. */
  readonly room: number
  /** How many the rate allows, as of `tokens_at`. */
  readonly tokens: number
  readonly tokens_at: DateTime.Utc
}

/** What a look found: of what was moved, how many have ended since the last look, and how many still wait. */
export interface Looked {
  readonly ended: number
  readonly waiting: number
  readonly now: DateTime.Utc
}

/** The most that may be moved at one moment after a pause. */
export const burstOf = (rate: number): number => Math.max(1, rate / 2)

/** What two or three looks can measure: a shorter time says nothing of a rate. */
const shortest = 50

/**
 * The pace after a look. The room follows what the receiver took since the last look, so that about as much waits as is
 * sent in `lead`; where all of it was gone, it doubles. Processes' clocks may differ: the time of a token never goes back,
 * so that no second is counted twice.
 */
export const paceAfter = (pace: Pace, { ended, now, waiting }: Looked, rate: number | null): Pace => {
  const passed = Math.max(0, DateTime.toEpochMillis(now) - DateTime.toEpochMillis(pace.tokens_at))
  const taken = ended * Duration.toMillis(lead) / Math.max(passed, shortest)
  const wanted = waiting === 0 && ended > 0 ? Math.max(2 * pace.room, taken) : taken
  const room = ended === 0 ? pace.room : Math.min(mostRoom, Math.max(leastRoom, Math.ceil(wanted)))
  const tokens = rate === null ? 0 : Math.min(burstOf(rate), pace.tokens + rate * passed / 1000)
  return { room, tokens, tokens_at: DateTime.max(pace.tokens_at, now) }
}

/** How many may be moved now. */
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
 * How many a held endpoint is given: none while the hold lasts; then one, if nothing else of this recovery waits, so that
 * there is something to probe with.
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
