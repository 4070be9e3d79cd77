import { Schema, SchemaTransformation } from "effect"

// PostgreSQL stores no NUL, and a lone surrogate is no character at all.
const isStorable = Schema.makeFilter((text: string) => text.isWellFormed() && !text.includes("\u0000"), {
  expected: "must not contain NUL or half of a surrogate pair"
})

/** Text that a person enters: `min` to `max` characters, counted in code points as PostgreSQL's `char_length` does. */
export const text = (min: number, max: number) => Schema.String.check(isStorable, Schema.isBetweenCodePoints(min, max))

/** One `@`, no white space or control character, a domain with a dot. Whether it exists, only a mail can tell. */
const address = /^[^\s\p{Cc}@<>()[\]\\,;:"]+@[^\s\p{Cc}@<>()[\]\\,;:"]+\.[^\s\p{Cc}@<>()[\]\\,;:".]+$/u

// The same without `\p`, which not every reader of JSON Schema knows, and without quotes, which end the text in which a
// generator writes it.
const toJsonSchema = () => ({
  pattern: address.source.replaceAll("\\p{Cc}", String.raw`\u0000-\u001f\u007f-\u009f`).replaceAll(
    "\"",
    String.raw`\u0022`
  )
})

/** Addresses there are nobody's: they stand where a person's was erased. */
export const anonymizedDomain = "anonymized.invalid"

const isSomebodys = Schema.makeFilter((email: string) => !email.endsWith(`@${anonymizedDomain}`), {
  expected: "an e-mail address"
})

/** An e-mail address of up to 320 characters, decoded to the lower case in which addresses are compared. */
export const Email = text(3, 320).check(Schema.isPattern(address, { expected: "an e-mail address", toJsonSchema }))
  .annotate({
    format: "email",
    examples: ["ana@school.example"]
  }).pipe(
    // A letter may become two in lower case, so the length is checked again.
    Schema.decodeTo(text(3, 320).check(isSomebodys), SchemaTransformation.toLowerCase()),
    Schema.brand("Email")
  )
export type Email = typeof Email.Type

/** A UUID as a client may write it, decoded to the lower case in which PostgreSQL writes it: for ids that are compared. */
export const sentId = <Id extends Schema.Codec<string, string>>(id: Id) =>
  Schema.String.check(Schema.isUUID()).pipe(Schema.decodeTo(id, SchemaTransformation.toLowerCase()))
