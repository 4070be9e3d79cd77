import { Duration } from "effect"

/** How long to wait for a model. */
export interface ModelTimes {
  /** Until the connection is open. */
  readonly connect: Duration.Duration
  /** From the request to the first byte of the answer. */
  readonly first_byte: Duration.Duration
  /** From one piece of the answer to the next. */
  readonly between: Duration.Duration
  /** From the request to the end of the answer, all attempts included. */
  readonly whole: Duration.Duration
  /** Before the second attempt; twice as long before the third. */
  readonly backoff: Duration.Duration
  /** The longest wait before another attempt. A longer `Retry-After` ends the attempts. */
  readonly longest_wait: Duration.Duration
}

/** Chosen for a person who waits at the screen. */
export const modelTimes: ModelTimes = {
  connect: Duration.seconds(5),
  first_byte: Duration.seconds(20),
  between: Duration.seconds(20),
  whole: Duration.seconds(90),
  backoff: Duration.millis(500),
  longest_wait: Duration.seconds(5)
}
