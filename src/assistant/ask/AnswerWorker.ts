import { type Cause, Deferred, Duration, Effect, FiberSet, Layer, Queue } from "effect"
import { ClockGuard } from "../../platform/jobs/ClockGuard.ts"
import { workLoop } from "../../platform/jobs/WorkLoop.ts"
import { Answers } from "./Answers.ts"
import { AnswerSignal } from "./AnswerSignal.ts"
import type { Claimed } from "./AnswersRepo.ts"

/** How long answers in the making may hold up a shutdown. Those cut off are taken over at once by the next who comes. */
const drain = Duration.seconds(10)

interface Crew {
  /** How many answers a process generates at once. */
  readonly concurrency: number
  /** For what another process asked. */
  readonly pollEvery: Duration.Input
}

const logged = (message: string) => (cause: Cause.Cause<never>) => Effect.logError(message, cause)

/**
 * Generates answers for as long as the layer lives, each beside the others, so that none waits for a slower one. Any
 * number of processes may run it.
 */
export const answerWorkerLayer = ({ concurrency, pollEvery }: Crew) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const answers = yield* Answers
    const signal = yield* AnswerSignal
    const guard = yield* ClockGuard
    const freed = yield* Queue.sliding<void>(1)
    const running = yield* FiberSet.make<void>()
    let free = concurrency

    const generate = (claimed: Claimed) =>
      answers.generate(claimed).pipe(
        Effect.catchCause(logged("An answer was not generated")),
        Effect.ensuring(Effect.suspend(() => {
          free += 1
          return Queue.offer(freed, undefined)
        }))
      )

    // What is claimed is begun, even when the end comes in between.
    const begin = Effect.uninterruptible(Effect.gen(function*() {
      const claimed = free === 0 ? [] : yield* answers.claim(free)
      free -= claimed.length
      yield* Effect.forEach(claimed, (one) => FiberSet.run(running, Effect.interruptible(generate(one))))
      return claimed.length
    }))

    const taken = guard.work(begin, 0).pipe(
      Effect.catchCause((cause) => Effect.as(logged("Answers were not claimed")(cause), 0))
    )

    const work = Effect.fnUntraced(function*(stop: Deferred.Deferred<void>) {
      const pause = Effect.raceAllFirst([
        Effect.sleep(pollEvery),
        signal.next,
        Queue.take(freed),
        Deferred.await(stop)
      ])
      while (!(yield* Deferred.isDone(stop))) if ((yield* taken) === 0) yield* pause
      yield* FiberSet.awaitEmpty(running)
    })

    yield* workLoop({ work, drain, onCutOff: "Answers in the making are left to others" })
  }))
