import type { ClubId } from "../../../identity/ids/ClubId.ts"
import type { WebhookDeliveryId } from "../../model/WebhookDeliveryId.ts"
import type { AttemptCapacity } from "./AttemptCapacity.ts"

/**
 * The limit of ended attempts of one lane without a record. If the database writes slowly and the receiver is fast,
 * they would grow without end. The next worker would then send all of them again.
 */
export const mostUnrecorded = 128

/** The deliveries that a worker has under way in one lane, and its share of the pool of attempts. */
export class LaneProgress {
  /** Taken deliveries that are not settled yet. */
  readonly underWay = new Set<WebhookDeliveryId>()
  /** Attempts that have not ended. */
  sending = 0
  /** True if reading the table again may find something to start. */
  mayHaveMore = true
  /** True once another worker has the lane. */
  lost = false
  // The first attempt of a lane needs no slot of the pool.
  #pooled = 0
  readonly #club: ClubId
  readonly #capacity: AttemptCapacity

  constructor(club: ClubId, capacity: AttemptCapacity) {
    this.#club = club
    this.#capacity = capacity
  }

  /** True if what has ended has to be recorded before more is sent. */
  get isFull(): boolean {
    return this.#room <= 0
  }

  get #room(): number {
    return mostUnrecorded - (this.underWay.size - this.sending)
  }

  /** Number of wanted attempts that now have room. `releaseUnused` gives back the ones not started. */
  reserve(wanted: number): number {
    const allowed = Math.max(0, Math.min(wanted, this.#room))
    const own = this.sending === 0 && allowed > 0 ? 1 : 0
    const granted = allowed > own ? this.#capacity.reserve(this.#club, allowed - own) : 0
    this.#pooled += granted
    return own + granted
  }

  /** Gives back every slot that no attempt uses. */
  releaseUnused(): void {
    const unused = this.#pooled - Math.max(0, this.sending - 1)
    if (unused <= 0) return
    this.#capacity.release(this.#club, unused)
    this.#pooled -= unused
  }

  started(id: WebhookDeliveryId): void {
    this.underWay.add(id)
    this.sending += 1
  }

  ended(): void {
    this.sending -= 1
    this.releaseUnused()
  }

  /** Nothing is under way any more, however it ended. */
  cutOff(): void {
    this.underWay.clear()
    this.sending = 0
    this.releaseUnused()
  }
}
