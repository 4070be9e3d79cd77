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
  // The document is of the encoded side, so that is where it has to stand.
  Schema.flip(Schema.flip(self).annotateKey({ description, ...(examples.length === 0 ? {} : { examples }) }))
