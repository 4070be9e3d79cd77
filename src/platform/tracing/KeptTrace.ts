import { Context, Effect, Option, References, Schema, Tracer } from "effect"

/**
 * The span that caused the fact in a row, for later spans in other processes: 16 bytes of its trace and 8 of its own.
 * Null if no tracer takes spans or the span is not sampled.
 */
export const KeptTrace = Schema.Union([Schema.Null, Schema.Uint8Array])
export type KeptTrace = typeof KeptTrace.Type

const traceLength = 32

/** True if a tracer takes the spans of this context. */
export const isTraced = (context: Context.Context<never>): boolean =>
  Context.get(context, Tracer.Tracer) !== Tracer.nativeTracer && Context.get(context, References.TracerEnabled)

/** The current span, to be stored with its results. */
export const keptTrace: Effect.Effect<KeptTrace> = Effect.withFiber(({ context }) => {
  const span = isTraced(context) ? Context.getOrUndefined(context, Tracer.ParentSpan) : undefined
  return Effect.succeed(span === undefined || !span.sampled
    ? null
    : new Uint8Array(Buffer.from(span.traceId.padStart(traceLength, "0") + span.spanId, "hex")))
})

/** The span that was kept, as the parent of others or for links to it. */
export const spanOf = (kept: KeptTrace | undefined): Option.Option<Tracer.ExternalSpan> => {
  if (kept === null || kept === undefined) return Option.none()
  const hex = Buffer.from(kept).toString("hex")
  return Option
    .some(Tracer.externalSpan({ traceId: hex.slice(0, traceLength), spanId: hex.slice(traceLength), sampled: true }))
}

/** A collector keeps so many links of a span, by OpenTelemetry's default. */
const mostLinks = 128

/** Links to what caused the parts of a batch, each once. */
export const linksTo = (kept: ReadonlyArray<KeptTrace>): Array<Tracer.SpanLink> => {
  const spans =
    new Map(kept.flatMap((one) => Option.toArray(spanOf(one))).map((span) => [span.traceId + span.spanId, span]))
  return [...spans.values()].slice(0, mostLinks).map((span) => ({ span, attributes: {} }))
}
