import { DateTime, Duration } from "effect"
import type { WebhookDeliveryId } from "../../model/WebhookDeliveryId.ts"

/** The place of a delivery in the queue of its lane, which is in the order of both. */
export interface QueuePlace {
  readonly next_attempt_at: DateTime.Utc
  readonly id: WebhookDeliveryId
}

/** For so long a lane is read on from a place: what has come to lie before it waits no longer than this. */
const longest = Duration.seconds(1)

/**
 * Where a worker reads on in the queue of a lane that has more than it can start. What it has under way lies at the front of
 * the queue until it is settled, and so does for a while what was settled just now: without a cursor each take looks at all
 * of that again.
 */
export class LaneCursor {
  #after: QueuePlace | null = null
  /** When the queue was last read from its start. */
  #since = DateTime.makeUnsafe(0)

  /** What is to be read after; null: the queue is read from its start. */
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
