import { type Duration, Effect, Layer, Schedule } from "effect"
import { ClockGuard } from "../workers/ClockGuard.ts"
import { Storage } from "./Storage.ts"

/** Deletes old uploads at its start, and then every so often for as long as it lives. */
export const uploadSweepLayer = ({ every }: { readonly every: Duration.Input }) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { sweep } = yield* Storage
    const guard = yield* ClockGuard
    yield* guard.sweep("files of uploads", () => sweep).pipe(
      Effect.catchCause((cause) => Effect.logError("Uploads that nobody completed were not deleted", cause)),
      Effect.repeat(Schedule.spaced(every)),
      Effect.forkScoped
    )
  }))
