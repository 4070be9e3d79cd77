import { Context, Effect, Option, References, Schema, Tracer } from "effect"

/**
 * The span that caused what a row tells of, for spans that are made of it later and elsewhere: 16 bytes of its trace and
 * 8 of its own. Null where nobody takes spans or where it is not sampled.
 */
export const KeptTrace = Schema.Union([Schema.Null, Schema.Uint8Array])
export type KeptTrace = typeof KeptTrace.Type

const traceLength = 32

/** Whether somebody takes the spans that are made in this context. */
export const isTraced = (context: Context.Context<never>): boolean =>
  Context.get(context, Tracer.Tracer) !== Tracer.nativeTracer && Context.get(context, References.TracerEnabled)

/** The span that this is done in, to be kept with what comes of it. */
export const keptTrace: Effect.Effect<KeptTrace> = Effect.withFiber(({ context }) => {
  const span = isTraced(context) ? Context.getOrUndefined(context, Tracer.ParentSpan) : undefined
  return Effect.succeed(
    span === undefined || !span.sampled
      ? null
      : new Uint8Array(Buffer.from(span.traceId.padStart(traceLength, "0") + span.spanId, "hex"))
  )
})

/** The span that was kept, as the parent of others or for links to it. */
export const spanOf = (kept: KeptTrace | undefined): Option.Option<Tracer.ExternalSpan> => {
  if (kept === null || kept === undefined) return Option.none()
  const hex = Buffer.from(kept).toString("hex")
  return Option.some(
    Tracer.externalSpan({ traceId: hex.slice(0, traceLength), spanId: hex.slice(traceLength), sampled: true })
  )
}

/** A collector keeps so many links of a span, by OpenTelemetry's default. */
const mostLinks = 128

/** Links to what caused the parts of a batch, each once. */
export const linksTo = (kept: ReadonlyArray<KeptTrace>): Array<Tracer.SpanLink> => {
  const spans = new Map(
    kept.flatMap((one) => Option.toArray(spanOf(one))).map((span) => [span.traceId + span.spanId, span])
  )
  return [...spans.values()].slice(0, mostLinks).map((span) => ({ span, attributes: {} }))
}
