import { Schema, SchemaTransformation } from "effect"
import { Uuid } from "../schema/brandedId.ts"
import { currentSpelling, hasUnseen, isSeen, plainAddress } from "./Spelling.ts"

// PostgreSQL stores no NUL, and a lone surrogate is not a character.
const isStorable = Schema.makeFilter((text: string) => text.isWellFormed() && !text.includes("\u0000"), {
  expected: "must not contain NUL or half of a surrogate pair"
})

/**
 * Text that nobody reads as text, such as a secret, a code or a search. It has `min` to `max` characters, counted in code points
 * as PostgreSQL's `char_length` does.
 */
export const anyText = (min: number, max: number) =>
  Schema.String.check(isStorable, Schema.isBetweenCodePoints(min, max))

const isReadable = Schema.makeFilter((text: string) => text === "" || isSeen(text), {
  expected: "must have a character that can be seen"
})

/** Text that a person enters and others see, counted like `anyText`: empty or with something to see in it. */
export const text = (min: number, max: number) => anyText(min, max).check(isReadable)

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

const isAddress = Schema.isPattern(address, { expected: "an e-mail address", toJsonSchema })

const written = { format: "email", examples: ["ana@school.example"] }

const inSight = Schema.makeFilter((email: string) => !hasUnseen(email), {
  expected: "must not contain a character that cannot be seen"
})

const isPlain = Schema.makeFilter((email: string) => plainAddress(email) === email, {
  expected: "an e-mail address",
  arbitraryConstraint: { patterns: [{ source: "^[a-z0-9]{1,12}@[a-z0-9]{1,12}\\.example$", flags: "" }] }
})

/**
 * An address as somebody signs in with it: of up to 320 characters, decoded to lower case. An account may have one from
 * before `Email`, in a spelling that `Email` writes otherwise or refuses.
 */
export const KnownEmail = anyText(3, 320).check(isAddress).annotate(written).pipe(
  // A letter may become two in lower case, so the length is checked again.
  Schema.decodeTo(anyText(3, 320).check(isSomebodys), SchemaTransformation.toLowerCase()),
  Schema.brand("KnownEmail")
)
export type KnownEmail = typeof KnownEmail.Type

/** An e-mail address of up to 320 characters, decoded to the one spelling in which addresses are stored and compared. */
export const Email = anyText(3, 320).check(inSight, isAddress).annotate(written).pipe(
  Schema.decodeTo(
    anyText(3, 320).check(isPlain, isSomebodys),
    SchemaTransformation.transform({ decode: currentSpelling, encode: (email) => email })
  ),
  Schema.brand("KnownEmail"),
  Schema.brand("Email")
)
export type Email = typeof Email.Type

/** A UUID as a client may write it, decoded to the lower case in which PostgreSQL writes it: for ids that are compared. */
export const sentId = <Id extends Schema.Codec<string, string>>(id: Id) =>
  Uuid.pipe(Schema.decodeTo(id, SchemaTransformation.toLowerCase()))
