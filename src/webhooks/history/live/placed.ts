import { Effect } from "effect"
import { TemporarilyUnavailable } from "../../../platform/http/errors.ts"
import { retryAfter } from "../../../platform/http/RetryAfter.ts"
import { DeliveryStreamLimit } from "./DeliveryEvent.ts"
import type { NoPlace, ProcessFull } from "./StreamPlaces.ts"

/** After so many seconds there may be room, for a stream or a poll. */
export const comeAgain = 5

/** Answers 429 or 503 if no stream is free, and the time to come again. */
export const placed = <A, E, R>(streams: Effect.Effect<A, E | NoPlace | ProcessFull, R>) =>
  streams.pipe(
    Effect.catchTag("NoPlace", () => Effect.andThen(retryAfter(comeAgain), Effect.fail(new DeliveryStreamLimit()))),
    Effect.catchTag(
      "ProcessFull",
      () => Effect.andThen(retryAfter(comeAgain), Effect.fail(new TemporarilyUnavailable()))
    )
  )
