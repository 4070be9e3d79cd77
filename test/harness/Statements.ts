import { Effect, Layer, Tracer } from "effect"

const spans: Array<Tracer.NativeSpan> = []

/** Keeps every span of the layers built on it. */
export const SpansLayer = Layer.succeed(
  Tracer.Tracer,
  Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
)

/** Runs the work and answers its result with the spans that began meanwhile, anywhere in this process. */
export const traced = Effect.fnUntraced(function*<A, E, R>(work: Effect.Effect<A, E, R>) {
  const before = spans.length
  const answer = yield* work
  return [answer, spans.slice(before)] as const
})

/** The SQL of these spans, in order and without parameters; a transaction or savepoint is `transaction`. */
export const textsOf = (begun: ReadonlyArray<Tracer.NativeSpan>) =>
  begun.flatMap((span) => {
    if (span.name === "sql.transaction") return ["transaction"]
    const text = span.attributes.get("db.query.text")
    return text === undefined ? [] : [String(text).replaceAll(/\s+/g, " ").trim()]
  })

/** The SQL that the work ran. */
export const statements = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.map(traced(work), ([, begun]) => textsOf(begun))
