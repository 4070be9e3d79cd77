import { Duration } from "effect"

/** How the waits between tries grow. */
interface BackOffOptions {
  /** After the first failure. */
  readonly first: Duration.Input
  readonly longest: Duration.Input
  /** The factor from one wait to the next; 2 by default. */
  readonly factor?: number
}

/**
 * How long to wait after so many failures in a row (1 is the first): longer each time, up to the longest. Not a `Schedule`:
 * the failures are counted in a table, so the next wait may be another process's.
 */
export const backOff = ({ factor = 2, first, longest }: BackOffOptions) => (failures: number): Duration.Duration =>
  Duration.min(
    Duration.times(Duration.fromInputUnsafe(first), factor ** Math.min(failures - 1, 20)),
    Duration.fromInputUnsafe(longest)
  )
