import { Duration, Effect, Result } from "effect"
import type { Tell } from "./Telling.ts"
import { mayPass, type Refused } from "./Upstream.ts"

/** The pause after a failure, in milliseconds; it doubles with each in a row. */
const pause = { first: 500, longest: 15_000 }

/** Asks again until the service answers, with growing pauses; fails if another try cannot help. */
export const patiently = Effect.fnUntraced(function*<A, R>(request: Effect.Effect<A, Refused, R>, tell: Tell) {
  for (let failures = 0;; failures++) {
    const answer = yield* Effect.result(request)
    if (Result.isSuccess(answer)) {
      if (failures > 0) yield* tell.notice("The service answers again")
      return answer.success
    }
    const refused = answer.failure
    if (!mayPass(refused)) return yield* refused
    if (failures === 0) yield* tell.notice(`${refused.message}; trying again until it goes`)
    const backOff = Duration.millis(Math.min(pause.first * 2 ** failures, pause.longest))
    yield* Effect.sleep(Duration.max(backOff, Duration.seconds(refused.retry_after ?? 0)))
  }
})
