import { Duration } from "effect"

/** How long a model is waited for. */
export interface ModelTimes {
  /** Until a connection stands. */
  readonly connect: Duration.Duration
  /** From the request to the first byte of the answer. */
  readonly first_byte: Duration.Duration
  /** From one piece of the answer to the next, whatever it says. */
  readonly between: Duration.Duration
  /** From the request to the end of the answer, all attempts included. */
  readonly whole: Duration.Duration
  /** Before the second attempt; it doubles before the third. */
  readonly backoff: Duration.Duration
  /** The longest `Retry-After` that is waited for: somebody looks at the screen. */
  readonly longest_wait: Duration.Duration
}

/** As long as somebody who looks at the screen waits. */
export const modelTimes: ModelTimes = {
  connect: Duration.seconds(5),
  first_byte: Duration.seconds(20),
  between: Duration.seconds(20),
  whole: Duration.seconds(90),
  backoff: Duration.millis(500),
  longest_wait: Duration.seconds(5)
}
