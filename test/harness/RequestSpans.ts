import { Layer, Tracer } from "effect"
import { withRoutes } from "../../src/operations/telemetry/RequestSpans.ts"

/** Spans of the service as a collector gets them, and the layer that keeps them. */
export const requestSpans = () => {
  const spans: Array<Tracer.NativeSpan> = []
  const layer = Layer.succeed(
    Tracer.Tracer,
    withRoutes(Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    }))
  )
  return { spans, layer }
}
