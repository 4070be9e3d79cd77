import { DateTime, Duration } from "effect"
import type { WebhookDeliveryId } from "../../model/WebhookDeliveryId.ts"

/** The place of a delivery in the queue of its lane, which is in the order of both. */
export interface QueuePlace {
  readonly next_attempt_at: DateTime.Utc
  readonly id: WebhookDeliveryId
}

/** How long a lane reads on from a place. A delivery that comes to lie before the place waits at most this long. */
const longest = Duration.seconds(1)

/**
 * The place from which a worker reads on in a lane with more deliveries than it can start. Deliveries under way lie at
 * the front of the queue until they are settled. Settled ones stay there for a while. Without a cursor each take looks
 * at all of them again.
 */
export class LaneCursor {
  #after: QueuePlace | null = null
  /** When the queue was last read from its start. */
  #since = DateTime.makeUnsafe(0)

  /** The place to read after. Null: the take reads the queue from its start. */
  at(now: DateTime.Utc): QueuePlace | null {
    // Either way: the clock may have been set back.
    const passed = Duration.abs(DateTime.distance(this.#since, now))
    if (Duration.isGreaterThanOrEqualTo(passed, longest)) this.#after = null
    return this.#after
  }

  /** The next take, whose time is `now`, reads on after this. */
  moveTo(place: QueuePlace, now: DateTime.Utc): void {
    if (this.#after === null) this.#since = now
    this.#after = place
  }

  /** The next take reads from the start. */
  reset(): void {
    this.#after = null
  }
}
