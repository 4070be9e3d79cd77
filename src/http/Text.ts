import { Schema, SchemaTransformation } from "effect"

// PostgreSQL stores no NUL, and a lone surrogate is no character at all.
const isStorable = Schema.makeFilter((text: string) => text.isWellFormed() && !text.includes("\u0000"), {
  expected: "well-formed text without NUL"
})

/** Text that a person enters: `min` to `max` characters, counted in code points as PostgreSQL's `char_length` does. */
export const text = (min: number, max: number) => Schema.String.check(isStorable, Schema.isBetweenCodePoints(min, max))

/** One `@`, no white space, a domain with a dot. Whether it exists, only a mail can tell. */
const address = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+\.[^\s@<>()[\]\\,;:".]+$/

/** An e-mail address of up to 320 characters, decoded to the lower case in which addresses are compared. */
export const Email = text(3, 320).check(Schema.isPattern(address, { expected: "an e-mail address" })).pipe(
  Schema.decodeTo(Schema.String, SchemaTransformation.toLowerCase()),
  Schema.brand("Email")
)
export type Email = typeof Email.Type
