import { stringify } from "csv-stringify/sync"
import { DateTime, Schema } from "effect"
import { StudentId } from "../../../identity/ids/StudentId.ts"
import { Instant } from "../../../platform/schema/Instant.ts"

/** A student in the export, without the tax document. */
export const ExportedStudent = Schema.Struct({
  id: StudentId,
  name: Schema.String,
  email: Schema.String,
  verified: Schema.Boolean,
  created_at: Instant
})
export type ExportedStudent = typeof ExportedStudent.Type

/**
 * A cell that a spreadsheet may compute. Includes cells with apostrophes before it, so that an import can remove
 * exactly one.
 */
const formula = /^[\s']*[=+\-@\t\r\n]/

const escapeFormula = (text: string): string => formula.test(text) ? `'${text}` : text

// Other readers may take `;`, a tab or a single line break as a separator, and compute the next cell. Such cells are
// quoted.
const format = { record_delimiter: "\r\n", quoted_match: /[;\t\r\n]/ } as const

/** The header line, after the byte order mark by which spreadsheets recognize UTF-8. An import finds the columns by it. */
export const csvHeader = `\ufeff${stringify([["id", "name", "email", "verified", "created_at"]], format)}`

/** A line for each student, as in RFC 4180. */
export const csvLines = (students: ReadonlyArray<ExportedStudent>): string =>
  stringify(
    students.map(({ created_at, email, id, name, verified }) => [
      id,
      escapeFormula(name),
      escapeFormula(email),
      String(verified),
      DateTime.formatIso(created_at)
    ]),
    format
  )
