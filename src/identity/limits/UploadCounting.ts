import { Effect, Layer } from "effect"
import { UploadCounter } from "../../platform/storage/local/UploadCounter.ts"
import { ClientAddress } from "./ClientAddress.ts"
import { WriteCounters } from "./WriteCounters.ts"

/** The sender of an upload to a signed address is unknown, so the upload counts as a write of its IP address. */
export const UploadCountingLayer = Layer.effect(
  UploadCounter,
  Effect.gen(function*() {
    const address = yield* ClientAddress
    const counters = yield* WriteCounters
    return UploadCounter.of({ count: Effect.flatMap(address.key, (key) => counters.countWrite("ip-writes", key)) })
  })
)
