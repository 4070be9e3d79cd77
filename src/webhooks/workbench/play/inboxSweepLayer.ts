import { type Duration, Effect, Layer } from "effect"
import { repeatedly } from "../../../platform/jobs/Repeatedly.ts"
import { Inboxes } from "./Inboxes.ts"

/** Deletes inboxes whose hour is over, with what they took. Behind the `ClockGuard` of `Inboxes`. */
export const inboxSweepLayer = ({ every }: { readonly every: Duration.Input }) =>
  Layer.effectDiscard(Effect.gen(function*() {
    const { removeExpired } = yield* Inboxes
    yield* repeatedly(removeExpired, { every, onFailure: "Inboxes whose hour is over are not looked for" })
  }))
