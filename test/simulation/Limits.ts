import { type Change, rowsOf } from "./Journal.ts"
import { pathOf, type Post } from "./Network.ts"
import { type Lane, laneOf, type Shadow } from "./Shadow.ts"

/** For so long, in milliseconds, whoever stands still may act on limits that it was told before: a lease. */
const memory = 31_000

/** How many attempts may start at one moment after a pause, beside what the rate gives. */
const burstOf = (rate: number) => Math.max(1, Math.floor(rate / 10))

/** What an endpoint's receiver may get: null is no limit. */
interface Allowed {
  readonly rate: number | null
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
 * Whether receivers get no more than the limits of their endpoints allow, whoever sends and however many processes take
 * turns. Of those that stand still with something under way the next one knows nothing.
 */
export class Limits {
  readonly #buckets = new Map<string, Bucket>()
  /** Limits that were replaced, and when, by endpoint. */
  readonly #replaced = new Map<string, Array<Allowed & { readonly at: number }>>()

  /** What is wrong with these requests. The shadow is as before the changes. */
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
        ...this.#judgeAtOnce(post, highest(all.map(({ atOnce }) => atOnce)), isCalm)
      ]]
    }))
  }

  #remember(lane: Lane | undefined, at: number): void {
    if (lane === undefined) return
    const { atOnce, endpoint, rate } = lane
    const before = (this.#replaced.get(endpoint) ?? []).filter((one) => one.at > at - memory)
    this.#replaced.set(endpoint, [...before, { atOnce, rate, at }])
  }

  #judgeRate(post: Post, endpoint: string, rate: number | null): ReadonlyArray<string> {
    if (rate === null) {
      this.#buckets.delete(endpoint)
      return []
    }
    const before = this.#buckets.get(endpoint)
    const bucket = before?.rate === rate ? before : { rate, level: burstOf(rate), at: post.at }
    this.#buckets.set(endpoint, bucket)
    bucket.level = Math.min(burstOf(rate), bucket.level + rate * (post.at - bucket.at) / 1000) - 1
    bucket.at = post.at
    return bucket.level < -1e-6 ? [`sent faster than ${rate} a second`] : []
  }

  // Who stands still has its own under way, which the receiver may be working on or not.
  #judgeAtOnce({ beside, besideOwn }: Post, atOnce: number | null, isCalm: boolean): ReadonlyArray<string> {
    const others = isCalm ? beside : besideOwn
    return atOnce !== null && others >= atOnce
      ? [`sent beside ${others} others, where ${atOnce} may be under way at once`]
      : []
  }
}
