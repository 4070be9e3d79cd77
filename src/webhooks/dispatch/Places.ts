import type { ClubId } from "../../identity/ids/ClubId.ts"

/**
 * Shares the lanes that a process may hold among clubs: no club takes more than what is left free, so however many
 * lanes stand still behind slow receivers, the next club finds a place.
 */
export class Places {
  readonly #byClub = new Map<ClubId, number>()
  #free: number

  /** @param capacity lanes held at once */
  constructor(capacity: number) {
    this.#free = capacity
  }

  /** Lanes to lease next at most: half of what is free, so that one statement cannot give a club more than its share. */
  get room(): number {
    return Math.ceil(this.#free / 2)
  }

  take(club: ClubId): void {
    this.#free -= 1
    this.#byClub.set(club, (this.#byClub.get(club) ?? 0) + 1)
  }

  giveBack(club: ClubId): void {
    this.#free += 1
    const left = (this.#byClub.get(club) ?? 0) - 1
    if (left > 0) this.#byClub.set(club, left)
    else this.#byClub.delete(club)
  }

  /** Whether this club has its share: another of its lanes finds a place only when one is given back. */
  hasShare(club: ClubId): boolean {
    return (this.#byClub.get(club) ?? 0) >= this.#free
  }

  /** The clubs that have their share. */
  withShare(): ReadonlyArray<ClubId> {
    return [...this.#byClub.keys()].filter((club) => this.hasShare(club))
  }
}
