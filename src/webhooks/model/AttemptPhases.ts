import { Schema } from "effect"
import { Count } from "../../platform/http/Count.ts"
import { field } from "../../platform/http/Field.ts"

const Phase = Schema.NullOr(Count)

/** The phases of an attempt, in milliseconds. */
export const AttemptPhases = Schema.Struct({
  lookup_ms: Phase.pipe(field("Until the name had addresses; null for an address without a name", 12)),
  connect_ms: Phase.pipe(field("Until one of them was connected", 21)),
  tls_ms: Phase.pipe(field("Until the connection was secured", 24)),
  send_ms: Phase.pipe(field("Until the request was written", 0)),
  wait_ms: Phase.pipe(field("Until the answer began", 126)),
  read_ms: Phase.pipe(field("Until as much of the answer was read as is kept", 1))
}).annotate({
  identifier: "WebhookAttemptPhases",
  description:
    "Where the time of an attempt went, phase by phase, in milliseconds. A phase is null if the attempt ended before it, or if the connection was there"
})
export type AttemptPhases = typeof AttemptPhases.Type

/** Their names, in the order in which they come. */
export const phaseNames = ["lookup_ms", "connect_ms", "tls_ms", "send_ms", "wait_ms", "read_ms"] as const
export type PhaseName = (typeof phaseNames)[number]
