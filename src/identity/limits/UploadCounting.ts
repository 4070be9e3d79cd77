import { Effect, Layer } from "effect"
import { UploadCounter } from "../../platform/storage/local/UploadCounter.ts"
import { ClientAddress } from "./ClientAddress.ts"
import { WriteCounters } from "./WriteCounters.ts"

/** Whoever has the address of an upload is nobody that we know: it is a write of where it comes from. */
export const UploadCountingLayer = Layer.effect(
  UploadCounter,
  Effect.gen(function*() {
    const address = yield* ClientAddress
    const counters = yield* WriteCounters
    return UploadCounter.of({ count: Effect.flatMap(address.key, (key) => counters.countWrite("ip-writes", key)) })
  })
)
