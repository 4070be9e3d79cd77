import { Schema } from "effect"
import { UserId } from "../../../identity/ids/UserId.ts"
import { ApiError } from "../../../platform/http/ApiError.ts"
import { field } from "../../../platform/http/Field.ts"
import { brandedId } from "../../../platform/schema/brandedId.ts"
import { Instant, InstantOrNull } from "../../../platform/schema/Instant.ts"
import { ErrorCode, ErrorField } from "./Problem.ts"

/** UUIDv7. */
export const ImportId = brandedId("ImportId")
export type ImportId = typeof ImportId.Type

/** Rows that one import has at most (http-surface, Students). */
export const maxRows = 5000

/** The maximal length of a row in UTF-16 units: longer than all valid content, and short enough to be read quickly. */
export const longestRow = 32_768

/** The longest part of a column's name that an answer shows, in characters: longer than every known name. */
export const longestColumnName = 100

/** `completed` means that every row was processed, not that all of them were valid. */
const ImportStatus = Schema.Literals(["pending", "running", "completed"])

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** An import and its progress. `created`, `existing` and `failed` count rows; their sum is `processed`. */
export class StudentImport extends Schema.Class<StudentImport>("StudentImport")(Schema.Struct({
  id: ImportId.pipe(field("Names the import")),
  status: ImportStatus
    .pipe(field("How far it is; `completed` says that every row was processed, even if some failed", "completed")),
  dry_run: Schema.Boolean
    .pipe(field("True for a preview: it writes nothing, with the counts and errors of a real import", false)),
  total: Count.pipe(field("How many rows it has", 120)),
  processed: Count.pipe(field("How many of them are worked through: `created`, `existing` and `failed` together", 120)),
  created: Count.pipe(field("How many rows made a student", 110)),
  existing: Count.pipe(field("How many rows were of students who were there, or of an address of an earlier row", 8)),
  granted: Count.pipe(field("How many accesses were granted, to new and to existing students", 115)),
  failed: Count.pipe(field("How many rows have something wrong in them", 2)),
  unknown_columns: Schema.Array(Schema.String).pipe(field(
    "The ignored columns of its CSV: unknown ones, and parts of a name beside the whole; empty for JSON",
    [
      "telefone"
    ]
  )),
  actor_user_id: UserId.pipe(field("The member who sent it")),
  created_at: Instant.pipe(field("When it was sent")),
  finished_at: InstantOrNull.pipe(field("When its last row was worked through; null before"))
}).annotate({ description: "A list of students that was sent, and how far it is" })) {}

/** An error in one cell, or in the whole `row`. `line` counts lines of the file, or rows of a JSON body. */
export class StudentImportError extends Schema.Class<StudentImportError>("StudentImportError")(Schema.Struct({
  id: Schema.String.annotate({ format: "uuid" }).pipe(field("Names the error", "01993f2a-9165-7f76-8b93-a06c7e8f90a2")),
  line: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))
    .pipe(field("The line of the file, its header counted, or the number of a row in a JSON body; from 1", 14)),
  field: ErrorField.pipe(field("The column that is wrong; `row` for the row as a whole", "email")),
  code: ErrorCode.pipe(field("The error, for programs", "invalid")),
  message: Schema.String.pipe(field("The same for people; it never has the value", "email: Expected an e-mail address"))
}).annotate({ description: "One thing that is wrong in a row of an import" })) {}

// A longer row is refused as a whole, before its cells are read.
const CellText = Schema.String.check(Schema.isMaxLength(longestRow))
const Cell = Schema.optionalKey(Schema.NullOr(CellText))

/** Rows as JSON. Their cells are checked row by row later. Null and empty text mean an absent value. */
export const ImportRows = Schema.Struct({
  rows: Schema.Array(Schema.Struct({
    name: CellText.pipe(field("The student's name: 1 to 200 characters, or the row fails", "Bia Lima")),
    email: CellText
      .pipe(field("The student's address: of up to 320 characters, or the row fails", "bia.lima@example.com")),
    document: Schema.optionalKey(Schema.NullOr(Schema.RedactedFromValue(CellText))).pipe(field(
      "The national tax document: 3 to 32 characters, or the row fails; null or empty: no document",
      "123.456.789-09"
    )),
    delivery: Cell.pipe(field(
      "The `id` or the name of the delivery that they get access to; null or empty: no delivery",
      "Violão do zero"
    )),
    cohort: Cell
      .pipe(field("A cohort of the delivery: its `id` or its name; null or empty: no cohort", "Turma de março")),
    expires_at: Cell.pipe(field(
      "When the access ends: a timestamp or a date. A date such as 2027-12-31 or 31/12/2027 is the end of that day in the club's time zone. Null or empty: the delivery and the cohort decide",
      "2027-12-31"
    ))
  })).check(Schema.isMinLength(1), Schema.isMaxLength(maxRows)).pipe(field("The students, 1 to 5,000 of them"))
})

/** More rows than one import may have. */
export class TooManyRows extends ApiError<TooManyRows>()("TooManyRows", {
  status: 422,
  code: "too_many_rows",
  message: {
    en: `rows must have at most ${maxRows} items`,
    "pt-BR": "Linhas demais: divida o arquivo."
  }
}) {}

/** The text is not a table, or has no column `email`. */
export class CsvInvalid extends ApiError<CsvInvalid>()("CsvInvalid", {
  status: 422,
  code: "csv_invalid",
  message: {
    en: "The text is not CSV: send columns name and email, separated by commas or semicolons",
    "pt-BR": "O texto não é CSV: envie as colunas name e email, separadas por vírgula ou ponto e vírgula."
  }
}) {}
