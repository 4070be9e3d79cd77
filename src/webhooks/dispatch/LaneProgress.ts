import type { ClubId } from "../../identity/ids/ClubId.ts"
import type { DeliveryId } from "../delivery/DeliveryId.ts"
import type { Slots } from "./Slots.ts"

/** What a worker has under way in one lane, and which slots it uses for it. */
export class LaneProgress {
  /** Deliveries that were taken and are not settled yet. */
  readonly underWay = new Set<DeliveryId>()
  /** Posts that have not ended. */
  sending = 0
  /** Whether another look at the table may find something to start. */
  hungry = true
  /** Whether somebody else has the lane by now. */
  lost = false
  // The first post of a lane needs no slot of the pool.
  #pooled = 0
  readonly #club: ClubId
  readonly #slots: Slots

  constructor(club: ClubId, slots: Slots) {
    this.#club = club
    this.#slots = slots
  }

  /** How many of the allowed posts there is room for at this moment. What is not started is given back by `settleSlots`. */
  reserve(allowed: number): number {
    const own = this.sending === 0 && allowed > 0 ? 1 : 0
    const granted = allowed > own ? this.#slots.reserve(this.#club, allowed - own) : 0
    this.#pooled += granted
    return own + granted
  }

  /** Gives back every slot that no post uses. */
  settleSlots(): void {
    const unused = this.#pooled - Math.max(0, this.sending - 1)
    if (unused <= 0) return
    this.#slots.giveBack(this.#club, unused)
    this.#pooled -= unused
  }

  started(id: DeliveryId): void {
    this.underWay.add(id)
    this.sending += 1
  }

  ended(): void {
    this.sending -= 1
    this.settleSlots()
  }

  /** Nothing is under way any more, however it ended. */
  cutOff(): void {
    this.underWay.clear()
    this.sending = 0
    this.settleSlots()
  }
}
