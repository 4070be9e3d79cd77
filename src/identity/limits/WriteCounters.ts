import { Clock, Context, Duration, Effect, Layer } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Setting } from "../../platform/config/Setting.ts"
import { retryAfter } from "../../platform/http/RetryAfter.ts"
import { ClientAddress } from "./ClientAddress.ts"
import { limitSettings } from "./LimitSettings.ts"
import { RateLimited, RateLimitUnavailable } from "./RateLimit.ts"
import { type CounterUnavailable, RateLimiter, type RateLimitExceeded } from "./RateLimiter.ts"

/** The counted thing; also the policy's name in the headers. */
export type Policy =
  | "credentials"
  | "ip-writes"
  | "club-writes"
  | "student-writes"
  | "platform-hooks"
  | "play"
  | "play-inbox"
  | "mcp"
  | "internal-secret"
  | "sign-in-failures"
  | "sign-in-failures-anywhere"

const minute = Duration.minutes(1)
/** http-surface, Auth: 10 failures per address and network in 15 minutes, or 100 per address from anywhere. */
const signInFailures = { limit: 10, window: Duration.minutes(15) }
const signInFailuresAnywhere = { limit: 100, window: Duration.minutes(15) }
/** Requests to inboxes (webhook-engine, Play), of an address and of an inbox: a person looks at them. */
const play = { limit: 300, window: minute }
const playInbox = { limit: 120, window: minute }
/** Messages of agents, of a key (http-surface, Rulings of 2026-11-28). */
const mcp = { limit: 600, window: minute }
const warningInterval = Duration.seconds(10)

const perMinute = (setting: Setting<number>) => Effect.map(setting.read, (limit) => ({ limit, window: minute }))

/** The number of each that pass, and the time for it. */
export const policyLimits = Effect.gen(function*() {
  const writes = yield* perMinute(limitSettings.RATE_LIMIT_WRITES)
  const credentials = yield* perMinute(limitSettings.RATE_LIMIT_CREDENTIALS)
  return {
    "credentials": credentials,
    "ip-writes": writes,
    "club-writes": writes,
    "student-writes": yield* perMinute(limitSettings.RATE_LIMIT_CLASSROOM),
    "platform-hooks": yield* perMinute(limitSettings.RATE_LIMIT_PLATFORM_HOOK),
    "play": play,
    "play-inbox": playInbox,
    "mcp": mcp,
    "internal-secret": credentials,
    "sign-in-failures": signInFailures,
    "sign-in-failures-anywhere": signInFailuresAnywhere
  } satisfies Record<Policy, { readonly limit: number; readonly window: Duration.Duration }>
})

const isWrite = (method: string) => method === "POST" || method === "PUT" || method === "PATCH" || method === "DELETE"

// A stranger must not learn what others did from elsewhere.
const unannounced: ReadonlySet<Policy> = new Set(["sign-in-failures-anywhere"])

// Two policies may count the same call, so both headers are lists. A policy that has counted twice appears once, with
// its last state.
const withField =
  (header: string, policy: Policy, field: string) => (response: HttpServerResponse.HttpServerResponse) => {
    const others = (response.headers[header] ?? "").split(", ").filter((one) =>
      one !== "" && !one.startsWith(`"${policy}";`)
    )
    return HttpServerResponse.setHeader(response, header, [...others, `"${policy}";${field}`].join(", "))
  }

/** Adds the fields of the IETF draft (httpapi-ratelimit-headers). A pre-response handler reaches failures as well. */
const addHeaders = (
  policy: Policy,
  window: Duration.Duration,
  { limit, remaining, reset_seconds }: { limit: number; remaining: number; reset_seconds: number }
) =>
  unannounced.has(policy) ?
    Effect.void :
    HttpEffect.appendPreResponseHandler((_, response) =>
      Effect.succeed(response.pipe(
        withField("ratelimit-policy", policy, `q=${limit};w=${Duration.toSeconds(window)}`),
        withField("ratelimit", policy, `r=${remaining};t=${reset_seconds}`)
      ))
    )

