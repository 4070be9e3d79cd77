import { Duration, Effect, Option, Result } from "effect"
import { patiently } from "../../remote/Patience.ts"
import type { ForwardOutput } from "./ForwardOutput.ts"
import { isTransient, type Refused } from "./Upstream.ts"

/** The pause after a failure, in milliseconds; it doubles with each in a row. */
const pause = { first: 500, longest: 15_000 }

const pauseAfter = (output: ForwardOutput) =>
  Effect.fnUntraced(function*(outcome: Result.Result<unknown, Refused>, failures: number) {
    if (Result.isSuccess(outcome)) {
      if (failures > 0) yield* output.note("The service answers again")
      return Option.none()
    }
    const { failure } = outcome
    if (!isTransient(failure)) return Option.none()
    if (failures === 0) yield* output.note(`${failure.message}; trying again until it goes`)
    const backOff = Duration.millis(Math.min(pause.first * 2 ** failures, pause.longest))
    return Option.some(Duration.max(backOff, Duration.seconds(failure.retry_after ?? 0)))
  })

/** Asks again until the service answers, with pauses that grow. Fails if asking again cannot help. */
export const untilItAnswers = <A, R>(request: Effect.Effect<A, Refused, R>, output: ForwardOutput) =>
  patiently(request, pauseAfter(output))
