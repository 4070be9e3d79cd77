import { Context, DateTime, Exit, Option, Schema, Tracer } from "effect"
import { isTraced, spanOf } from "../../../platform/tracing/KeptTrace.ts"
import { messagingAttributes } from "../../../platform/tracing/messagingAttributes.ts"
import type { AttemptError } from "../../model/AttemptError.ts"
import { phaseNames } from "../../model/AttemptPhases.ts"
import type { SendResult } from "../../send/Sender.ts"
import type { TakenDelivery } from "./Lease.ts"

/** The failure of an attempt, for a collector. */
class AttemptFailed extends Schema.TaggedError<AttemptFailed>()("AttemptFailed", { reason: Schema.String }) {
  override get message(): string {
    return `The attempt failed: ${this.reason}`
  }
}

const exitOf = (error: AttemptError | null) =>
  error === null ? Exit.void : Exit.fail(new AttemptFailed({ reason: error }))

const nanosOf = (at: DateTime.Utc) => BigInt(DateTime.toEpochMillis(at)) * 1_000_000n

/** When an attempt began and ended. */
interface Times {
  readonly started_at: DateTime.Utc
  readonly ended_at: DateTime.Utc
}

/**
 * Makes the span of an ended attempt, with an event at the start of each phase, if a collector takes spans. Its parent
 * is the span that recorded the event, in any process and however long ago. Without a kept trace the attempt has a
 * trace of its own. The span comes afterwards, so that without a collector an attempt pays for no span.
 *
 * The span has no URL: a URL may hold a token. It has neither signature nor hash of the body: both go with a removed
 * student, and a collector forgets nobody.
 */
export const traceAttempt = (
  context: Context.Context<never>,
  delivery: Pick<TakenDelivery, "id" | "event_id" | "attempts_count" | "trigger" | "trace">,
  { ended_at, started_at }: Times,
  result: SendResult
): void => {
  if (!isTraced(context)) return
  const startTime = nanosOf(started_at)
  const parent = spanOf(delivery.trace)
  const span = Context.get(context, Tracer.Tracer).span({
    name: "webhook attempt",
    parent,
    annotations: Context.empty(),
    links: [],
    startTime,
    kind: "client",
    root: Option.isNone(parent),
    sampled: true
  })
  const { connection_reused, error, peer, phases, status_code } = result
  const attributes = {
    ...messagingAttributes("send", [delivery.event_id]),
    "webhook.delivery_id": delivery.id,
    "webhook.event_id": delivery.event_id,
    "webhook.attempt": delivery.attempts_count + 1,
    "webhook.trigger": delivery.trigger,
    "webhook.connection_reused": connection_reused,
    "error.type": error,
    "http.response.status_code": status_code,
    "network.peer.address": peer?.peer_address ?? null,
    "tls.protocol.version": peer?.tls_version ?? null,
    "tls.server.not_after": peer?.certificate_ends_at ? DateTime.formatIso(peer.certificate_ends_at) : null
  }
  for (const [key, value] of Object.entries(attributes)) if (value !== null) span.attribute(key, value)
  let began = startTime
  for (const name of phaseNames) {
    const took = phases?.[name] ?? null
    if (took === null) continue
    span.event(name.replace("_ms", ""), began, { "webhook.phase_ms": took })
    began += BigInt(took) * 1_000_000n
  }
  span.end(nanosOf(ended_at), exitOf(error))
}
