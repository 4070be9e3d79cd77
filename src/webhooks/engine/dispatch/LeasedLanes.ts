import { Effect, Latch } from "effect"
import type { ClubId } from "../../../identity/ids/ClubId.ts"
import { LaneCapacity } from "./LaneCapacity.ts"
import { LaneSignal } from "./LaneSignal.ts"
import type { ClaimExclusions } from "./LanesRepo.ts"
import { type ClaimedLane, keyOf, type Lease } from "./Lease.ts"

interface LeasedLane {
  readonly lease: Lease
  readonly signal: LaneSignal
}

/** The lanes that this process leases, by `keyOf` their lease, and how many more it may lease. */
export class LeasedLanes {
  readonly #lanes = new Map<string, LeasedLane>()
  readonly #capacity: LaneCapacity
  readonly #occupied = Latch.makeUnsafe()
  readonly #givenBack = Latch.makeUnsafe()

  /** @param capacity lanes leased at once */
  constructor(capacity: number) {
    this.#capacity = new LaneCapacity(capacity)
  }

  /** Waits until a lane is leased. */
  readonly whenOccupied: Effect.Effect<void> = this.#occupied.await

  /** Waits until a worker releases a lane after `resetGivenBack`. */
  readonly whenGivenBack: Effect.Effect<void> = this.#givenBack.await

  readonly resetGivenBack: Effect.Effect<boolean> = this.#givenBack.close

  /** Lanes to claim next at most. */
  get claimLimit(): number {
    return this.#capacity.claimLimit
  }

  /** True if a club has its share of lanes: the lanes of others should have a turn. */
  readonly isAtShare = (club: ClubId): boolean => this.#capacity.isAtShare(club)

  get isAnyAtShare(): boolean {
    return this.#capacity.clubsAtShare().length > 0
  }

  get isEmpty(): boolean {
    return this.#lanes.size === 0
  }

  /** The lanes not to claim: lanes of clubs that have their share, and lanes that this process has leased. */
  get except(): ClaimExclusions {
    return {
      clubs: this.#capacity.clubsAtShare(),
      endpoints: Array.from(this.#lanes.values(), ({ lease }) => lease.endpoint_id)
    }
  }

  /** The leases by their keys, as of this moment. */
  get leases(): ReadonlyMap<string, Lease> {
    return new Map(Array.from(this.#lanes, ([key, { lease }]) => [key, lease]))
  }

  has(key: string): boolean {
    return this.#lanes.has(key)
  }

  /** Counts a claimed lane, and answers the signal that wakes it. */
  readonly add = ({ club_id, endpoint_id, lease_id }: ClaimedLane): Effect.Effect<LaneSignal> =>
    Effect.suspend(() => {
      const lease = { club_id, endpoint_id, lease_id }
      const signal = new LaneSignal()
      this.#lanes.set(keyOf(lease), { lease, signal })
      this.#capacity.acquire(club_id)
      return Effect.as(this.#occupied.open, signal)
    })

  /** Makes room for another lane. */
  readonly remove = (lane: ClaimedLane): Effect.Effect<boolean> =>
    Effect.suspend(() => {
      this.#lanes.delete(keyOf(lane))
      this.#capacity.release(lane.club_id)
      return Effect.andThen(this.#lanes.size === 0 ? this.#occupied.close : Effect.void, this.#givenBack.open)
    })

  /** Makes every lane read the table again. */
  readonly wakeAll: Effect.Effect<void> = Effect.suspend(() =>
    Effect.forEach(this.#lanes.values(), ({ signal }) => signal.wake, { discard: true })
  )
}
