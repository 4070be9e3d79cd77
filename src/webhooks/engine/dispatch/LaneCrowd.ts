import { DateTime, Duration, Option } from "effect"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { addressKey, parseAddress } from "../../../identity/limits/forwardedAddress.ts"
import type { OnRoom, TargetsFull } from "../../send/Targets.ts"

/** A lane whose receiver is crowded tries again after this long, if nobody tells it before. */
const pause = Duration.seconds(1)

/**
 * What a lane knows of the room at the addresses of its receiver: nothing, until an attempt was put off because they were
 * full. From then on it starts as many as there is room for, and one a second beyond, since its receiver may have moved.
 */
export class LaneCrowd {
  /** Whether an attempt was put off since this was last set to false: the delivery is to be read again. */
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

  /** An attempt was put off, since these addresses are full. */
  met(where: TargetsFull, now: DateTime.Utc): void {
    this.forget()
    this.hasPutOff = true
    this.#full = { where, triesAt: DateTime.addDuration(now, pause) }
    this.#wait(where)
  }

  /** An attempt was made at this address, null where it was connected to none. What is known of other addresses is old. */
  reached(address: string | null): void {
    if (address === null || this.#full === undefined) return
    const target = Option.map(parseAddress(address), addressKey)
    const { addresses } = this.#full.where
    if (Option.exists(target, (reached) => !addresses.includes(reached))) this.forget()
  }

  /** How many of these attempts may start now. */
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
