import { Duration } from "effect"
import { fileURLToPath } from "node:url"

const preloadOf = (script: string) => `--import=${fileURLToPath(new URL(script, import.meta.url))}`

const preload = preloadOf("movedClock.ts")

/** The environment of a process whose clock is ahead. */
export const clockAhead = (by: Duration.Input) => ({
  NODE_OPTIONS: preload,
  CLOCK_AHEAD: `${Duration.toMillis(Duration.fromInputUnsafe(by))}`
})

/** The environment of a process whose clock jumps ahead at a SIGUSR2, and back at the next. */
const clockThatJumps = (by: Duration.Input) => ({ ...clockAhead(by), CLOCK_MOVES: "at SIGUSR2" })

/** The same for a process that also sweeps at each jump, and every second while its clock is wrong. */
export const sweeperThatJumps = (by: Duration.Input) => ({
  ...clockThatJumps(by),
  NODE_OPTIONS: `${preload} ${preloadOf("hastySweeps.ts")}`
})
