import { DateTime, Effect, Option, Redacted, Result, Schema, SchemaTransformation } from "effect"
import { nameOrAddress } from "../../../membership/students/nameOrAddress.ts"
import { describeIssue } from "../../../platform/http/issues/Message.ts"
import { currentSpelling, isSeen } from "../../../platform/http/Spelling.ts"
import { anyText, Email } from "../../../platform/http/Text.ts"
import { Timestamp } from "../../../platform/http/Timestamp.ts"
import { mostMinorUnits } from "./MinorUnits.ts"
import type { Buyer } from "./Platform.ts"

// Bodies of platforms are read leniently: a missing or invalid value is null. Ids are the exception. A shortened or
// guessed id would name another purchase.

/** A field. `tidy` normalizes the sent value, and gives null if it is absent. The result must match `type`. */
const field = <S extends Schema.Constraint>(type: S, tidy: (sent: unknown) => unknown) =>
  Schema.Unknown.pipe(
    Schema.decodeTo(Schema.Unknown, SchemaTransformation.transform({ decode: tidy, encode: (read: unknown) => read })),
    Schema.decodeTo(type, SchemaTransformation.passthroughSupertype<S["Encoded"], unknown>()),
    Schema.withDecodingDefaultKey(Effect.succeed(null))
  )

// A larger number has lost its last digits when it was parsed.
const idText = (sent: unknown): unknown =>
  sent === "" ? null : typeof sent === "number" && Number.isSafeInteger(sent) ? String(sent) : sent

/** A platform's id, a text or a whole number, as text of up to 200 characters. Null if missing or empty; else refused. */
export const Id = field(Schema.NullOr(anyText(1, 200)), idText)

/** Text that the database stores, of at most `most` characters. */
export const storable = (sent: string, most: number): string =>
  [...sent.toWellFormed().replaceAll("\u0000", "\uFFFD").trim()].slice(0, most).join("")

/** A name or a word, shortened to `most` characters. Null without a visible character. */
const Name = (most: number) =>
  field(Schema.NullOr(Schema.String), (sent) => typeof sent === "string" && isSeen(sent) ? storable(sent, most) : null)

/** The name of a product (purchases.product_name). */
export const ProductName = Name(200)
/** The name of a plan (subscriptions.plan_name). */
export const PlanName = Name(200)
/** How it was paid (purchases.payment_method). */
export const PaymentMethod = Name(60)

/** A word that is compared with known ones. */
export const Word = field(Schema.NullOr(Schema.String), (sent) => typeof sent === "string" ? sent : null)

/** True only for the value `true`. */
export const Flag = field(Schema.Boolean, (sent) => sent === true)

const decodeEmail = Schema.decodeUnknownOption(Email)

/** An address in its one spelling, without characters that nobody sees; null if it is not one. */
export const addressOf = (sent: unknown): string | null =>
  typeof sent === "string" ? Option.getOrNull(decodeEmail(currentSpelling(sent.trim()))) : null

/** An e-mail address in its one spelling. */
export const Address = field(Schema.NullOr(Schema.String), addressOf)

/** A person's name, of whatever length. */
export const PersonName = Word

/** A tax document, however it is written. */
export const Document = field(Schema.NullOr(Schema.Redacted(Schema.String)), (sent) => {
  const written = typeof sent === "number" ? String(sent) : sent
  const document = typeof written === "string" ? storable(written, 40) : ""
  return document === "" ? null : Redacted.make(document, { label: "document" })
})

/** A decimal number as it is written, for amounts in the currency's own unit. */
export const Decimal = field(
  Schema.NullOr(Schema.String),
  (sent) => typeof sent === "number" ? String(sent) : typeof sent === "string" ? sent : null
)

const wholeNumber = (sent: unknown): unknown =>
  typeof sent === "string" && /^\d{1,15}$/.test(sent) ? Number(sent) : sent

const wholeBetween = (least: number, most: number) =>
  field(Schema.NullOr(Schema.Int), (sent) => {
    const number = wholeNumber(sent)
    return typeof number === "number" && Number.isInteger(number) && number >= least && number <= most ? number : null
  })

/** An amount in the currency's minor unit. */
export const MinorUnits = wholeBetween(0, mostMinorUnits)
/** An amount that may be a credit. */
export const Balance = wholeBetween(-mostMinorUnits, mostMinorUnits)
/** A count, from 1, within the range of `integer`. */
export const Count = wholeBetween(1, 2_147_483_647)

/** A currency's code in upper case. */
export const Currency = field(Schema.NullOr(Schema.String), (sent) => {
  const code = typeof sent === "string" ? sent.trim().toUpperCase() : ""
  return /^[A-Z]{3,10}$/.test(code) ? code : null
})

// 31 December 9999
const lastMillisecond = 253_402_300_799_999

const timeOf = (unit: number) => (sent: unknown): DateTime.Utc | null => {
  const number = wholeNumber(sent)
  if (typeof number !== "number" || !Number.isInteger(number)) return null
  const milliseconds = number * unit
  return milliseconds >= 0 && milliseconds <= lastMillisecond ? DateTime.makeUnsafe(milliseconds) : null
}

/** Milliseconds since 1970. */
export const Milliseconds = field(Schema.NullOr(Schema.DateTimeUtc), timeOf(1))
/** Seconds since 1970. */
export const Seconds = field(Schema.NullOr(Schema.DateTimeUtc), timeOf(1000))

const decodeTimestamp = Schema.decodeUnknownOption(Timestamp)

/** ISO 8601 with a zone. Without a zone it does not name a moment and is null. */
export const Moment = field(
  Schema.NullOr(Schema.DateTimeUtc),
  (sent) => Option.getOrNull(decodeTimestamp(sent))
)

const isObject = (sent: unknown): boolean => typeof sent === "object" && sent !== null && !Array.isArray(sent)

/**
 * An object with these and any other fields. Null for any other value: some platforms write `[]` for a missing object.
 */
export const object = <F extends Schema.Struct.Fields>(fields: F) =>
  field(Schema.NullOr(Schema.Struct(fields)), (sent) => isObject(sent) ? sent : null)

/** No sale has a longer list, and reading one blocks the process. */
const longestList = 1000

/** Objects with these fields; empty for a value that is not a list. A list of more than 1,000 is refused. */
export const list = <F extends Schema.Struct.Fields>(fields: F) =>
  field(Schema.Array(Schema.Struct(fields)), (sent) => {
    if (!Array.isArray(sent)) return []
    return sent.length > longestList ? null : sent.filter(isObject)
  })

/** Reads a body. Fails with the refused field and its rule, never with a value. */
export const bodyReader = <F extends { readonly [name: string]: Schema.ConstraintDecoder<unknown> }>(fields: F) => {
  const decode = Schema.decodeUnknownResult(Schema.Struct(fields))
  return (json: unknown) => Result.mapError(decode(json), ({ issue }) => describeIssue(issue))
}

/** A value that a fact needs; fails with the field's name. */
export const required = <A>(value: A | null | undefined, name: string): Result.Result<A, string> =>
  value === null || value === undefined ? Result.fail(`${name} is required`) : Result.succeed(value)

/** The buyer; null without an address. Named by the address if the platform gives no name. */
export const buyerOf = (
  person: {
    readonly name: string | null
    readonly email: string | null
    readonly document?: Redacted.Redacted | null | undefined
  }
): Buyer | null =>
  person.email === null
    ? null
    : { name: nameOrAddress(person.name ?? "", person.email), email: person.email, document: person.document ?? null }