/** Logs the first error and then at most one per interval, however many requests fail. */
const makeWarning = () => {
  let silentUntil = Number.NEGATIVE_INFINITY
  return Effect.fnUntraced(function*(error: CounterUnavailable) {
    const now = Number(yield* Clock.monotonicTimeNanos) / 1e6
    if (now < silentUntil) return
    silentUntil = now + Duration.toMillis(warningInterval)
    yield* Effect.logWarning(`Requests are not counted: ${error.detail}`)
  })
}

/** Seconds to wait for a caller whose request cannot be counted. By then a Redis that came back is connected again. */
const uncountedSeconds = 5

/** Refuses what takes credentials and cannot be counted (contract, Limits, Rate limits 3), and says when to come again. */
export const refuseUncounted = Effect.andThen(
  retryAfter(uncountedSeconds),
  Effect.fail(new RateLimitUnavailable())
)

/** Counts requests in fixed windows and writes the headers of every counted answer, passed or refused. */
export class WriteCounters extends Context.Service<WriteCounters, {
  /**
   * Counts the request, with any method, or as many things as it asks for: more than the rest of the window are
   * refused.
   */
  count(
    policy: Policy,
    key: string,
    times?: number
  ): Effect.Effect<void, RateLimited | CounterUnavailable, HttpServerRequest.HttpServerRequest>
  /** Takes back what was counted for this request, if the counter can be reached. */
  giveBack(policy: Policy, key: string): Effect.Effect<void>
  /** Counts the request if it writes; lets it pass while the counter is down. */
  countWrite(policy: Policy, key: string): Effect.Effect<void, RateLimited, HttpServerRequest.HttpServerRequest>
  /**
   * Called before a 401 or 403 is answered: counts a write against its IP address. So guesses of sessions and clubs are
   * limited and use no club's quota. Fails once the window of the IP address is used up.
   */
  readonly failedCredential: Effect.Effect<void, RateLimited, HttpServerRequest.HttpServerRequest>
}>()("turma/identity/limits/WriteCounters") {
  static readonly layerNoDeps = Layer.effect(
    WriteCounters,
    Effect.gen(function*() {
      const limiter = yield* RateLimiter
      const address = yield* ClientAddress
      const policies = yield* policyLimits
      const warn = makeWarning()

      const refuse = Effect.fnUntraced(function*(
        policy: Policy,
        window: Duration.Duration,
        { limit, reset_seconds }: RateLimitExceeded
      ) {
        yield* addHeaders(policy, window, { limit, remaining: 0, reset_seconds })
        yield* retryAfter(reset_seconds)
        return yield* new RateLimited()
      })

      const count = Effect.fnUntraced(function*(policy: Policy, key: string, times = 1) {
        const { window } = policies[policy]
        const taken = Effect.replicateEffect(limiter.consume({ scope: policy, key, ...policies[policy] }), times)
        const [allowance] = yield* Effect.map(taken, (all) => all.slice(-1)).pipe(
          Effect.tapErrorTag("CounterUnavailable", warn),
          Effect.catchTag("RateLimitExceeded", (exceeded) => refuse(policy, window, exceeded))
        )
        if (allowance !== undefined) yield* addHeaders(policy, window, allowance)
      })

      const giveBack = (policy: Policy, key: string) => Effect.ignore(limiter.giveBack(policy, key))

      const countWrite = Effect.fnUntraced(function*(policy: Policy, key: string) {
        const { method } = yield* HttpServerRequest.HttpServerRequest
        if (isWrite(method)) yield* Effect.catchTag(count(policy, key), "CounterUnavailable", () => Effect.void)
      })

      return WriteCounters.of({
        count,
        countWrite,
        giveBack,
        failedCredential: Effect.flatMap(address.key, (key) => countWrite("ip-writes", key))
      })
    })
  )

  static readonly layer = Layer.provide(this.layerNoDeps, [RateLimiter.layer, ClientAddress.layer])
}
