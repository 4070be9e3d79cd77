import { Effect } from "effect"
import type { Dice } from "../simulation/Dice.ts"
import type { keepWorkers, Kill } from "./Workers.ts"

/** Milliseconds between two jumps, and for which a clock is wrong. Some jumps outlast a lease. */
const pause = [1000, 2500] as const
const wrong = [500, 6000] as const

/**
 * Now and then the clock of one worker jumps ahead by 40 days and comes back. As at a kill, a POST in flight then may
 * be sent again. Runs until it is interrupted.
 */
export const clockJumps = (crew: Effect.Success<ReturnType<typeof keepWorkers>>, dice: Dice) => {
  const jumps: Array<Kill> = []

  const jump = Effect.gen(function*() {
    const victim = dice.pick(crew.ready())
    if (victim === undefined) return
    yield* victim.kill("SIGSTOP")
    const seen = crew.seen(victim)
    yield* victim.kill("SIGUSR2")
    yield* victim.kill("SIGCONT")
    yield* Effect.sleep(dice.between(...wrong))
    // The worker may be dead by now.
    yield* victim.kill("SIGUSR2")
    jumps.push({ ...seen, until: Date.now() })
  }).pipe(Effect.uninterruptible)

  const run = Effect.suspend(() => Effect.sleep(dice.between(...pause))).pipe(Effect.andThen(jump), Effect.forever)
  return { jumps, run }
}
