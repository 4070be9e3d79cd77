import { type AttemptPhases, type PhaseName, phaseNames } from "../model/AttemptPhases.ts"
import { longestTime } from "../model/LongestTime.ts"

const places: Readonly<Record<PhaseName, number>> = {
  lookup_ms: 0,
  connect_ms: 1,
  tls_ms: 2,
  send_ms: 3,
  wait_ms: 4,
  read_ms: 5
}

/**
 * Times the phases of one attempt. Each phase lasts until the next one begins, and the last one until the attempt ends.
 * So together they are as long as the attempt.
 */
export class PhaseTimer {
  readonly #monotonic: () => number
  readonly #taken: Array<number | null> = [null, null, null, null, null, null]
  #place = -1
  #since = 0

  /** The clock is in monotonic milliseconds. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  /**
   * Ends the phase before. Does nothing if this or a later phase has begun: an answer may come before all is written.
   */
  begin(phase: PhaseName, now = this.#monotonic()): void {
    const place = places[phase]
    if (place > this.#place) this.#moveTo(place, now)
  }

  /** The bytes that came are not an answer yet: the wait for one goes on, as if it had never been over. */
  waitOn(): void {
    if (this.#place !== places.read_ms) return
    this.#place = places.wait_ms
    this.#since -= this.#taken[places.wait_ms] ?? 0
    this.#taken[places.wait_ms] = null
  }

  /** Ends the last phase; no phase begins any more. Null if no phase had begun. */
  end(): AttemptPhases | null {
    if (this.#place === -1) return null
    this.#moveTo(phaseNames.length, this.#monotonic())
    const [lookup_ms = null, connect_ms = null, tls_ms = null, send_ms = null, wait_ms = null, read_ms = null] =
      this.#taken
    return { lookup_ms, connect_ms, tls_ms, send_ms, wait_ms, read_ms }
  }

  #moveTo(place: number, now: number): void {
    if (this.#place >= 0 && this.#place < phaseNames.length) {
      this.#taken[this.#place] = Math.min(now - this.#since, longestTime)
    }
    this.#place = place
    this.#since = now
  }
}
