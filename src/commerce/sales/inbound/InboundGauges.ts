import { DateTime, Duration, Effect, Layer, Metric, Option } from "effect"
import { repeatedly } from "../../../platform/jobs/Repeatedly.ts"
import { InboundEvents } from "./InboundEvents.ts"

const oldestPending = Metric.gauge("turma_inbound_oldest_pending_seconds", {
  description: "How long the inbound event that has waited longest has been due"
})

/** Measures the gauge's value once, in seconds. */
export const countInbound = Effect.fn("InboundGauges.countInbound")(function*() {
  const events = yield* InboundEvents
  const oldest = yield* events.oldestDue
  const now = yield* DateTime.now
  const seconds = Option.match(oldest, {
    onNone: () => 0,
    onSome: (at) => Duration.toSeconds(DateTime.distance(at, now))
  })
  yield* Metric.update(oldestPending, seconds)
  return seconds
})

/** Keeps the gauge current in a worker. */
export const inboundGaugesLayer = ({ every }: { readonly every: Duration.Input }) =>
  Layer
    .effectDiscard(repeatedly(countInbound(), { every, onFailure: "Inbound events were not counted", level: "Warn" }))
