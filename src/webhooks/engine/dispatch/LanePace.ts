import { DateTime } from "effect"
import type { ClaimedLane, LaneState, Release, TakenDelivery } from "./Lease.ts"
import * as Bucket from "./TokenBucket.ts"

/** The limits of a lane, as its row had them at the last read. */
type Limits = LaneState["limits"]

/** Fewer are not started where more may gather, so that each take serves several. */
const fewest = (rate: number) => Math.ceil(Bucket.burstOf(rate) / 2)

const rateOf = (limits: Limits): number | null => {
  if (limits === null) return null
  const { drain_rate, max_per_second } = limits
  if (drain_rate === null || max_per_second === null) return drain_rate ?? max_per_second
  return Math.min(drain_rate, max_per_second)
}

/** A rate and its remaining tokens. A rate of null means no limit. */
class Rate {
  rate: number | null
  #bucket: Bucket.TokenBucket

  /** `isTakenOver`: the worker before may have started all that it could until now. */
  constructor(rate: number | null, full_at: DateTime.Utc | null | undefined, isTakenOver: boolean, now: DateTime.Utc) {
    this.rate = rate
    this.#bucket = full_at ? Bucket.fromInstant(full_at) : Bucket.full
    if (rate !== null && isTakenOver) this.started(Bucket.burstOf(rate), now)
  }

  /** Number of these attempts that may start now. */
  among(slots: number, now: DateTime.Utc): number {
    if (this.rate === null) return slots
    const tokens = Bucket.tokensAt(this.#bucket, this.rate, now)
    return tokens < fewest(this.rate) ? 0 : Math.min(slots, tokens)
  }

  started(attempts: number, now: DateTime.Utc): void {
    if (this.rate !== null) this.#bucket = Bucket.afterTaking(this.#bucket, this.rate, now, attempts)
  }

  /** When the next attempt may start; null where one may start now. */
  resumesAt(now: DateTime.Utc): DateTime.Utc | null {
    if (this.rate === null || this.among(1, now) > 0) return null
    return Bucket.whenThereAre(fewest(this.rate), this.#bucket, this.rate, now)
  }

  fullAt(now: DateTime.Utc): DateTime.Utc | null {
    return this.rate === null ? null : Bucket.toInstant(this.#bucket, this.rate, now)
  }
}

/**
 * The pace of a lane while a worker has leased it. With the lane, the worker releases the rest of its rate, and the
 * rest of its rate of recoveries. A worker that takes over from a dead one starts with an empty bucket: the dead one
 * may have used all tokens.
 */
export class LanePace {
  #limits: Limits
  readonly #all: Rate
  readonly #recoveries: Rate

  constructor({ limits }: Pick<ClaimedLane, "limits">, now: DateTime.Utc) {
    const { full_at, recovery_full_at, recovery_rate = null, taken_over = false } = limits ?? {}
    this.#limits = limits
    this.#all = new Rate(rateOf(limits), full_at, taken_over, now)
    this.#recoveries = new Rate(recovery_rate, recovery_full_at, taken_over, now)
  }

  /** True if the endpoint has limits of its own. */
  get isLimited(): boolean {
    return this.#limits !== null
  }

  /** True if the endpoint has a rate. */
  get isPaced(): boolean {
    return this.#all.rate !== null
  }

  /** The limits are these by now. */
  renew(limits: Limits): void {
    this.#limits = limits
    this.#all.rate = rateOf(limits)
    this.#recoveries.rate = limits?.recovery_rate ?? null
  }

  /** Attempts at once, of as many as a process makes. */
  atOnce(laneConcurrency: number): number {
    return Math.min(laneConcurrency, this.#limits?.max_in_flight ?? laneConcurrency)
  }

  /** Number of these attempts that may start now. */
  among(slots: number, now: DateTime.Utc): number {
    return this.#all.among(slots, now)
  }

  /** True if recovered deliveries may start now. */
  mayRecover(now: DateTime.Utc): boolean {
    return this.#recoveries.among(1, now) > 0
  }

  /**
   * The deliveries of a take that may start now, `slots` at most. The rate of recoveries limits the recovered ones.
   * Those that a person recovers at once count too, and so do those that skip a hold.
   */
  startable(deliveries: ReadonlyArray<TakenDelivery>, slots: number, now: DateTime.Utc): ReadonlyArray<TakenDelivery> {
    if (this.#recoveries.rate === null) return deliveries.slice(0, slots)
    let left = this.#recoveries.among(slots, now)
    return deliveries.filter(({ trigger }) => trigger !== "recover" || left-- > 0).slice(0, slots)
  }

  started(deliveries: ReadonlyArray<Pick<TakenDelivery, "trigger">>, now: DateTime.Utc): void {
    this.#all.started(deliveries.length, now)
    if (this.#recoveries.rate === null) return
    this.#recoveries.started(deliveries.filter(({ trigger }) => trigger === "recover").length, now)
  }

  /** When the next attempt may start; null where one may start now. */
  resumesAt(now: DateTime.Utc): DateTime.Utc | null {
    return this.#all.resumesAt(now)
  }

  /** The time when the next recovered delivery may start. Null if one may start now. */
  recoversAt(now: DateTime.Utc): DateTime.Utc | null {
    return this.#recoveries.resumesAt(now)
  }

  /** The pace that the row keeps when the lane is released. */
  givenBack(now: DateTime.Utc): Release["paced"] {
    if (this.#all.rate === null && this.#recoveries.rate === null) return undefined
    return {
      until: this.resumesAt(now),
      full_at: this.#all.fullAt(now),
      recovery_full_at: this.#recoveries.fullAt(now)
    }
  }

  /**
   * Ends the drain if nothing is due, or if the first due delivery was not yet due when the drain began. Answers the
   * time until which the drain reached. The lane goes on without it.
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
