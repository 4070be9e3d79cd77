import { DateTime, Duration, Effect, Option } from "effect"
import { afterAttempt } from "../../engine/dispatch/AfterAttempt.ts"
import {
  afterFailure,
  afterSuccess,
  allowance,
  type Breaker,
  isHeld,
  normalBreaker
} from "../../engine/dispatch/Breaker.ts"
import { makeNextWait } from "../../engine/dispatch/RetrySchedule.ts"
import { longestWait, type WebhookRules } from "../../model/WebhookSettings.ts"
import { Heap } from "./Heap.ts"

/** The rules of deliveries. */
export type Rules = WebhookRules["Service"]

/** A receiver that accepts nothing from one moment until another. Times are in milliseconds. */
export interface Outage {
  readonly from: number
  readonly to: number
  /** Between two events. */
  readonly interval: number
  /** How long an attempt takes that fails. */
  readonly takes: number
  /** The wait that its answers ask for. Null without one. */
  readonly retryAfter: number | null
}

/** An event on its way, as it goes in an outage. Times are in milliseconds. */
export interface Journey {
  readonly created: number
  /** When each attempt began. */
  readonly attempts: Array<number>
  outcome: "canceled" | "delivered" | "expired" | "failed" | "pending"
  /** When it came to that. */
  ended: number
}

/** The fate of the events of an outage. */
export interface Course {
  /** Those of the outage, then those after it that the hold delayed. */
  readonly journeys: ReadonlyArray<Journey>
  readonly heldFrom: number | null
  readonly heldUntil: number | null
  readonly disabledAt: number | null
}

interface Waiting {
  readonly journey: Journey
  readonly number: number
  readonly step: number
  readonly due: number
}

interface UnderWay extends Waiting {
  readonly ends: number
  readonly accepted: boolean
  readonly startedHeld: boolean
}

const utc = (millis: number) => DateTime.makeUnsafe(millis)

/** The waits after attempt 1, 2 and so on, with jitter at its middle. There is no wait after the last. */
export const waitsOf = (
  rules: Rules,
  retryAfter: number | null
): Effect.Effect<ReadonlyArray<Option.Option<Duration.Duration>>> =>
  Effect.flatMap(makeNextWait({ ...rules, retry_jitter: 0 }), (nextWait) => {
    const asked = retryAfter === null ? Option.none() : Option.some(Duration.millis(retryAfter))
    return Effect.forEach(
      [...rules.retry_schedule, undefined],
      (_, index) => nextWait({ step: index + 1, retryAfter: asked })
    )
  })

