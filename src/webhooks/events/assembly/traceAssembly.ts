import { Context, Exit, Option, Tracer } from "effect"
import type { ClaimedFact } from "../../../events/Outbox.ts"
import { isTraced, linksTo, spanOf } from "../../../platform/tracing/KeptTrace.ts"
import { messagingAttributes } from "../../../platform/tracing/messagingAttributes.ts"

/** The start and end of a batch, in nanoseconds. */
interface Times {
  readonly began: bigint
  readonly ended: bigint
}

/**
 * Names the facts of a committed batch in its span, by links to the traces that recorded them. Each of those traces
 * gets a span of the assembly, with a link to the batch. A fact without a kept trace gets no span.
 */
export const traceAssembly = (
  context: Context.Context<never>,
  facts: ReadonlyArray<ClaimedFact>,
  { began, ended }: Times
): void => {
  if (facts.length === 0 || !isTraced(context)) return
  const batch = Context.getOrUndefined(context, Tracer.ParentSpan)
  if (batch?._tag === "Span") {
    batch.addLinks(linksTo(facts.map(({ trace }) => trace)))
    const attributes = messagingAttributes("process", facts.map(({ id }) => id))
    for (const [key, value] of Object.entries(attributes)) batch.attribute(key, value)
  }
  const links = batch === undefined ? [] : [{ span: batch, attributes: {} }]
  for (const { id, trace, type } of facts) {
    const parent = spanOf(trace)
    if (Option.isNone(parent)) continue
    const span = Context.get(context, Tracer.Tracer).span({
      name: "webhook assembly",
      parent,
      annotations: Context.empty(),
      links: [...links],
      startTime: began,
      kind: "consumer",
      root: false,
      sampled: true
    })
    const attributes = { ...messagingAttributes("process", [id]), "webhook.event_id": id, "webhook.event_type": type }
    for (const [key, value] of Object.entries(attributes)) span.attribute(key, value)
    span.end(ended, Exit.void)
  }
}
