import { Duration, Effect, Option, Result } from "effect"
import { patiently } from "../../remote/Patience.ts"
import type { Tell } from "./Telling.ts"
import { mayPass, type Refused } from "./Upstream.ts"

/** The pause after a failure, in milliseconds; it doubles with each in a row. */
const pause = { first: 500, longest: 15_000 }

const pauseAfter = (tell: Tell) =>
  Effect.fnUntraced(function*(outcome: Result.Result<unknown, Refused>, failures: number) {
    if (Result.isSuccess(outcome)) {
      if (failures > 0) yield* tell.notice("The service answers again")
      return Option.none()
    }
    const { failure } = outcome
    if (!mayPass(failure)) return Option.none()
    if (failures === 0) yield* tell.notice(`${failure.message}; trying again until it goes`)
    const backOff = Duration.millis(Math.min(pause.first * 2 ** failures, pause.longest))
    return Option.some(Duration.max(backOff, Duration.seconds(failure.retry_after ?? 0)))
  })

/** Asks again until the service answers, with pauses that grow. Fails if asking again is of no use. */
export const untilItAnswers = <A, R>(request: Effect.Effect<A, Refused, R>, tell: Tell) =>
  patiently(request, pauseAfter(tell))
