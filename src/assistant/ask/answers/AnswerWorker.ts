import { type Cause, Deferred, Duration, Effect, FiberSet, Layer } from "effect"
import { ClockGuard } from "../../../platform/jobs/ClockGuard.ts"
import { makeSignal } from "../../../platform/jobs/Signal.ts"
import { untilDue } from "../../../platform/jobs/UntilDue.ts"
import { workLoop } from "../../../platform/jobs/WorkLoop.ts"
import { Answers } from "./Answers.ts"
import { AnswerSignal, waitingAnswers } from "./AnswerSignal.ts"
import type { AnswerClaim } from "./AnswersRepo.ts"

/** The time that a shutdown waits for running answers. Other processes can claim unfinished ones at once. */
const shutdownGrace = Duration.seconds(10)

interface WorkerOptions {
  /** Number of answers that a process generates at once. */
  readonly concurrency: number
  /** The time between two looks for questions that came to other processes, if no watch reports them. */
  readonly pollEvery: Duration.Input
}

const logged = (message: string) => (cause: Cause.Cause<never>) => Effect.logError(message, cause)

/**
 * Generates answers for as long as the layer lives, concurrently, so that no answer waits for a slower one. Any number
 * of processes may run it.
 */
export const answerWorkerLayer = ({ concurrency, pollEvery }: WorkerOptions) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const answers = yield* Answers
    const signal = yield* AnswerSignal
    const guard = yield* ClockGuard
    const idle = yield* untilDue(waitingAnswers, { pollEvery, signal })
    const slotFreed = yield* makeSignal
    const running = yield* FiberSet.make<void>()
    let freeSlots = concurrency

    const generate = (claimed: AnswerClaim) =>
      answers.generate(claimed).pipe(
        Effect.catchCause(logged("An answer was not generated")),
        Effect.ensuring(Effect.suspend(() => {
          freeSlots += 1
          return slotFreed.notify
        }))
      )

    // Uninterruptible, so that a shutdown after the claim does not leave claimed answers without a fiber.
    const claimAndRun = Effect.uninterruptible(Effect.gen(function*() {
      const claimed = freeSlots === 0 ? [] : yield* answers.claim(freeSlots)
      freeSlots -= claimed.length
      yield* Effect.forEach(claimed, (one) => FiberSet.run(running, Effect.interruptible(generate(one))))
      return claimed.length
    }))

    const claimedCount = guard.work(claimAndRun, 0).pipe(Effect.catchCause((cause) =>
      Effect.as(logged("Answers were not claimed")(cause), 0)
    ))

    const work = Effect.fnUntraced(function*(stop: Deferred.Deferred<void>) {
      const pause = Effect.raceAllFirst([
        idle,
        slotFreed.next,
        Deferred.await(stop)
      ])
      while (!(yield* Deferred.isDone(stop))) if ((yield* claimedCount) === 0) yield* pause
      yield* FiberSet.awaitEmpty(running)
    })

    yield* workLoop({ work, shutdownGrace, onCutOff: "Unfinished answers wait for other processes" })
  }))
