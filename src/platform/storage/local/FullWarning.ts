import { Clock, Duration, Effect } from "effect"

const interval = Duration.minutes(1)

/** Says that there is no room, at most once a minute, however many uploads are refused for it. */
export const makeFullWarning = () => {
  let silentUntil = Number.NEGATIVE_INFINITY
  return Effect.gen(function*() {
    const now = Number(yield* Clock.monotonicTimeNanos) / 1e6
    if (now < silentUntil) return
    silentUntil = now + Duration.toMillis(interval)
    yield* Effect.logWarning("Uploads are refused: the free space of the disk is not above STORAGE_FREE_FLOOR")
  })
}