/** One endpoint through an outage. */
class Run {
  readonly #outage: Outage
  readonly #rules: Rules
  readonly #waits: ReadonlyArray<Option.Option<Duration.Duration>>
  readonly #queue = new Heap<Waiting>((one, other) =>
    one.due === other.due ? one.number < other.number : one.due < other.due
  )
  readonly #underWay = new Heap<UnderWay>((one, other) => one.ends < other.ends)
  readonly #journeys: Array<Journey> = []
  readonly #longest: number
  #sending = 0
  #breaker: Breaker = normalBreaker
  #heldFrom: number | null = null
  #heldUntil: number | null = null
  #now: number

  constructor(outage: Outage, rules: Rules, waits: ReadonlyArray<Option.Option<Duration.Duration>>) {
    this.#outage = outage
    this.#rules = rules
    this.#waits = waits
    this.#now = outage.from
    this.#longest = Duration.toMillis(longestWait(rules))
  }

  course(): Course {
    let disabledAt: number | null = null
    for (let at = this.#next(); at !== undefined; at = this.#next()) {
      disabledAt = this.#disabledBy(at)
      if (disabledAt !== null) {
        this.#arrive(disabledAt - 1)
        this.#cancel(disabledAt)
        break
      }
      this.#now = at
      this.#arrive(at)
      this.#end()
      this.#start()
    }
    return { journeys: this.#journeys, heldFrom: this.#heldFrom, heldUntil: this.#heldUntil, disabledAt }
  }

  /** When something happens next. */
  #next(): number | undefined {
    const never = Number.POSITIVE_INFINITY
    const arrival = this.#arrival()
    // An event during a hold changes nothing before its end.
    const heard = arrival === undefined ? never : Math.max(arrival, this.#breaker.hold_until?.epochMilliseconds ?? 0)
    const at = Math.min(heard, this.#underWay.first?.ends ?? never, this.#due() ?? never)
    return at === never ? undefined : Math.max(this.#now, at)
  }

  /** Events come for as long as one of them may be delayed. */
  #arrival(): number | undefined {
    const at = this.#outage.from + this.#journeys.length * this.#outage.interval
    return at < this.#outage.to || isHeld(this.#breaker) ? at : undefined
  }

  /** The time when the first of the queue may be sent. Undefined while every slot is in use. */
  #due(): number | undefined {
    const { first } = this.#queue
    const { slots } = this.#allowance()
    if (first === undefined || slots === 0) return undefined
    return Math.max(first.due, this.#breaker.hold_until?.epochMilliseconds ?? 0)
  }

  #allowance() {
    const taken = { inFlight: this.#sending, laneConcurrency: this.#rules.lane_concurrency }
    return allowance(this.#breaker, utc(this.#now), taken)
  }

  /** The time when the endpoint is disabled, if that is before anything else happens. */
  #disabledBy(at: number): number | null {
    const { failing_since } = this.#breaker
    if (failing_since === null) return null
    const disabled = failing_since.epochMilliseconds + Duration.toMillis(this.#rules.disable_after)
    return disabled <= at ? disabled : null
  }

  #arrive(until: number): void {
    for (let at = this.#arrival(); at !== undefined && at <= until; at = this.#arrival()) {
      const journey: Journey = { created: at, attempts: [], outcome: "pending", ended: at }
      this.#queue.add({ journey, number: this.#journeys.length, step: 0, due: at })
      this.#journeys.push(journey)
    }
  }

  #start(): void {
    for (;;) {
      const { requestedOnly, slots } = this.#allowance()
      const { first } = this.#queue
      if (requestedOnly || slots === 0 || first === undefined || first.due > this.#now) return
      this.#queue.take()
      this.#attempt(first)
    }
  }

  #attempt(waiting: Waiting): void {
    const { journey } = waiting
    if (this.#now - journey.created >= this.#longest) {
      this.#finish(journey, "expired", this.#now)
      return
    }
    const accepted = this.#now < this.#outage.from || this.#now >= this.#outage.to
    journey.attempts.push(this.#now)
    this.#sending += 1
    const ends = this.#now + (accepted ? 0 : this.#outage.takes)
    this.#underWay.add({ ...waiting, ends, accepted, startedHeld: isHeld(this.#breaker) })
  }

  #end(): void {
    for (let { first } = this.#underWay; first !== undefined && first.ends <= this.#now; { first } = this.#underWay) {
      this.#underWay.take()
      this.#settle(first)
    }
  }

  #settle({ accepted, ends, journey, number, startedHeld, step }: UnderWay): void {
    this.#sending -= 1
    const before = this.#breaker
    const at = utc(ends)
    this.#breaker = accepted ? afterSuccess(before) : afterFailure(before, { at, startedHeld }, this.#rules)
    if (!isHeld(before) && isHeld(this.#breaker)) this.#heldFrom ??= ends
    if (isHeld(before) && !isHeld(this.#breaker)) this.#heldUntil = ends
    const taken = { status: "pending" as const, step, trigger: "schedule" as const, once: false }
    const after = afterAttempt(taken, accepted, at, this.#waits[step] ?? Option.none())
    if (after.next_attempt_at !== null) {
      this.#queue.add({ journey, number, step: after.step, due: after.next_attempt_at.epochMilliseconds })
    } else this.#finish(journey, accepted ? "delivered" : "failed", ends)
  }

  #finish(journey: Journey, outcome: Journey["outcome"], at: number): void {
    journey.outcome = outcome
    journey.ended = at
  }

  #cancel(at: number): void {
    for (const journey of this.#journeys) if (journey.outcome === "pending") this.#finish(journey, "canceled", at)
  }
}

/**
 * The fate of the events of an outage by the current rules: schedule, breaker, disabling and expiry. Before and after
 * it, everything is accepted at once. Nothing is random: jitter is at its middle.
 */
export const runOutage = (
  outage: Outage,
  rules: Rules,
  waits: ReadonlyArray<Option.Option<Duration.Duration>>
): Course => new Run(outage, rules, waits).course()
