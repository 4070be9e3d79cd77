import { Duration, Layer } from "effect"
import { resealingLayer } from "../../platform/sql/Resealing.ts"
import { InboundEvents } from "./inbound/InboundEvents.ts"
import { inboundGaugesLayer } from "./inbound/InboundGauges.ts"
import { InboundRenewal } from "./inbound/InboundRenewal.ts"
import { inboundRetentionLayer } from "./inbound/InboundRetention.ts"
import { InboundSignal } from "./inbound/InboundSignal.ts"
import { InboundQueue, inboundWorkerLayer } from "./queue/InboundQueue.ts"

/** Number of inbound events that a process works on at once, each with a connection of its own. */
const concurrency = 4

/**
 * The background work of inbound sales hooks: events are processed and aged out, and secrets resealed with a new
 * sealing key. An announcement from any process starts work at once.
 */
export const SalesWorkersLayer = Layer.mergeAll(
  inboundWorkerLayer({ pollEvery: Duration.millis(250) }).pipe(Layer.provide(InboundQueue.layer({ concurrency }))),
  inboundRetentionLayer({ every: Duration.minutes(10) }),
  inboundGaugesLayer({ every: Duration.seconds(15) }).pipe(Layer.provide(InboundEvents.layer)),
  resealingLayer(
    InboundRenewal.use(({ renew }) => renew),
    "Inbound webhooks were not moved to the current key"
  ).pipe(Layer.provide(InboundRenewal.layer))
).pipe(Layer.provide(InboundSignal.layer))
