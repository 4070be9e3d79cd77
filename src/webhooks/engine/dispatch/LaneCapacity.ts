import type { ClubId } from "../../../identity/ids/ClubId.ts"

/**
 * Shares a process's lanes among clubs: a club may take at most as many as stay free. So there is room for the next
 * club, however many lanes wait for slow receivers.
 */
export class LaneCapacity {
  readonly #byClub = new Map<ClubId, number>()
  #free: number

  /** @param capacity lanes leased at once */
  constructor(capacity: number) {
    this.#free = capacity
  }

  /** Lanes to claim next at most: half of what is free, so that one statement cannot give a club more than its share. */
  get claimLimit(): number {
    return Math.ceil(this.#free / 2)
  }

  acquire(club: ClubId): void {
    this.#free -= 1
    this.#byClub.set(club, (this.#byClub.get(club) ?? 0) + 1)
  }

  release(club: ClubId): void {
    this.#free += 1
    const left = (this.#byClub.get(club) ?? 0) - 1
    if (left > 0) this.#byClub.set(club, left)
    else this.#byClub.delete(club)
  }

  /** True if this club has its share. Another of its lanes then waits until one is released. */
  isAtShare(club: ClubId): boolean {
    return (this.#byClub.get(club) ?? 0) >= this.#free
  }

  /** The clubs that have their share. */
  clubsAtShare(): ReadonlyArray<ClubId> {
    return [...this.#byClub.keys()].filter((club) => this.isAtShare(club))
  }
}
