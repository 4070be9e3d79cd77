import { Effect, type Scope } from "effect"
import { Client } from "undici"
import type { Contender } from "./Contender.ts"
import { percentile, type Round, RoundSpoilt } from "./drive.ts"
import type { Request } from "./requests.ts"
import { sized } from "./sized.ts"

/** Milliseconds after the end of a round. If the last answer comes later, the server does not keep up with the rate. */
const mostBehind = sized(500, 60_000)

/** Times in milliseconds. */
interface Paced {
  /** Sorted. */
  readonly latencies: Float64Array
  readonly elapsed: number
  readonly spoilt: number
}

/** Opens this many clients. The connection of each has had an answer. */
const connect = (url: string, count: number) =>
  Effect.acquireRelease(
    Effect.promise(() =>
      Promise.all(Array.from({ length: count }, async () => {
        const client = new Client(url, { pipelining: 1 })
        const { body } = await client.request({ method: "GET", path: "/v1/health" })
        await body.dump()
        return client
      }))
    ),
    (clients) => Effect.promise(() => Promise.all(clients.map((client) => client.destroy())))
  )

const fire = (clients: ReadonlyArray<Client>, requests: ReadonlyArray<Request>, rate: number, seconds: number) =>
  Effect.callback<Paced>((resume) => {
    const total = Math.round(rate * seconds)
    const latencies: Array<number> = []
    const started = performance.now()
    let spoilt = 0
    let sent = 0
    const ended = (due: number, isGood: boolean) => {
      latencies.push(performance.now() - due)
      if (!isGood) spoilt += 1
      if (latencies.length < total) return
      const elapsed = performance.now() - started
      resume(Effect.succeed({ latencies: Float64Array.from(latencies).toSorted(), elapsed, spoilt }))
    }
    const send = (client: Client, { body, headers, method, path }: Request, due: number) => {
      let status = 0
      client.dispatch({ method, path, headers, body: body ?? null }, {
        onRequestStart: () => {},
        onResponseStart: (_, code) => {
          status = code
        },
        onResponseData: () => {},
        onResponseEnd: () => ended(due, status >= 200 && status < 300),
        onResponseError: () => ended(due, false)
      })
    }
    const tick = () => {
      const now = performance.now()
      for (; sent < total && started + sent * 1000 / rate <= now; sent++) {
        const [client, request] = [clients[sent % clients.length], requests[sent % requests.length]]
        if (client !== undefined && request !== undefined) send(client, request, started + sent * 1000 / rate)
      }
      if (sent === total) clearInterval(timer)
    }
    const timer = setInterval(tick, 1)
    return Effect.sync(() => clearInterval(timer))
  })

/**
 * Sends this many requests a second, each at its time, even if earlier ones have no answer yet. Each request of the
 * list has its own connection. Latencies run from the time at which a request was due.
 */
export const pace = Effect.fn("pace")(function*(
  contender: Contender,
  requests: ReadonlyArray<Request>,
  { behind = mostBehind, rate, seconds }: {
    readonly rate: number
    readonly seconds: number
    /** Milliseconds: a later last answer spoils the round. */
    readonly behind?: number
  }
): Effect.fn.Return<Round, RoundSpoilt, Scope.Scope> {
  const clients = yield* connect(contender.url, requests.length)
  const before = yield* contender.cpuMillis
  const { elapsed, latencies, spoilt } = yield* fire(clients, requests, rate, seconds)
  const cpu = (yield* contender.cpuMillis) - before
  if (spoilt > 0 || elapsed > seconds * 1000 + behind) {
    const took = `${latencies.length} requests of ${seconds} s took ${elapsed.toFixed(0)} ms`
    const message = `${contender.name} at ${rate.toFixed(0)}/s: ${took}, ${spoilt} were not answered 2xx`
    return yield* new RoundSpoilt({ message })
  }
  return {
    requestsPerSecond: latencies.length / elapsed * 1000,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    cpuPerRequest: cpu / latencies.length
  }
}, Effect.scoped)
