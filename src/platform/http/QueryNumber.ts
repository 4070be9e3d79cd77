import { Effect, Schema, SchemaTransformation } from "effect"

interface Bounds {
  readonly minimum: number
  readonly maximum: number
  /** The default. */
  readonly usual: number
}

/**
 * A whole number in a query, between these bounds. It is sent as text; the schema of its content is for the document.
 */
export const queryNumber = ({ maximum, minimum, usual }: Bounds) =>
  Schema.String.annotate({
    contentMediaType: "application/json",
    contentSchema: { type: "integer", minimum, maximum, default: usual }
  }).check(Schema.isPattern(new RegExp(`^\\d{1,${String(maximum).length}}$`), {
    expected: `a number of at most ${maximum}`
  })).pipe(
    Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum, maximum })), SchemaTransformation.numberFromString),
    Schema.withDecodingDefaultKey(Effect.succeed(String(usual)))
  )
