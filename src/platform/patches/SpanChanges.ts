// Patch of effect 4.1.0. Without it, the span of a request is named `http.server GET`, and carries the whole URL and
// the address of the client. It ends with the message of its failure. A tracer cannot rename a span that it has begun.
import type { Exit, Tracer } from "effect"

/** Values that a span gets in place of the usual ones. */
export interface SpanChanges {
  /** True if the span keeps this attribute. */
  readonly keeps: (key: string) => boolean
  /** The span's name from this attribute on; undefined: the name stays. */
  readonly name: (key: string, value: unknown) => string | undefined
  readonly exit: (exit: Exit.Exit<unknown, unknown>) => Exit.Exit<unknown, unknown>
}

/** Changes a span of any tracer in place: its exporter sends this same object. */
export const changeSpan = (span: Tracer.Span, changes: SpanChanges): Tracer.Span => {
  const setAttribute = span.attribute.bind(span)
  const end = span.end.bind(span)
  return Object.assign(span, {
    attribute: (key: string, value: unknown) => {
      if (!changes.keeps(key)) return
      const name = changes.name(key, value)
      if (name !== undefined) Object.assign(span, { name })
      setAttribute(key, value)
    },
    end: (time: bigint, exit: Exit.Exit<unknown, unknown>) => end(time, changes.exit(exit))
  })
}
