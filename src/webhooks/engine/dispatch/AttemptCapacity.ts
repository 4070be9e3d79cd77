import type { ClubId } from "../../../identity/ids/ClubId.ts"

/**
 * Shares a process's attempts among lanes. Half of them belong to the leased lanes, one to each, and no other lane can
 * take these. The other half is a pool: a club may use at most as many slots as stay free. So one club's slow receivers
 * fill at most half of the pool, and the next lane still finds room.
 */
export class AttemptCapacity {
  /** Lanes that a process holds at most: each can always send. */
  readonly lanes: number
  readonly #byClub = new Map<ClubId, number>()
  #free: number

  constructor(concurrency: number) {
    this.lanes = Math.max(1, Math.ceil(concurrency / 2))
    this.#free = concurrency - this.lanes
  }

  /** Reserves up to `wanted` slots of the pool for a club; answers how many. */
  reserve(club: ClubId, wanted: number): number {
    const used = this.#byClub.get(club) ?? 0
    // After taking n more, used + n may not exceed what is still free.
    const granted = Math.max(0, Math.min(wanted, Math.floor((this.#free - used) / 2)))
    this.#free -= granted
    if (granted > 0) this.#byClub.set(club, used + granted)
    return granted
  }

  /** Gives slots of the pool back. */
  release(club: ClubId, count: number): void {
    const left = (this.#byClub.get(club) ?? 0) - count
    this.#free += count
    if (left > 0) this.#byClub.set(club, left)
    else this.#byClub.delete(club)
  }
}
