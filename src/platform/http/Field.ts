import { Schema } from "effect"

/**
 * Describes a field, a parameter or a part of one for the OpenAPI document. The description says in plain words the
 * meaning, when it is null, and the unit and bounds if the schema does not have them. An example is written as JSON has
 * it. Without one the document shows the example that the schema implies: a literal, a UUID, a time, `true`, or the
 * examples of its parts.
 */
export const field = <S extends Schema.Top>(description: string, ...examples: ReadonlyArray<S["Encoded"]>) =>
(
  self: S
): S["Rebuild"] =>
  // The document describes the encoded side, so the annotation has to stand there. A schema that is not encoded as a
  // whole has its key on both sides. If it were flipped twice, its named schemas would differ from the same ones
  // elsewhere.
  examples.length === 0 && self.ast.encoding === undefined
    ? self.annotateKey({ description })
    : Schema.flip(Schema.flip(self).annotateKey({ description, ...(examples.length === 0 ? {} : { examples }) }))
