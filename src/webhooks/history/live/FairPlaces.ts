import { Deferred, Effect } from "effect"

/** A place and the names of its holder. */
export interface Place {
  readonly names: ReadonlyArray<string>
  /** Ends when the place goes to somebody else. */
  readonly lost: Effect.Effect<void>
  /** True once that has happened. */
  readonly isLost: () => boolean
}

/**
 * Places that their holders share fairly. Each has several names, such as an account's and a founder's. If all are in
 * use, the name with most places gives up its newest, unless the newcomer would then have as many.
 */
export class FairPlaces {
  readonly #most: number
  /** In the order of their start. */
  readonly #taken = new Map<Place, Deferred.Deferred<void>>()
  readonly #counts = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Number of places with this name. */
  count(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  #add(names: ReadonlyArray<string>, more: 1 | -1): void {
    for (const name of names) {
      const count = this.count(name) + more
      if (count === 0) this.#counts.delete(name)
      else this.#counts.set(name, count)
    }
  }

  /** The name that has most places, unless the newcomer would then have as many. */
  #richest(newcomer: ReadonlyArray<string>): string | undefined {
    let [richest, most]: [string | undefined, number] = [
      undefined,
      Math.max(...newcomer.map((name) => this.count(name))) + 1
    ]
    for (const [name, count] of this.#counts) {
      if (count > most) [richest, most] = [name, count]
    }
    return richest
  }

  /** Undefined if all are in use and no name has at least two more than the newcomer. */
  take(names: ReadonlyArray<string>): Place | undefined {
    if (this.#taken.size >= this.#most) {
      const richest = this.#richest(names)
      const newest = richest === undefined
        ? undefined
        : [...this.#taken].findLast(([{ names }]) => names.includes(richest))
      if (newest === undefined) return undefined
      const [place, lost] = newest
      this.leave(place)
      Deferred.doneUnsafe(lost, Effect.void)
    }
    const lost = Deferred.makeUnsafe<void>()
    const place: Place = { names, lost: Deferred.await(lost), isLost: () => !this.#taken.has(place) }
    this.#taken.set(place, lost)
    this.#add(names, 1)
    return place
  }

  /** Frees a place. A lost place is free already. */
  leave(place: Place): void {
    if (this.#taken.delete(place)) this.#add(place.names, -1)
  }
}
