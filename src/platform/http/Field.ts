import { Schema } from "effect"

/**
 * Says of a field, a parameter or a part of one what the OpenAPI document shows: in plain words what it is, its unit and
 * bounds where the schema does not have them, when it is null; and an example as JSON has it. Without one the document
 * shows what the schema itself implies: a literal, a UUID, a time, `true`, or the examples of what it is made of.
 */
export const field = <S extends Schema.Top>(description: string, ...examples: ReadonlyArray<S["Encoded"]>) =>
(
  self: S
): S["Rebuild"] =>
  // The document is of the encoded side, so that is where it has to stand. What is not encoded as a whole has its key on
  // both sides; turned over twice, the named schemas in it would be others than everywhere else.
  examples.length === 0 && self.ast.encoding === undefined
    ? self.annotateKey({ description })
    : Schema.flip(
      Schema.flip(self).annotateKey({ description, ...(examples.length === 0 ? {} : { examples }) })
    )
