import autocannon from "autocannon"
import { Effect, Schema } from "effect"
import type { Contender } from "./Contender.ts"
import type { Actor, Route } from "./requests.ts"

/** What one round came to; times in milliseconds. */
export interface Round {
  readonly requestsPerSecond: number
  readonly p50: number
  readonly p99: number
  readonly cpuPerRequest: number
}

/** Something other than 2xx was answered, or nothing. */
export class RoundSpoilt extends Schema.TaggedError<RoundSpoilt>()("RoundSpoilt", { message: Schema.String }) {}

/** The least value that at least this share of the sorted values does not exceed. */
const percentile = (sorted: Float64Array, share: number) =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0

interface Answered {
  /** Sorted. */
  readonly latencies: Float64Array
  readonly elapsed: number
  readonly spoilt: number
}

// The driver's own percentiles are rounded to whole milliseconds, so each answer is noted here.
const fire = (url: string, requests: ReadonlyArray<ReturnType<Route["request"]>>, seconds: number) =>
  Effect.callback<Answered>((resume) => {
    const latencies: Array<number> = []
    const started = performance.now()
    let last = started
    let next = 0
    const run = autocannon({
      url,
      connections: requests.length,
      duration: seconds,
      sampleInt: 100,
      setupClient: (client) => {
        const request = requests[next++]
        if (request !== undefined) client.setRequests([{ ...request }])
      }
    }, (error, result) => {
      if (error !== null) return resume(Effect.die(error))
      const spoilt = result.errors + result.timeouts + result.non2xx
      return resume(
        Effect.succeed({ latencies: Float64Array.from(latencies).toSorted(), elapsed: last - started, spoilt })
      )
    })
    run.on("response", (_client, _status, _bytes, milliseconds) => {
      last = performance.now()
      latencies.push(milliseconds)
    })
    return Effect.sync(() => run.stop())
  })

/** One connection for every actor, each with one request in flight at any time. */
export const drive = Effect.fn("drive")(function*(
  contender: Contender,
  route: Route,
  actors: ReadonlyArray<Actor>,
  seconds: number
): Effect.fn.Return<Round, RoundSpoilt> {
  const before = yield* contender.cpuMillis
  const { elapsed, latencies, spoilt } = yield* fire(contender.url, actors.map(route.request), seconds)
  const cpu = (yield* contender.cpuMillis) - before
  if (spoilt > 0 || latencies.length === 0) {
    const message = `${contender.name}, ${route.name}: ${spoilt} of ${latencies.length} requests were not answered 2xx`
    return yield* new RoundSpoilt({ message })
  }
  return {
    requestsPerSecond: latencies.length / elapsed * 1000,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    cpuPerRequest: cpu / latencies.length
  }
})
