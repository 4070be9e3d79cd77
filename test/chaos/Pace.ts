import { Context, Effect } from "effect"
import type { Dice } from "../simulation/Dice.ts"

/** The factor by which all pauses are longer than on a busy day. */
export const Pace = Context.Reference<() => number>("turma/test/chaos/Pace", { defaultValue: () => () => 1 })

/** A pause of so many milliseconds on average, times the pace. */
const pause = (dice: Dice, millis: number) =>
  Effect.flatMap(Pace, (pace) => Effect.sleep(dice.between(0, 2 * millis) * pace()))

/** Repeats an effect forever, with pauses of so many milliseconds on average. */
export const again = <A, E, R>(what: Effect.Effect<A, E, R>, dice: Dice, millis: number) =>
  what.pipe(Effect.andThen(pause(dice, millis)), Effect.forever)
