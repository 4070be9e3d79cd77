import autocannon from "autocannon"
import { Effect, Schema } from "effect"
import type { Contender } from "./Contender.ts"
import type { Request } from "./requests.ts"
import { isTiny } from "./sized.ts"

/** The result of one round; times in milliseconds. */
export interface Round {
  readonly requestsPerSecond: number
  readonly p50: number
  readonly p99: number
  readonly cpuPerRequest: number
}

/** The requests of several connections. */
export interface Load {
  readonly name: string
  /** The requests of each connection in turn, over and over; about `each` requests if they may go out only once. */
  readonly requests: (each: number) => ReadonlyArray<ReadonlyArray<Request>>
  readonly once?: boolean
}

/** A request got no answer or a status other than 2xx, or a connection repeated a request that may go out only once. */
export class RoundSpoilt extends Schema.TaggedError<RoundSpoilt>()("RoundSpoilt", { message: Schema.String }) {}

/** The least value that is at least as large as this share of the sorted values. */
export const percentile = (sorted: Float64Array, share: number) =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0

/** More requests than any connection sends in a second. */
const mostPerSecond = 80

interface Answered {
  /** Sorted. */
  readonly latencies: Float64Array
  readonly elapsed: number
  readonly spoilt: number
  /** Answers on the busiest connection. */
  readonly most: number
}

// The driver rounds its own percentiles to whole milliseconds, so this notes each answer.
const fire = (url: string, requests: ReadonlyArray<ReadonlyArray<Request>>, seconds: number) =>
  Effect.callback<Answered>((resume) => {
    const latencies: Array<number> = []
    const answered = new Map<object, number>()
    const started = performance.now()
    let last = started
    let next = 0
    const run = autocannon({
      url,
      connections: requests.length,
      duration: seconds,
      ...(isTiny ? { amount: requests.length } : {}),
      sampleInt: 100,
      setupClient: (client) => {
        const own = requests[next++]
        if (own !== undefined) client.setRequests(own.map((request) => ({ ...request })))
      }
    }, (error, result) => {
      if (error !== null) return resume(Effect.die(error))
      return resume(Effect.succeed({
        latencies: Float64Array.from(latencies).toSorted(),
        elapsed: last - started,
        spoilt: result.errors + result.timeouts + result.non2xx,
        most: Math.max(0, ...answered.values())
      }))
    })
    run.on("response", (client, _status, _bytes, milliseconds) => {
      last = performance.now()
      latencies.push(milliseconds)
      answered.set(client, (answered.get(client) ?? 0) + 1)
    })
    return Effect.sync(() => run.stop())
  })

/** Uses one connection for each list of the load, with one request in flight on each at any time. */
export const drive = Effect.fn("drive")(function*(
  contender: Contender,
  load: Load,
  seconds: number
): Effect.fn.Return<Round, RoundSpoilt> {
  const requests = load.requests(Math.ceil(seconds * mostPerSecond))
  const before = yield* contender.cpuMillis
  const { elapsed, latencies, most, spoilt } = yield* fire(contender.url, requests, seconds)
  const cpu = (yield* contender.cpuMillis) - before
  if (spoilt > 0 || latencies.length === 0) {
    const message = `${contender.name}, ${load.name}: ${spoilt} of ${latencies.length} requests were not answered 2xx`
    return yield* new RoundSpoilt({ message })
  }
  // A connection sends its next request after each answer but the last: this one has sent its whole list.
  if (load.once === true && most >= Math.min(...requests.map(({ length }) => length))) {
    return yield* new RoundSpoilt({ message: `${contender.name}, ${load.name}: a connection had no more to send` })
  }
  return {
    requestsPerSecond: latencies.length / elapsed * 1000,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    cpuPerRequest: cpu / latencies.length
  }
})
