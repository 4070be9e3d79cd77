import { type Change, rowsOf } from "./Journal.ts"
import { pathOf, type Post } from "./Network.ts"
import { deliveryOf, type Lane, laneOf, moveOf, type Shadow } from "./Shadow.ts"

/** Milliseconds (a lease) for which a frozen process may still act on limits that it read before. */
const memory = 31_000

/** Number of attempts that may start at once after a pause, on top of the rate. */
const burstOf = (rate: number) => Math.max(1, Math.floor(rate / 10))

/** The limits of an endpoint; null is unlimited. */
interface Allowed {
  readonly rate: number | null
  /** The rate of deliveries that recovery jobs have moved. */
  readonly recoveryRate: number | null
  readonly atOnce: number | null
}

interface Bucket {
  readonly rate: number
  level: number
  at: number
}

const highest = (values: ReadonlyArray<number | null>): number | null =>
  values.reduce<number | null>((most, value) => most === null || value === null ? null : Math.max(most, value), 0)

/**
 * Checks that requests keep the limits of their endpoints, although several processes take turns. A process does not
 * know of requests that a frozen one has under way.
 */
export class Limits {
  readonly #buckets = new Map<string, Bucket>()
  /** Replaced limits by endpoint, with the time of the change. */
  readonly #replaced = new Map<string, Array<Allowed & { readonly at: number }>>()

  /** The problems with these requests. The shadow has the state before the changes. */
  judge(
    posts: ReadonlyArray<Post>,
    { changes, isCalm, now, shadow }: {
      readonly changes: ReadonlyArray<Change>
      readonly isCalm: boolean
      readonly now: number
      readonly shadow: Shadow
    }
  ): ReadonlyMap<Post, ReadonlyArray<string>> {
    const lanes = rowsOf(changes, "webhook_lanes").map(laneOf)
    for (const { endpoint } of lanes) this.#remember(shadow.lanes.get(endpoint), now)
    const isMoved = this.#movedBy(shadow, changes)
    const byPath = new Map([...shadow.endpoints.values()].map(({ id, url }) => [pathOf(url), id]))
    return new Map(posts.map((post) => {
      const endpoint = byPath.get(pathOf(post.url))
      const current = endpoint === undefined ? undefined : shadow.lanes.get(endpoint)
      if (endpoint === undefined || current === undefined) return [post, []]
      const versions = [current, ...lanes.filter((lane) => lane.endpoint === endpoint)]
      const known = isCalm ? [] : (this.#replaced.get(endpoint) ?? []).filter(({ at }) => at > now - memory)
      const all: ReadonlyArray<Allowed> = [...versions, ...known]
      return [post, [
        ...this.#judgeRate(post, endpoint, highest(all.map(({ rate }) => rate))),
        ...(isMoved(post, endpoint)
          ? this.#judgeRate(post, `the recovery of ${endpoint}`, highest(all.map(({ recoveryRate }) => recoveryRate)))
          : []),
        ...this.#judgeAtOnce(post, highest(all.map(({ atOnce }) => atOnce)), isCalm)
      ]]
    }))
  }

  #remember(lane: Lane | undefined, at: number): void {
    if (lane === undefined) return
    const { atOnce, endpoint, rate, recoveryRate } = lane
    const before = (this.#replaced.get(endpoint) ?? []).filter((one) => one.at > at - memory)
    this.#replaced.set(endpoint, [...before, { atOnce, rate, recoveryRate, at }])
  }

  /** True if a recovery job moved the delivery of a request, has not counted its end, and no person has resent it. */
  #movedBy(shadow: Shadow, changes: ReadonlyArray<Change>): (post: Post, endpoint: string) => boolean {
    const moved = new Set([
      ...[...shadow.moves.values()].map(({ delivery }) => delivery),
      ...rowsOf(changes, "webhook_recovery_moves").map((row) => moveOf(row).delivery)
    ])
    if (moved.size === 0) return () => false
    const all = [...shadow.deliveries.values(), ...rowsOf(changes, "webhook_deliveries").map(deliveryOf)]
    const resent = new Set(all.filter(({ state }) => state.trigger === "manual").map(({ id }) => id))
    const ofJobs = all.filter(({ id }) => moved.has(id) && !resent.has(id))
    const keys = new Set(ofJobs.map(({ endpoint, event }) => `${event} ${endpoint}`))
    return ({ headers }, endpoint) => keys.has(`${headers["webhook-id"]} ${endpoint}`)
  }

  #judgeRate(post: Post, whose: string, rate: number | null): ReadonlyArray<string> {
    if (rate === null) {
      this.#buckets.delete(whose)
      return []
    }
    const before = this.#buckets.get(whose)
    const bucket = before?.rate === rate ? before : { rate, level: burstOf(rate), at: post.at }
    this.#buckets.set(whose, bucket)
    bucket.level = Math.min(burstOf(rate), bucket.level + rate * (post.at - bucket.at) / 1000) - 1
    bucket.at = post.at
    return bucket.level < -1e-6 ? [`sent faster than ${rate} a second, by ${whose}`] : []
  }

  // The receiver may have finished requests of a frozen process, so only those of the same sender count.
  #judgeAtOnce({ beside, besideOwn }: Post, atOnce: number | null, isCalm: boolean): ReadonlyArray<string> {
    const others = isCalm ? beside : besideOwn
    return atOnce !== null && others >= atOnce
      ? [`sent beside ${others} others, where ${atOnce} may be under way at once`]
      : []
  }
}
