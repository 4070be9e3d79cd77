import { Duration } from "effect"

/** How often a chunk is tried whole. After that it is split in half at each failure, until the row that fails is found. */
export const maxWholeAttempts = 5

/** 1 second after the first failure, then four times as long each time, at most 5 minutes. */
export const delayAfter = (failures: number): Duration.Duration =>
  Duration.min(Duration.times(Duration.seconds(1), 4 ** Math.min(failures - 1, 8)), Duration.minutes(5))
