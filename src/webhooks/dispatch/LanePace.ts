import { DateTime } from "effect"
import type { ClaimedLane, LaneState, Release, TakenDelivery } from "./Lease.ts"
import * as Bucket from "./TokenBucket.ts"

/** What limits a lane, as its row had it when it was read. */
type Limits = LaneState["limits"]

/** Fewer are not started where more may gather, so that each take serves several. */
const fewest = (rate: number) => Math.ceil(Bucket.burstOf(rate) / 2)

const rateOf = (limits: Limits): number | null => {
  if (limits === null) return null
  const { drain_rate, max_per_second } = limits
  if (drain_rate === null || max_per_second === null) return drain_rate ?? max_per_second
  return Math.min(drain_rate, max_per_second)
}

/**
 * How fast a lane may go on, while a worker has it. What is left of its rate is given back with the lane. Whoever takes it
 * over from a worker that has died begins with nothing, as if that one had just started all that it could.
 */
export class LanePace {
  #limits: Limits
  #rate: number | null
  #bucket: Bucket.TokenBucket

  constructor({ limits }: Pick<ClaimedLane, "limits">, now: DateTime.Utc) {
    this.#limits = limits
    this.#rate = rateOf(limits)
    this.#bucket = limits?.full_at ? Bucket.fromInstant(limits.full_at) : Bucket.full
    if (this.#rate !== null && limits?.taken_over) this.started(Bucket.burstOf(this.#rate), now)
  }

  /** Whether there are limits of its own. */
  get isLimited(): boolean {
    return this.#limits !== null
  }

  /** Whether there is a rate. */
  get isPaced(): boolean {
    return this.#rate !== null
  }

  /** The limits are these by now. */
  renew(limits: Limits): void {
    this.#limits = limits
    this.#rate = rateOf(limits)
  }

  /** Attempts at once, of as many as a process makes. */
  atOnce(laneConcurrency: number): number {
    return Math.min(laneConcurrency, this.#limits?.max_in_flight ?? laneConcurrency)
  }

  /** How many of these attempts may start now. */
  among(slots: number, now: DateTime.Utc): number {
    if (this.#rate === null) return slots
    const tokens = Bucket.tokensAt(this.#bucket, this.#rate, now)
    return tokens < fewest(this.#rate) ? 0 : Math.min(slots, tokens)
  }

  started(attempts: number, now: DateTime.Utc): void {
    if (this.#rate !== null) this.#bucket = Bucket.afterTaking(this.#bucket, this.#rate, now, attempts)
  }

  /** When the next attempt may start; null where one may start now. */
  resumesAt(now: DateTime.Utc): DateTime.Utc | null {
    if (this.#rate === null || this.among(1, now) > 0) return null
    return Bucket.whenThereAre(fewest(this.#rate), this.#bucket, this.#rate, now)
  }

  /** What is kept of it with a lane that is given back. */
  givenBack(now: DateTime.Utc): Release["paced"] {
    if (this.#rate === null) return undefined
    return { until: this.resumesAt(now), full_at: Bucket.toInstant(this.#bucket, this.#rate, now) }
  }

  /**
   * Where the first of what is due was not due when the drain began, or nothing is due, the drain has ended: answers until
   * when it reached, and lets the lane go on without it.
   */
  endDrain(due: ReadonlyArray<TakenDelivery>): DateTime.Utc | null {
    const { drain_until = null } = this.#limits ?? {}
    if (this.#limits === null || drain_until === null) return null
    const [first] = due
    if (first !== undefined && first.next_attempt_at.getTime() <= DateTime.toEpochMillis(drain_until)) return null
    this.renew({ ...this.#limits, drain_rate: null, drain_until: null })
    return drain_until
  }
}
