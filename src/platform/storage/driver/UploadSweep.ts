import { type Duration, Effect, Layer } from "effect"
import { ClockGuard } from "../../jobs/ClockGuard.ts"
import { repeatedly } from "../../jobs/Repeatedly.ts"
import { LocalFiles } from "../local/LocalFiles.ts"
import { lease } from "../local/Parts.ts"
import { Storage } from "../Storage.ts"

/** Deletes old uploads at its start, and then every so often for as long as it lives. */
export const uploadSweepLayer = ({ every }: { readonly every: Duration.Input }) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { sweep } = yield* Storage
    const guard = yield* ClockGuard
    yield* repeatedly(guard.sweep("files of uploads", () => sweep), {
      every,
      onFailure: "Uploads that nobody completed were not deleted"
    })
  }))

/** Deletes unfinished uploads of killed processes, at its start and then as soon as they count as dead. */
export const PartSweepLayer = Layer.effectDiscard(Effect.gen(function*() {
  const { sweepParts } = yield* LocalFiles
  const guard = yield* ClockGuard
  // To a clock that is ahead, every upload that is coming is a dead one's.
  yield* repeatedly(guard.sweep("parts of uploads", () => sweepParts), {
    every: lease,
    onFailure: "Unfinished uploads of killed processes were not deleted"
  })
}))
