import { Layer, Tracer } from "effect"
import { withRoutes } from "../../src/operations/telemetry/RequestSpans.ts"

/** Spans as a collector gets them of the service, and the layer that keeps them. */
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
