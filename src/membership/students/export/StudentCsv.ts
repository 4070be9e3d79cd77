import { stringify } from "csv-stringify/sync"
import { DateTime, Schema } from "effect"
import { StudentId } from "../../../identity/ids/StudentId.ts"

/** A student as the export has them: without the tax document. */
export const ExportedStudent = Schema.Struct({
  id: StudentId,
  name: Schema.String,
  email: Schema.String,
  verified: Schema.Boolean,
  created_at: Schema.DateTimeUtcFromDate
})
export type ExportedStudent = typeof ExportedStudent.Type

/** What a spreadsheet may compute. Apostrophes before it count, so that an import can take exactly one off. */
const computed = /^[\s']*[=+\-@\t\r\n]/

const guarded = (text: string): string => computed.test(text) ? `'${text}` : text

// Where `;` or a tab separates cells, a cell that holds one would become two, and the second could be computed. A line
// break alone is one to most readers, too.
const format = { record_delimiter: "\r\n", quoted_match: /[;\t\r\n]/ } as const

/** The header line, after the mark by which spreadsheets know UTF-8. An import finds name and email by it. */
export const csvHeader = `\ufeff${stringify([["id", "name", "email", "verified", "created_at"]], format)}`

/** A line for each student, as RFC 4180 has it. */
export const csvLines = (students: ReadonlyArray<ExportedStudent>): string =>
  stringify(
    students.map(({ created_at, email, id, name, verified }) => [
      id,
      guarded(name),
      guarded(email),
      String(verified),
      DateTime.formatIso(created_at)
    ]),
    format
  )
