import { DateTime, Duration, Option } from "effect"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { addressKey, parseAddress } from "../../../identity/limits/forwardedAddress.ts"
import type { OnRoom, TargetsFull } from "../../send/Targets.ts"

/** A lane whose receiver is crowded tries again after this long, if nobody tells it before. */
const pause = Duration.seconds(1)

/**
 * A lane's knowledge of the room at its receiver's addresses. It begins when full addresses put off an attempt. From
 * then on the lane starts as many attempts as there is room for. It also tries one a second beyond, since its receiver
 * may have moved.
 */
export class LaneCrowd {
  /**
   * True if a full address has put off an attempt since this was last set to false. The lane then reads the delivery
   * again.
   */
  hasPutOff = false
  readonly #club: ClubId
  readonly #tell: OnRoom
  #full: { readonly where: TargetsFull; readonly triesAt: DateTime.Utc } | undefined
  #resumesAt: DateTime.Utc | null = null

  /** @param tell called when there may be room again */
  constructor(club: ClubId, tell: OnRoom) {
    this.#club = club
    this.#tell = tell
  }

  /** These full addresses put an attempt off. */
  met(where: TargetsFull, now: DateTime.Utc): void {
    this.forget()
    this.hasPutOff = true
    this.#full = { where, triesAt: DateTime.addDuration(now, pause) }
    this.#wait(where)
  }

  /** An attempt connected to this address, or to no address (null). Another address makes the knowledge old. */
  reached(address: string | null): void {
    if (address === null || this.#full === undefined) return
    const target = Option.map(parseAddress(address), addressKey)
    const { addresses } = this.#full.where
    if (Option.exists(target, (reached) => !addresses.includes(reached))) this.forget()
  }

  /** Number of these attempts that may start now. */
  among(slots: number, now: DateTime.Utc): number {
    this.#resumesAt = null
    if (this.#full === undefined || slots === 0) return slots
    const { triesAt, where } = this.#full
    const room = Math.max(...where.addresses.map((address) => where.targets.room(address, this.#club)))
    if (room >= slots) {
      this.forget()
      return slots
    }
    this.#wait(where)
    const least = DateTime.isLessThanOrEqualTo(triesAt, now) ? 1 : 0
    const allowed = Math.max(least, room)
    if (allowed === 0) this.#resumesAt = triesAt
    return allowed
  }

  /** When to try again, as `among` found last; null if it let something start. */
  get resumesAt(): DateTime.Utc | null {
    return this.#resumesAt
  }

  /** Nothing is known, and nobody is to tell it any more. */
  forget(): void {
    for (const address of this.#full?.where.addresses ?? []) this.#full?.where.targets.leave(address, this.#tell)
    this.#full = undefined
  }

  #wait({ addresses, targets }: TargetsFull): void {
    for (const address of addresses) targets.wait(address, this.#club, this.#tell)
  }
}
