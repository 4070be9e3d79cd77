import { Duration, Effect, Layer } from "effect"
import { InboundEvents } from "./inbound/InboundEvents.ts"
import { inboundGaugesLayer } from "./inbound/InboundGauges.ts"
import { InboundRenewal } from "./inbound/InboundRenewal.ts"
import { inboundRetentionLayer } from "./inbound/InboundRetention.ts"
import { InboundSignal } from "./inbound/InboundSignal.ts"
import { InboundQueue, inboundWorkerLayer } from "./queue/InboundQueue.ts"

/** How many inbound events a process works on at once, each with a connection of its own. */
const concurrency = 4

/**
 * All that inbound sales hooks need done: what was received is processed, aged and, with a new sealing key, sealed anew.
 * A signal starts work at once; the intervals are for what another process received.
 */
export const SalesWorkersLayer = Layer.mergeAll(
  inboundWorkerLayer({ pollEvery: Duration.millis(250) }).pipe(Layer.provide(InboundQueue.layer({ concurrency }))),
  inboundRetentionLayer({ every: Duration.minutes(10) }),
  inboundGaugesLayer({ every: Duration.seconds(15) }).pipe(Layer.provide(InboundEvents.layer)),
  Layer.effectDiscard(Effect.flatMap(InboundRenewal, ({ renew }) =>
    renew.pipe(
      Effect.catchCause((cause) => Effect.logError("Inbound webhooks were not moved to the current key", cause)),
      Effect.forkScoped
    ))).pipe(Layer.provide(InboundRenewal.layer))
).pipe(Layer.provide(InboundSignal.layer))
