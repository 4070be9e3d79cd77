import { Option, Redacted, Result, Schema, SchemaTransformation } from "effect"
import { currentSpelling, isSeen } from "../../../platform/http/Spelling.ts"
import { Email, text } from "../../../platform/http/Text.ts"
import { CohortId, DeliveryId } from "../../catalog/Delivery.ts"
import type { DeliveryLookup } from "./DeliveryLookup.ts"
import { expiryOf } from "./Expiry.ts"
import type { ErrorCode, ErrorField, Problem, RowFault } from "./Problem.ts"

/** A row as it was sent. Absent cells are empty. */
export interface RawRow {
  /** From 1: of the file, its header counted, or of the rows of a JSON body. */
  readonly line: number
  readonly name: string
  readonly email: string
  readonly document: Redacted.Redacted
  readonly delivery: string
  readonly cohort: string
  readonly expires_at: string
  /** The fault of the row as a whole. */
  readonly fault: RowFault | null
}

/** A valid row. Whether it can still be applied is checked when it is processed. */
export const CheckedRow = Schema.Struct({
  line: Schema.Int,
  name: Schema.String,
  // Rows that wait from before are read in the spelling of today.
  email: Schema.String.pipe(Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform({ decode: currentSpelling, encode: (email) => email })
  )),
  document: Schema.NullOr(Schema.RedactedFromValue(Schema.String)),
  delivery_id: Schema.NullOr(DeliveryId),
  cohort_id: Schema.NullOr(CohortId),
  expires_at: Schema.NullOr(Schema.DateTimeUtcFromString)
})
export type CheckedRow = typeof CheckedRow.Type

/** The data to check rows against. */
export interface RowChecks {
  readonly deliveries: DeliveryLookup
  /** The club's. */
  readonly timeZone: string
}

const decodeEmail = Schema.decodeOption(Email)
const isName = Schema.is(text(1, 200))
const isDocument = Schema.is(text(3, 32))
/** A long number as a spreadsheet shows and saves it: its last digits are lost. */
const rounded = /^\d(?:[.,]\d+)?E\+?\d+$/i

type Refuse = (field: ErrorField, code: ErrorCode) => void

/** The only match. Null, with an error, for no match or several. */
const onlyOne = <Thing>(field: ErrorField, found: ReadonlyArray<Thing>, refuse: Refuse): Thing | null => {
  const [first] = found
  if (first !== undefined && found.length === 1) return first
  refuse(field, first === undefined ? "unknown" : "ambiguous")
  return null
}

const accessOf = (raw: RawRow, { deliveries, timeZone }: RowChecks, refuse: Refuse) => {
  const [delivery, cohort, end] = [raw.delivery.trim(), raw.cohort.trim(), raw.expires_at.trim()]
  const match = delivery === "" ? null : onlyOne("delivery", deliveries(delivery), refuse)
  if (delivery === "" && (cohort !== "" || end !== "")) refuse("delivery", "required")
  const group = cohort === "" || match === null ? null : onlyOne("cohort", match.cohorts(cohort), refuse)
  const expires_at = end === "" ? null : Option.getOrNull(expiryOf(end, timeZone))
  if (end !== "" && expires_at === null) refuse("expires_at", "invalid")
  return { delivery_id: match?.id ?? null, cohort_id: group?.id ?? null, expires_at }
}

/** The checked row, or all of its errors. */
export const checkRow = (raw: RawRow, checks: RowChecks): Result.Result<CheckedRow, ReadonlyArray<Problem>> => {
  const problems: Array<Problem> = []
  const refuse: Refuse = (field, code) => void problems.push({ line: raw.line, field, code })

  if (raw.fault !== null) refuse("row", raw.fault)
  if (raw.fault !== null && raw.fault !== "too_many_cells") return Result.fail(problems)
  const name = raw.name.trim()
  if (!isName(name)) refuse("name", isSeen(name) ? "invalid" : "required")
  const address = raw.email.trim()
  const email = Option.getOrElse(decodeEmail(address), () => "")
  if (email === "") refuse("email", address === "" ? "required" : "invalid")
  const text = Redacted.value(raw.document).trim()
  if (rounded.test(text)) refuse("document", "scientific_notation")
  else if (text !== "" && !isDocument(text)) refuse("document", "invalid")
  const document = text === "" ? null : Redacted.make(text, { label: "document" })

  const access = accessOf(raw, checks, refuse)
  if (problems.length > 0) return Result.fail(problems)
  return Result.succeed({ line: raw.line, name, email, document, ...access })
}

/**
 * Rows in chunks of about `size`. All rows of an address are in the chunk of the first of them, in their order. So a
 * chunk can be processed, or tried in a dry run, without the others.
 */
export const chunksOf = <Row extends Pick<CheckedRow, "email">>(
  rows: ReadonlyArray<Row>,
  size: number
): ReadonlyArray<ReadonlyArray<Row>> => {
  const chunks: Array<Array<Row>> = []
  for (const together of Map.groupBy(rows, ({ email }) => email).values()) {
    const current = chunks.at(-1)
    if (current === undefined || current.length >= size) chunks.push([...together])
    else current.push(...together)
  }
  return chunks
}
