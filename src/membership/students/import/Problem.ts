import { Schema } from "effect"

/** The column of an error, or the whole row. */
export const ErrorField = Schema.Literals(["row", "name", "email", "document", "delivery", "cohort", "expires_at"])
export type ErrorField = typeof ErrorField.Type

/** The kind of an error. */
export const ErrorCode = Schema.Literals([
  "required",
  "invalid",
  "unknown",
  "ambiguous",
  "passed",
  "too_many_cells",
  "quotes",
  "encoding",
  "scientific_notation",
  "removed",
  "internal"
])
export type ErrorCode = typeof ErrorCode.Type

/** The fault of a line before its cells are checked. The cells of such a line are known only if they are too many. */
export type RowFault = Extract<ErrorCode, "too_many_cells" | "quotes" | "encoding">

/** One error in a line. Does not contain the value. */
export interface Problem {
  readonly line: number
  readonly field: ErrorField
  readonly code: ErrorCode
}

/** The codes that version 0.2.0, which may run beside this one, does not know. */
const details = ["quotes", "encoding", "scientific_notation"] as const satisfies ReadonlyArray<ErrorCode>

/** A code to store: one that the former version knows, and the exact code beside it. */
export const storedCode = (code: ErrorCode): { readonly code: ErrorCode; readonly detail: ErrorCode | null } => {
  const detail = details.find((one) => one === code)
  return detail === undefined ? { code, detail: null } : { code: "invalid", detail }
}

const messages: Readonly<Record<string, string>> = {
  "name required": "name is required",
  "name invalid": "name must have 1 to 200 characters",
  "email required": "email must be an e-mail address",
  "email invalid": "email must be an e-mail address",
  "document invalid": "document must have 3 to 32 characters",
  "document scientific_notation":
    "document must not be rounded, as a spreadsheet does to 1,23457E+10: format its column as text and enter it again",
  "delivery required": "delivery is required, since the row has a cohort or an end",
  "delivery unknown": "delivery must be the id or the name of a delivery that is not archived",
  "delivery ambiguous": "delivery must be an id, since several have this name",
  "cohort unknown": "cohort must be the id or the name of a cohort of the delivery",
  "cohort ambiguous": "cohort must be an id, since several have this name",
  "cohort passed": "cohort has ended: give an expires_at",
  "expires_at invalid": "expires_at must be 2026-12-31, 31/12/2026 or a time with a zone",
  "expires_at passed": "expires_at must be a time to come, after the start of the cohort",
  "row too_many_cells": "The row has more cells than the header",
  "row quotes": "The row has a quote inside of a cell, or one that is not closed: double it, or leave it out",
  "row encoding": "The row has letters in another encoding than the file: save the file as UTF-8",
  "row removed": "The student was removed before the row's turn came",
  "row internal": "The row could not be imported"
}

/** The message of an error, for people. */
export const messageOf = ({ code, field }: Pick<Problem, "code" | "field">): string =>
  messages[`${field} ${code}`] ?? `${field} is not right: ${code}`
