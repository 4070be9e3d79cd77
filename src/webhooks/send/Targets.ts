import { Data } from "effect"
import type { NetAddress } from "effect/net"
import type { ClubId } from "../../identity/ids/ClubId.ts"
import { addressKey } from "../../identity/limits/forwardedAddress.ts"

/**
 * The keys that count attempts to these addresses: each IPv4 address, and the /64 of an IPv6 address, which is one
 * host's.
 */
export const targetsOf = (addresses: ReadonlyArray<NetAddress.IpAddress>): ReadonlyArray<string> => [
  ...new Set(addresses.map(addressKey))
]

/** The club of counted attempts. Undefined for attempts without a club. */
type Holder = ClubId | undefined

/** Called when there is room; once. */
export type OnRoom = () => void

/** Milliseconds for which a notified club keeps its room: it has to read, sign and look up first. */
const keptFor = 1_000

/** The attempts in flight to one address, and what waits for room. */
interface Usage {
  used: number
  readonly byClub: Map<Holder, number>
  readonly waiting: Map<OnRoom, Holder>
  /** The end of the kept room of each notified club. */
  readonly kept: Map<Holder, number>
}

/**
 * Caps the attempts that a process has in flight to one address, whatever the name and the endpoint. A club starts
 * another only while it has fewer than stay free, so the next club finds room.
 */
export class Targets {
  readonly #most: number
  readonly #monotonic: () => number
  readonly #usages = new Map<string, Usage>()

  /**
   * @param most attempts in flight to one address
   * @param monotonic milliseconds that never go back
   */
  constructor(most: number, monotonic: () => number) {
    this.#most = most
    this.#monotonic = monotonic
  }

  /** Number of further attempts that a club may start at this address. */
  room(address: string, club: Holder): number {
    const usage = this.#usages.get(address)
    const left = usage === undefined
      ? this.#most
      : this.#most - usage.used - this.#keptFromOthers(usage, club) - (usage.byClub.get(club) ?? 0)
    // After n more, the last of them still had fewer than stayed free.
    return Math.max(0, Math.ceil(left / 2))
  }

  /** Counts an attempt in. False, and it is not counted, if there is no room for it. */
  take(address: string, club: Holder): boolean {
    if (this.room(address, club) === 0) return false
    const usage = this.#usages.get(address) ?? { used: 0, byClub: new Map(), waiting: new Map(), kept: new Map() }
    this.#usages.set(address, usage)
    usage.used += 1
    usage.kept.delete(club)
    usage.byClub.set(club, (usage.byClub.get(club) ?? 0) + 1)
    return true
  }

  /** Counts an attempt out that was counted in. Tells the waiting club that has fewest, or all if nothing is in flight. */
  release(address: string, club: Holder): void {
    const usage = this.#usages.get(address)
    if (usage === undefined) return
    usage.used -= 1
    const left = (usage.byClub.get(club) ?? 0) - 1
    if (left > 0) usage.byClub.set(club, left)
    else usage.byClub.delete(club)
    if (usage.used === 0) {
      this.#usages.delete(address)
      for (const tell of usage.waiting.keys()) tell()
    } else if (usage.waiting.size > 0) this.#tellNext(address, usage)
  }

  /** Calls back when an attempt to this address has ended and this is the next. Nothing waits while nothing is in flight. */
  wait(address: string, club: Holder, tell: OnRoom): void {
    this.#usages.get(address)?.waiting.set(tell, club)
  }

  /** Ends a wait. */
  leave(address: string, tell: OnRoom): void {
    this.#usages.get(address)?.waiting.delete(tell)
  }

  // The places kept for clubs other than this one.
  #keptFromOthers({ kept }: Usage, club: Holder): number {
    if (kept.size === 0) return 0
    const now = this.#monotonic()
    let others = 0
    for (const [holder, until] of kept) {
      if (until <= now) kept.delete(holder)
      else if (holder !== club) others += 1
    }
    return others
  }

  // Of clubs that have equally many, the one that has waited longest.
  #tellNext(address: string, { byClub, kept, waiting }: Usage): void {
    let next: OnRoom | undefined
    let fewest = Infinity
    for (const [tell, club] of waiting) {
      const has = byClub.get(club) ?? 0
      if (has >= fewest || this.room(address, club) === 0) continue
      next = tell
      fewest = has
    }
    if (next === undefined) return
    kept.set(waiting.get(next), this.#monotonic() + keptFor)
    waiting.delete(next)
    next()
  }
}

/** The attempt did not start: each address has its most attempts in flight. */
export class TargetsFull extends Data.TaggedError("TargetsFull")<{
  readonly targets: Targets
  readonly addresses: ReadonlyArray<string>
}> {}

/** The addresses at which one attempt is counted: each that it tries, and the one alone that it is connected to. */
export class TargetRoom {
  readonly #targets: Targets
  readonly #club: Holder
  #taken: ReadonlyArray<string> = []

  constructor(targets: Targets, club: Holder) {
    this.#targets = targets
    this.#club = club
  }

  /**
   * Takes room at the addresses that have some, and answers which. It keeps its room there, so an attempt that is sent
   * once more need not wait. It releases its room at other addresses.
   */
  take(addresses: ReadonlyArray<string>): ReadonlyArray<string> {
    const before = this.#taken
    this.#taken = addresses.filter((address) => before.includes(address) || this.#targets.take(address, this.#club))
    for (const other of before) if (!this.#taken.includes(other)) this.#targets.release(other, this.#club)
    return this.#taken
  }

  /** Releases the room at all other addresses. */
  keepOnly(address: string): void {
    if (!this.#taken.includes(address)) return
    for (const other of this.#taken) if (other !== address) this.#targets.release(other, this.#club)
    this.#taken = [address]
  }

  /** Gives everything back. */
  giveBack(): void {
    const taken = this.#taken
    this.#taken = []
    for (const address of taken) this.#targets.release(address, this.#club)
  }

  /** The reason why these addresses have no room. */
  full(addresses: ReadonlyArray<string>): TargetsFull {
    return new TargetsFull({ targets: this.#targets, addresses })
  }
}
