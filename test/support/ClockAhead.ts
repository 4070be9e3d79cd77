import { Duration } from "effect"
import { fileURLToPath } from "node:url"

const preload = fileURLToPath(new URL("movedClock.ts", import.meta.url))

/** The environment of a process whose clock is ahead. */
export const clockAhead = (by: Duration.Input) => ({
  NODE_OPTIONS: `--import=${preload}`,
  CLOCK_AHEAD: `${Duration.toMillis(Duration.fromInputUnsafe(by))}`
})

/** Of one whose clock jumps ahead at a SIGUSR2, and back at the next. */
export const clockThatJumps = (by: Duration.Input) => ({ ...clockAhead(by), CLOCK_MOVES: "at SIGUSR2" })
